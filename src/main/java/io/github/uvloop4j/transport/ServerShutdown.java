package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.util.Durations;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The end of a server whose connections have a time to end: by themselves, then closed, then aborted. */
final class ServerShutdown {
    private static final long LONGEST_CLOSING = TimeUnit.SECONDS.toNanos(1);
    private static final long UNWINDING = TimeUnit.SECONDS.toNanos(1);

    private final LoopIo io;
    private final StreamServer server;
    private final LoopFuture<Integer> outcome;
    private @Nullable TimerHandle timer;

    ServerShutdown(LoopIo io, StreamServer server) {
        this.io = io;
        this.server = server;
        this.outcome = new LoopFuture<>(io.context());
    }

    /** Begins, with the server closed. */
    LoopFuture<Integer> begin(long nanos) {
        outcome.whenDone((aborted, error) -> setTimer(null));
        server.waitClosed().whenDone((nothing, error) -> finish());
        if (nanos == 0) {
            abort();
        } else {
            long deadline = Durations.deadline(nanos);
            long closing = Math.min(nanos / 10, LONGEST_CLOSING);
            setTimer(io.context().at(deadline - closing, () -> close(deadline)));
        }
        return outcome;
    }

    private void close(long deadline) {
        if (!outcome.isDone()) {
            setTimer(io.context().at(deadline, this::abort));
            server.closeClients();
        }
    }

    private void abort() {
        if (!outcome.isDone()) {
            setTimer(io.context().at(Durations.deadline(UNWINDING), this::finish));
            server.abortLeft();
        }
    }

    private void finish() {
        outcome.complete(server.abortedCount());
    }

    private void setTimer(@Nullable TimerHandle next) {
        var before = timer;
        timer = next;
        if (before != null) {
            before.cancel();
        }
    }
}
