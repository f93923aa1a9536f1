package io.github.uvloop4j.affinity;

import java.util.concurrent.ForkJoinPool;

/** Sees to it that a thread that is pinned pins nobody else: see {@link WarmUp} and {@link Sweeper}. */
final class NoLeak implements Binder.Watch {
    /** What the JVM told before the first pin; 0 as long as nothing was pinned. */
    private static volatile int processors;

    private final Binder binder;
    private final Sweeper sweeper;
    private boolean warm;

    NoLeak(Binder binder) {
        this.binder = binder;
        this.sweeper = new Sweeper(binder);
    }

    /** Whether some thread may have been pinned. */
    static boolean isNeeded() {
        return processors > 0;
    }

    static int availableProcessors() {
        int known = processors;
        return known > 0 ? known : Runtime.getRuntime().availableProcessors();
    }

    /** A daemon that keeps nothing of the thread that happens to make it, least of all its CPUs. */
    static Thread daemon(String name, Runnable body) {
        var thread = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(body);
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        return thread;
    }

    @Override
    public synchronized void expect() {
        if (warm) {
            return;
        }
        var thread = daemon("uvloop4j-warm-up", this::warmUp);
        thread.start();
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
        warm = true;
    }

    /** What the JVM takes from the thread that happens to be first, and keeps for good. */
    private void warmUp() {
        binder.settle();
        processors = Runtime.getRuntime().availableProcessors();
        Thread.ofVirtual().start(() -> {});
        ForkJoinPool.commonPool().execute(() -> {});
    }

    @Override
    public void changed() {
        sweeper.arm();
    }
}
