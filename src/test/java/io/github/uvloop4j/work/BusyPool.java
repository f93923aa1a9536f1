package io.github.uvloop4j.work;

import io.github.uvloop4j.testing.Until;
import java.util.concurrent.CountDownLatch;

/** Occupies every thread of the CPU pool until it is closed. */
final class BusyPool implements AutoCloseable {
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch ended;

    BusyPool() throws InterruptedException {
        int threads = CpuPool.statistics().threads();
        var started = new CountDownLatch(threads);
        ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            CpuPool.execute(() -> {
                started.countDown();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                } finally {
                    ended.countDown();
                }
            });
        }
        started.await();
    }

    @Override
    public void close() {
        free();
    }

    /** Lets the threads go on with what waits. */
    void free() {
        release.countDown();
        Until.holds("the pool's threads are free", () -> ended.getCount() == 0);
    }
}
