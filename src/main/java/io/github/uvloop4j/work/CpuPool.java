package io.github.uvloop4j.work;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.Unpinned;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's one pool for calls that compute, shared by all loops: as many daemon threads as there were processors at
 * its first use, named {@code uvloop4j-cpu-1} and so on. Calls start in the order in which they came. Threads start
 * when they are needed and end when they have been idle for a minute.
 */
public final class CpuPool {
    private static final String NAME = "uvloop4j-cpu-";
    private static final AtomicInteger QUEUED = new AtomicInteger();
    private static final AtomicInteger RUNNING = new AtomicInteger();

    private CpuPool() {}

    /**
     * What the pool does now.
     *
     * @param threads how many calls can run at the same time
     * @param running how many run
     * @param queued how many wait for their turn, those that were cancelled not counted
     */
    public record Statistics(int threads, int running, int queued) {}

    /** What the pool does now. Any thread. */
    public static Statistics statistics() {
        return new Statistics(Threads.POOL.getMaximumPoolSize(), RUNNING.get(), QUEUED.get());
    }

    static AtomicInteger queue() {
        return QUEUED;
    }

    static void execute(Runnable call) {
        Threads.POOL.execute(call);
    }

    private static final class Threads extends ThreadPoolExecutor {
        static final Threads POOL = new Threads(Affinity.availableProcessors());

        private Threads(int count) {
            // A queue without locks: a task must not park while it holds one that the loop thread may want.
            super(
                    count,
                    count,
                    1,
                    TimeUnit.MINUTES,
                    new LinkedTransferQueue<>(),
                    unpinned(Thread.ofPlatform()
                            .daemon()
                            .name(NAME, 1)
                            .inheritInheritableThreadLocals(false)
                            .factory()));
            allowCoreThreadTimeOut(true);
        }

        private static ThreadFactory unpinned(ThreadFactory factory) {
            return body -> factory.newThread(Unpinned.unpinned(body));
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable call) {
            RUNNING.incrementAndGet();
        }

        @Override
        protected void afterExecute(Runnable call, @Nullable Throwable error) {
            RUNNING.decrementAndGet();
        }
    }
}
