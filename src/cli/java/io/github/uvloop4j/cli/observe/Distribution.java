package io.github.uvloop4j.cli.observe;

/** What a loop has kept a histogram of since it was made, in ns. */
public enum Distribution {
    /** How long each turn kept the thread busy. */
    TURNS("turn"),
    /** How long each poll was blocked. */
    POLLS("poll"),
    /** How long the first of what was ready had waited. */
    READY_DELAY("readyDelay"),
    /** How long it took from a post that woke the loop to the turn that runs it. */
    WAKE_DELAY("wakeDelay"),
    /** How late timers were. */
    TIMER_LATENESS("timerLateness");

    private final String stem;

    Distribution(String stem) {
        this.stem = stem;
    }

    /** The field of the event {@code uvloop4j.Loop} that has the histogram. */
    String field() {
        return stem + "Histogram";
    }

    /** The field that has the greatest. */
    String maxField() {
        return stem + "Max";
    }
}
