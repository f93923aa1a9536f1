package io.github.uvloop4j.guard;

import io.github.uvloop4j.testing.ChildJvm;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** After the last guard closes, every method has its instructions again, and none calls the guard. */
class GuardLeavesNothingTest {
    @TempDir
    Path directory;

    @TestFactory
    Stream<DynamicTest> everyMethodIsAsItWas() throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory)).flag("-Duvloop4j.test.probe=2");
        return Checks.tests(Checks.run(child, LeavesNothingMain.class, directory.toString()));
    }
}
