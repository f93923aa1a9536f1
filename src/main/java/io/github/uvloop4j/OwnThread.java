package io.github.uvloop4j;

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
        var started = Thread.ofPlatform()
                .name(loop.options().name())
                .unstarted(() -> scheduler.running().runClaimed(true, () -> {}));
        scheduler.running().claim(started);
        thread = started;
        started.start();
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
            joinFully(own);
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
                .start(() -> {
                    try {
                        scheduler.running().close();
                    } catch (Throwable error) {
                        failure.set(error);
                    }
                });
        joinFully(closer);
        var error = failure.get();
        if (error != null) {
            Throwables.<RuntimeException>sneak(error);
        }
    }

    private static void joinFully(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
