package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class NeighbourTest {
    @Test
    @Timeout(60)
    void isBusyUntilItsParentIsGone() throws Exception {
        var neighbour = new ProcessBuilder(Program.childJvm().command(List.of(), List.of(NeighbourCommand.NAME)))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(neighbour.inputReader().readLine()).isEqualTo("busy");
            assertThat(neighbour.isAlive()).isTrue();

            neighbour.getOutputStream().close();

            assertThat(neighbour.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(neighbour.exitValue()).isZero();
        } finally {
            neighbour.destroyForcibly();
        }
    }
}
