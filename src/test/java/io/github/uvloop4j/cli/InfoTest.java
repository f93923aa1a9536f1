package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.uv.UvVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InfoTest {
    @Test
    void tellsVersionsOriginAndTaskMode() {
        var outcome = Outcome.of("info", "--json");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        try (var loop = EventLoop.create()) {
            assertThat(outcome.json())
                    .containsEntry("libuv_version", UvVersion.loaded().toString())
                    .containsEntry("libuv_origin", UvVersion.origin())
                    .containsEntry("task_mode", loop.tasksRideOnLoop() ? "carrier" : "baton")
                    .containsKeys("uvloop4j_version", "jdk", "kernel", "cpu_model", "cpus_allowed", "missing");
        }
    }

    @Test
    void namesTheFlagThatIsMissing() throws Exception {
        var command = new ArrayList<>(Program.childJvm().command(List.of(), List.of("info")));
        command.removeIf(word -> word.startsWith("--add-opens"));

        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.inputReader()) {
            assertThat(output.readAllAsString())
                    .containsPattern("task mode +baton")
                    .contains("--add-opens=java.base/java.lang=ALL-UNNAMED");
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void libraryThatCannotBeLoadedIsOneLineAfterTheRest() throws Exception {
        var command = Program.childJvm().command(List.of("-Duvloop4j.libuv=/no/such/file"), List.of("info"));

        var process = new ProcessBuilder(command).start();
        try (var output = process.inputReader();
                var errors = process.errorReader()) {
            assertThat(output.readAllAsString())
                    .containsPattern("libuv version +null")
                    .contains("jdk");
            assertThat(errors.readAllAsString().lines().toList())
                    .singleElement()
                    .asString()
                    .contains("/no/such/file", "no such file");
            assertThat(process.waitFor()).isEqualTo(1);
        }
    }
}
