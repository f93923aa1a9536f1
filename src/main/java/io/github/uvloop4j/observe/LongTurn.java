package io.github.uvloop4j.observe;

import java.time.Duration;

/**
 * A turn that kept the thread busy for long.
 *
 * @param ready how long what was ready took: calls, timers and steps of tasks
 * @param callbacks how long callbacks of events took
 * @param calls how many calls, timers and steps of tasks ran
 * @param events how many events were called back for
 */
public record LongTurn(Duration ready, Duration callbacks, int calls, int events) {
    /** How long the thread was busy. */
    public Duration busy() {
        return ready.plus(callbacks);
    }
}
