package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Unpinned;
import io.github.uvloop4j.carrier.Monitors;
import io.github.uvloop4j.concurrent.Throwables;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The thread that a loop has of its own, if it was started; and the way to close a loop from any thread. */
final class OwnThread {
    private final Scheduler scheduler;
    private @Nullable Thread thread;

    OwnThread(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    synchronized void start() {
        var loop = scheduler.loop();
        if (thread != null) {
            throw new IllegalStateException(loop + " was started already");
        }
        var handshake = new LoopPinning.Handshake();
        Runnable run = () -> scheduler.running().runClaimed(true, () -> {});
        var started = Thread.ofPlatform()
                .name(loop.options().name())
                .unstarted(Unpinned.unpinned(() -> handshake.run(loop.options().pinning(), run)));
        scheduler.running().claim(started);
        thread = started;
        started.start();
        if (!loop.options().pinning().isNone()) {
            awaitPinned(handshake, started);
        }
    }

    private void awaitPinned(LoopPinning.Handshake handshake, Thread started) {
        boolean pinned = false;
        try {
            handshake.await();
            pinned = true;
        } finally {
            if (!pinned) {
                Threads.joinFully(started);
                thread = null;
                scheduler.running().abandon();
            }
        }
    }

    private synchronized @Nullable Thread thread() {
        return thread;
    }

    void close() {
        var own = thread();
        boolean onBaton = !scheduler.loop().tasksRideOnLoop();
        if (own != null && !scheduler.inLoop()) {
            scheduler.running().stop();
            if (onBaton) {
                // A JDK call that parks a task on the baton holds up the loop, which could not stop.
                scheduler.tasks().live().forEach(task -> task.thread().interrupt());
            }
            Threads.joinFully(own);
        }
        if (Thread.currentThread().isVirtual() || (!onBaton && Monitors.held() != null)) {
            closeElsewhere();
        } else {
            scheduler.running().close();
        }
    }

    /** The last steps of tasks cannot run on a virtual thread, nor inside synchronized. */
    private void closeElsewhere() {
        var failure = new AtomicReference<@Nullable Throwable>();
        var closer = Thread.ofPlatform()
                .name(scheduler.loop().options().name() + "-close")
                .start(Unpinned.unpinned(() -> {
                    try {
                        scheduler.running().close();
                    } catch (Throwable error) {
                        failure.set(error);
                    }
                }));
        Threads.joinFully(closer);
        var error = failure.get();
        if (error != null) {
            Throwables.<RuntimeException>sneak(error);
        }
    }
}
