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
        // Debug mode tells of the slow first turns.
        var result = new ChildJvm().flag("-Duvloop4j.debug=false").run(ExitMain.class, how);
        // A slow machine may load classes for so long that the rescue carrier steps in and says so.
        assertThat(result.output())
                .satisfiesAnyOf(
                        output -> assertThat(output).isEmpty(),
                        output -> assertThat(output).contains("the rescue carrier"));
        assertThat(result.exitCode()).isZero();
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
