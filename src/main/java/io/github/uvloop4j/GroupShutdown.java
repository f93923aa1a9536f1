package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Unpinned;
import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a group, once: its servers stop accepting and let their clients finish, then the loops stop and close, which
 * cancels what is left; what does not end by then is interrupted and reported.
 */
final class GroupShutdown {
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final String name;
    private final List<GroupLoop> members;
    private final Collection<GroupServer> servers;
    private final long closeNanos;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private volatile @Nullable Throwable failure;

    GroupShutdown(GroupOptions options, List<GroupLoop> members, Collection<GroupServer> servers) {
        this.name = options.loop().name();
        this.members = members;
        this.servers = servers;
        this.closeNanos = Durations.nanos(options.loop().closeTimeout(), "closeTimeout");
    }

    boolean hasBegun() {
        return begun.get();
    }

    CompletableFuture<Boolean> ended() {
        return ended;
    }

    /** A loop ended by an error; the first is what the group failed with. */
    void failed(Throwable error) {
        synchronized (this) {
            if (failure == null) {
                failure = error;
            }
        }
    }

    CompletableFuture<Boolean> begin(Duration limit) {
        long nanos = Durations.notNegative(limit, "limit");
        if (begun.compareAndSet(false, true)) {
            Thread.ofPlatform().name(name + "-shutdown").start(Unpinned.unpinned(() -> run(nanos)));
        }
        return ended;
    }

    private void run(long nanos) {
        boolean clean = false;
        try {
            clean = drain(Durations.deadline(nanos));
            members.forEach(GroupLoop::stop);
            clean &= join();
        } catch (Throwable error) {
            failed(error);
        } finally {
            var error = failure;
            if (error == null) {
                ended.complete(clean);
            } else {
                ended.completeExceptionally(error);
            }
        }
    }

    private boolean drain(long deadline) {
        boolean clean = true;
        var open = List.copyOf(servers);
        // All stop accepting before any is waited for.
        var ends = open.stream().map(server -> server.begin(deadline)).toList();
        for (var end : ends) {
            clean &= end.await(deadline + SLACK_NANOS);
        }
        return clean;
    }

    private boolean join() {
        long deadline = Durations.deadline(closeNanos + SLACK_NANOS);
        boolean clean = true;
        for (var member : members) {
            if (!member.join(deadline - System.nanoTime())) {
                clean = false;
                LoopLog.error(
                        "loop " + member.index() + " of group " + name + " is blocked and does not stop",
                        member.where());
                member.interrupt();
                member.join(SLACK_NANOS);
            }
        }
        return clean;
    }
}
