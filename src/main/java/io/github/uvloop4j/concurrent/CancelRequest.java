package io.github.uvloop4j.concurrent;

/** One request that a task may end. Who made it can take it back. */
final class CancelRequest {
    final String reason;

    /** Whether the task has been told. */
    boolean delivered;

    CancelRequest(String reason) {
        this.reason = reason;
    }
}
