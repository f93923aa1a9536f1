package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.LoopView;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a loop shows to those who look on. */
final class LoopFace implements LoopView {
    private static final AtomicLong IDS = new AtomicLong();

    /** A thread, and the kernel's number of it. */
    private record Place(Thread thread, long id) {}

    private final Scheduler scheduler;
    private final long id = IDS.incrementAndGet();
    private volatile @Nullable Place place;

    LoopFace(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The calling thread begins to run the loop. A foreign loop does this over and over on the same thread. */
    void runsHere() {
        var known = place;
        var thread = Thread.currentThread();
        if (known == null || known.thread != thread) {
            place = new Place(thread, Affinity.threadId());
        }
    }

    @Override
    public String name() {
        return scheduler.loop().options().name();
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean isRunning() {
        return scheduler.isRunning();
    }

    @Override
    public @Nullable Thread thread() {
        return scheduler.loopThread();
    }

    @Override
    public long threadId() {
        var known = place;
        return known != null && known.thread == scheduler.loopThread() ? known.id : 0;
    }

    @Override
    public boolean tasksRideOnLoop() {
        return scheduler.loop().tasksRideOnLoop();
    }

    @Override
    public LoopStatistics statistics() {
        return scheduler.loop().statistics();
    }
}
