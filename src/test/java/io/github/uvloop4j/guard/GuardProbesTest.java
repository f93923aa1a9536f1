package io.github.uvloop4j.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Which calls of the JDK raise, on the bare loop thread and in a task that rides on it. */
class GuardProbesTest {
    @TempDir
    Path directory;

    @TestFactory
    @Tag("cells")
    Stream<DynamicTest> everyBlockingCallRaisesOnTheLoopThread() throws Exception {
        return tests(probe("loop"), name -> true);
    }

    @TestFactory
    @Tag("carrier")
    Stream<DynamicTest> inATaskOnlyWhatBlocksItsCarrierRaises() throws Exception {
        return tests(probe("task"), name -> name.startsWith("blocking"));
    }

    private Map<String, String> probe(String where) throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory));
        var said = Checks.run(child, ProbeMain.class, where, directory.toString());
        assertThat(said)
                .hasSize(Probes.parking().size() + Probes.blocking(directory).size());
        return said;
    }

    private static Stream<DynamicTest> tests(Map<String, String> said, Predicate<String> raises) {
        return said.keySet().stream()
                .map(name -> DynamicTest.dynamicTest(
                        name, () -> assertThat(said.get(name)).isEqualTo(raises.test(name) ? "raised" : "passed")));
    }
}
