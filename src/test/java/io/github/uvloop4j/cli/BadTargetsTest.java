package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code top} and {@code doctor} cannot look at: one line that says why. */
@Timeout(120)
class BadTargetsTest {
    @TempDir
    Path directory;

    private static void refuses(String says, String... arguments) {
        var outcome = Outcome.of(arguments);

        assertThat(outcome.errorLines())
                .singleElement()
                .asString()
                .startsWith("uvloop4j " + arguments[0] + ": ")
                .contains(says);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "doctor"})
    void aProcessThatIsGone(String command) throws Exception {
        var gone = new ProcessBuilder("true").start();
        assertThat(gone.waitFor(30, TimeUnit.SECONDS)).isTrue();

        refuses("no process " + gone.pid() + " runs", command, Long.toString(gone.pid()));
        refuses("no process 999999999999 runs", command, "999999999999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "doctor"})
    void itself(String command) {
        refuses(
                "is this program itself",
                command,
                Long.toString(ProcessHandle.current().pid()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "doctor"})
    void aProcessThatIsNoJvmAndGoesOn(String command) throws Exception {
        var process = new ProcessBuilder("sleep", "60").start();
        try {
            refuses("(sleep) is no JVM", command, Long.toString(process.pid()));
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aJvmWithoutLoops() throws Exception {
        try (var app = Observed.start(ObservedApps.NoLoop.class)) {
            refuses("has no loop of uvloop4j", "doctor", app.pid());
        }
    }

    @Test
    void aJvmThatLetsNobodyAttach() throws Exception {
        try (var app = Observed.start(ObservedApps.NoLoop.class, "-XX:+DisableAttachMechanism")) {
            refuses("-XX:StartFlightRecording:filename=FILE", "doctor", app.pid());
        }
    }

    @Test
    void aJvmOfAnotherUser() throws Exception {
        var process = ProcessHandle.allProcesses()
                .filter(other -> !other.info().user().orElse("").isEmpty())
                .filter(other -> !other.info()
                        .user()
                        .equals(ProcessHandle.current().info().user()))
                .filter(other -> !Files.isReadable(Path.of("/proc", Long.toString(other.pid()), "maps")))
                .findFirst();
        assumeTrue(process.isPresent(), "there is no process that this user may not look at");

        refuses(
                "belongs to " + process.get().info().user().get(),
                "doctor",
                Long.toString(process.get().pid()));
    }

    @Test
    void recordingsThatHoldNothing() throws Exception {
        var empty = Files.write(directory.resolve("empty.jfr"), new byte[0]);
        var garbage = Files.write(
                directory.resolve("garbage.jfr"), "FLR? no\n".repeat(50).getBytes());
        var foreign = directory.resolve("foreign.jfr");
        try (var recording = new Recording()) {
            recording.enable("jdk.JVMInformation");
            recording.start();
            recording.stop();
            recording.dump(foreign);
        }

        refuses("empty.jfr is empty", "doctor", empty.toString());
        refuses("garbage.jfr is no recording", "doctor", garbage.toString());
        refuses("foreign.jfr has no events of uvloop4j", "doctor", foreign.toString());
    }
}
