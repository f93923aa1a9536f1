package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a JVM ends that has, or had, loops: soon, without a word, and with the status it was told. */
@Timeout(90)
class ShutdownTest {
    @ParameterizedTest
    @ValueSource(strings = {"closed", "live", "task", "callback", "return"})
    @Tag("cells")
    void exitIsPromptAndSilent(String how) throws Exception {
        var result = new ChildJvm().run(ExitMain.class, how);
        assertThat(result.output().lines().filter(line -> !isOfTheRescue(line))).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    /** On a slow machine loading classes may take so long that the rescue carrier steps in and says so; no more. */
    private static boolean isOfTheRescue(String line) {
        return line.contains("LoopLog")
                || line.startsWith("WARNING: the loop thread was blocked while task ")
                || line.startsWith("WARNING: the rescue carrier ran ")
                || line.startsWith("java.lang.Throwable: ")
                || line.startsWith("Caused by: java.lang.Throwable: ")
                || line.startsWith("\tSuppressed: java.lang.Throwable: ")
                || line.strip().startsWith("at ")
                || line.strip().startsWith("... ");
    }

    @Test
    void errorsDuringTheExitDoNotKeepItUp() throws Exception {
        assertThat(new ChildJvm().run(ExitMain.class, "hook").exitCode()).isZero();
    }

    @Test
    void logThatIsHeldByATaskDoesNotKeepTheExitUp() throws Exception {
        var result = new ChildJvm().run(ExitMain.class, "stuck");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
