package io.github.uvloop4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForegroundTest {
    @Test
    void theGroupInFrontOfATerminalIs() {
        assertThat(Foreground.isForeground("77 (java) S 70 77 70 34816 77 4194304 1"))
                .isTrue();
    }

    @Test
    void aGroupInTheBackgroundIsNot() {
        assertThat(Foreground.isForeground("77 (java) S 70 77 70 34816 70 4194304 1"))
                .isFalse();
    }

    @Test
    void aProcessWithoutATerminalIsNot() {
        assertThat(Foreground.isForeground("77 (java) S 70 77 70 0 -1 4194304 1"))
                .isFalse();
    }

    @Test
    void theNameOfTheProgramIsSkipped() {
        assertThat(Foreground.isForeground("77 (a) b (c) S 70 77 70 34816 77 4194304 1"))
                .isTrue();
    }

    @Test
    void aLineThatIsCutOffIsNot() {
        assertThat(Foreground.isForeground("77 (java) S 70 77")).isFalse();
    }
}
