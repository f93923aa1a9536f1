package io.github.uvloop4j.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.Fifo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Look-ups that hang end at once for who asked, and hold up neither files nor the loop nor, by default, the end of the JVM. */
@Timeout(120)
class HangingLookUpTest {
    private static ChildJvm child(Fifo fifo) {
        return new ChildJvm()
                .environment("HOSTALIASES", fifo.path().toString())
                .environment("RES_OPTIONS", "timeout:1 attempts:1");
    }

    @Test
    void withTheJdksResolverTheJvmEnds() throws Exception {
        try (var fifo = new Fifo()) {
            var result = child(fifo).run(HangingLookUpMain.class, "jdk");
            Assumptions.assumeFalse(result.output().contains("it does not hang"), "names are not looked up by aliases");
            assertThat(result.output()).contains("it hangs", "files go on", "cancelled true", "closed, it goes on");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void withLibuvsTheLoopClosesAndTheJvmEndsOnceTheLookUpIsOver() throws Exception {
        try (var fifo = new Fifo()) {
            var process = child(fifo).start(HangingLookUpMain.class, "libuv");
            var lines = new ArrayList<String>();
            try (var reader = process.inputReader()) {
                for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                    if (line.startsWith("closed")) {
                        break;
                    }
                }
                Assumptions.assumeFalse(lines.contains("it does not hang"), "names are not looked up by aliases");
                assertThat(lines)
                        .containsSequence(List.of("it hangs", "files go on", "cancelled true", "closed, it goes on"));
                while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    fifo.release();
                }
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).isZero();
        }
    }
}
