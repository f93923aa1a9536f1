package io.github.uvloop4j.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packed jars are the agent. */
class GuardAgentIT {
    @ParameterizedTest
    @ValueSource(strings = {"uvloop4j.jar", "uvloop4j.cli.jar"})
    void aPackedJarIsTheAgent(String property) throws Exception {
        var jar = Objects.requireNonNull(System.getProperty(property), property);
        var said = Checks.run(new ChildJvm().flag("-javaagent:" + jar + "=raise"), GuardedProgramMain.class);
        assertThat(said).containsEntry("raises", "true");
    }
}
