package io.github.uvloop4j.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** How the agent gets into the JVM, and what is said when it does not. */
class GuardAttachTest {
    @TempDir
    Path directory;

    private static Map<String, String> attaching(ChildJvm child) throws Exception {
        return Checks.run(child.flag("-XX:+IgnoreUnrecognizedVMOptions"), AttachingMain.class);
    }

    @Test
    void anotherJvmAttachesTheAgent() throws Exception {
        assertThat(attaching(new ChildJvm()))
                .containsEntry("available", "true")
                .containsEntry("reason", "")
                .containsEntry("raises", "true");
    }

    @Test
    void theJvmAttachesItselfWhereItMay() throws Exception {
        assertThat(attaching(new ChildJvm().flag("-Djdk.attach.allowAttachSelf=true")))
                .containsEntry("available", "true")
                .containsEntry("raises", "true");
    }

    @Test
    void aRefusalNamesTheFlagAndWhatStillWorks() throws Exception {
        var said = attaching(new ChildJvm().flag("-XX:-EnableDynamicAgentLoading"));
        assertThat(said).containsEntry("available", "false").containsEntry("loop", "works");
        assertThat(said.get("unavailable"))
                .contains("Dynamic agent loading is not enabled")
                .contains("-javaagent:")
                .contains("The watch, which reports");
        assertThat(said).doesNotContainKey("raises").containsEntry("reason", said.get("unavailable"));
    }

    @Test
    void theAgentsArgumentGuardsTheWholeProgram() throws Exception {
        var said = Checks.run(
                new ChildJvm().flag("-javaagent:" + AgentJar.in(directory) + "=raise"), GuardedProgramMain.class);
        assertThat(said).containsEntry("raises", "true");
    }

    @Test
    void thePropertyGuardsTheWholeProgram() throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory)).flag("-Duvloop4j.guard=raise");
        assertThat(Checks.run(child, GuardedProgramMain.class)).containsEntry("raises", "true");
    }

    @Test
    void theAgentNeedsNothingOfTheLibraryToStart() throws Exception {
        var alone = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (!name.equals(GuardAgent.class.getName())) {
                    throw new ClassNotFoundException(name);
                }
                try (var in = GuardAgent.class.getResourceAsStream("GuardAgent.class")) {
                    var bytes = Objects.requireNonNull(in).readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        };
        var agent = Class.forName(GuardAgent.class.getName(), true, alone);
        assertThat(agent).isNotSameAs(GuardAgent.class);
        agent.getMethod("agentmain", String.class, Instrumentation.class).invoke(null, null, null);
        assertThat(agent.getMethod("instrumentation").invoke(null)).isNull();
    }

    @TestFactory
    Stream<DynamicTest> oddJvmsAreReportedAndNotFatal() throws Exception {
        var child = new ChildJvm().flag("-javaagent:" + AgentJar.in(directory));
        return Checks.tests(Checks.run(child, OddJvmMain.class, directory.toString()));
    }
}
