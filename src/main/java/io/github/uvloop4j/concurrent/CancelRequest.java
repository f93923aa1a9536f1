package io.github.uvloop4j.concurrent;

/** One request that a task may end. Who made it can take it back. */
final class CancelRequest {
    final String reason;

    /** How many shields were up where the scope began that makes it: those do not hold it. */
    final int shields;

    /** Whether a scope of the task itself makes it, and takes it back when it ends. */
    final boolean ofScope;

    /** Whether the task has been told. */
    boolean delivered;

    /** Whether it counts as delivered only since the task was on its way out already. */
    boolean quiet;

    private CancelRequest(String reason, int shields, boolean ofScope) {
        this.reason = reason;
        this.shields = shields;
        this.ofScope = ofScope;
    }

    /** From outside the task. */
    static CancelRequest outside() {
        return new CancelRequest("", 0, false);
    }

    /** Of a scope in the task. */
    static CancelRequest ofScope(String reason, int shields) {
        return new CancelRequest(reason, shields, true);
    }
}
