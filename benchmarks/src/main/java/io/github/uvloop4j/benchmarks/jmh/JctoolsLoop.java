package io.github.uvloop4j.benchmarks.jmh;

import io.github.uvloop4j.uv.UvAsync;
import io.github.uvloop4j.uv.UvLoop;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A loop whose door is a queue of JCTools, with the same wake-up and the same libuv as ours. */
final class JctoolsLoop {
    private final Queue<Runnable> queue;
    private final AtomicBoolean sleeping = new AtomicBoolean();
    private final CountDownLatch started = new CountDownLatch(1);
    private final Thread thread;
    private @Nullable UvAsync wake;
    private boolean stopping;

    JctoolsLoop(Queue<Runnable> queue) throws InterruptedException {
        this.queue = queue;
        thread = Thread.ofPlatform().name("jctools-loop").start(this::run);
        started.await();
    }

    void post(Runnable action) {
        queue.offer(action);
        if (sleeping.get() && sleeping.compareAndSet(true, false)) {
            Objects.requireNonNull(wake).send();
        }
    }

    private void run() {
        try (var loop = UvLoop.create()) {
            wake = new UvAsync(loop, () -> {});
            started.countDown();
            while (!stopping) {
                // As in our turn: what is there at entry, then one poll.
                for (int count = queue.size(); count > 0; count--) {
                    var action = queue.poll();
                    if (action == null) {
                        break;
                    }
                    action.run();
                }
                boolean block = !stopping && queue.isEmpty();
                if (block) {
                    sleeping.set(true);
                    block = queue.isEmpty();
                }
                loop.run(block ? UvLoop.Mode.ONCE : UvLoop.Mode.NOWAIT);
                sleeping.set(false);
            }
        }
    }

    void end() throws InterruptedException {
        post(() -> stopping = true);
        thread.join();
    }
}
