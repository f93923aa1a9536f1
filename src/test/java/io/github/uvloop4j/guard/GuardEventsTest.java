package io.github.uvloop4j.guard;

import io.github.uvloop4j.testing.ChildJvm;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a guard leaves in a recording. */
class GuardEventsTest {
    @TempDir
    Path directory;

    @TestFactory
    @Tag("cells")
    Stream<DynamicTest> blockingCallsAreRecorded() throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory));
        return Checks.tests(Checks.run(child, GuardEventsMain.class, directory.toString()));
    }
}
