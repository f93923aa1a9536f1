package io.github.uvloop4j.observe.export;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import java.util.function.Function;

/** The durations that are exported with their distribution. */
public enum Timing {
    /** {@link LoopStatistics#turns}. */
    TURN("turn", "How long each turn kept the loop's thread busy", LoopStatistics::turns),
    /** {@link LoopStatistics#polls}. */
    POLL("poll", "How long each poll was blocked", LoopStatistics::polls),
    /** {@link LoopStatistics#readyDelay}. */
    READY_DELAY("ready.delay", "How long what was ready waited for its turn", LoopStatistics::readyDelay),
    /** {@link LoopStatistics#wakeDelay}. */
    WAKE_DELAY("wake.delay", "From a post that wakes the loop to the turn that runs it", LoopStatistics::wakeDelay),
    /** {@link LoopStatistics#timerLateness}. */
    TIMER_LATENESS("timer.lateness", "How late timers were", LoopStatistics::timerLateness);

    private final String word;
    private final String description;
    private final Function<LoopStatistics, Histogram> part;

    Timing(String word, String description, Function<LoopStatistics, Histogram> part) {
        this.word = word;
        this.description = description;
        this.part = part;
    }

    /** Its part of a metric's name. */
    public String word() {
        return word;
    }

    /** What it says. */
    public String description() {
        return description;
    }

    /** What was measured. */
    public Histogram in(LoopStatistics statistics) {
        return part.apply(statistics);
    }
}
