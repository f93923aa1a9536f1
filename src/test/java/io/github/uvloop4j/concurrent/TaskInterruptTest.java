package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cancel that finds a task in a call of the JDK that parks. */
@Timeout(60)
@Tag("carrier")
@ExtendWith(LoopExtension.class)
class TaskInterruptTest {
    private final ArrayList<String> order = new ArrayList<>();

    /** The JDK opens descriptors of its own, once, when a virtual thread first waits for a socket. */
    @BeforeAll
    static void warmUp() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var accepting = new CountDownLatch(1);
            var thread = Thread.ofVirtual().start(() -> {
                accepting.countDown();
                try {
                    server.accept().close();
                } catch (IOException closed) {
                    // As it must be.
                }
            });
            accepting.await();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            thread.interrupt();
            thread.join();
        }
    }

    private interface Blocks {
        void run() throws Exception;
    }

    /** Cancels a task that is in a blocking call, and returns it when it has ended. */
    private static Task<?> cancelled(EventLoop loop, Blocks blocks) throws Exception {
        return loop.<Task<?>>run(() -> {
            var task = loop.spawn(blocks::run);
            for (int i = 0; i < 3; i++) {
                var turn = loop.<String>createFuture();
                loop.callSoon(() -> turn.complete("x"));
                turn.await();
            }
            task.cancel();
            task.handle((value, error) -> error).await();
            return task;
        });
    }

    @Test
    void interruptsSleep(EventLoop loop) throws Exception {
        var task = cancelled(loop, () -> Thread.sleep(50_000));
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.failureOrNull()).hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void interruptsABlockingQueue(EventLoop loop) throws Exception {
        var queue = new SynchronousQueue<String>();
        assertThat(cancelled(loop, queue::take).isCancelled()).isTrue();
    }

    @Test
    void interruptsALatch(EventLoop loop) throws Exception {
        var latch = new CountDownLatch(1);
        assertThat(cancelled(loop, latch::await).isCancelled()).isTrue();
    }

    @Test
    void interruptsALockThatCanBeInterrupted(EventLoop loop) throws Exception {
        var lock = new ReentrantLock();
        var held = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var holder = Thread.ofPlatform().start(() -> {
            lock.lock();
            held.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        });
        held.await();
        assertThat(cancelled(loop, lock::lockInterruptibly).isCancelled()).isTrue();
        release.countDown();
        holder.join();
    }

    @Test
    void interruptsASocketOfTheJdk(EventLoop loop) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var task = cancelled(loop, () -> server.accept().close());
            assertThat(task.isDone()).isTrue();
            assertThat(task.failureOrNull()).isNotNull();
        }
    }

    @Test
    void leavesNoFlagBehindForTheNextAwait(EventLoop loop) throws Exception {
        var task = cancelled(loop, () -> {
            try {
                Thread.sleep(50_000);
            } catch (InterruptedException e) {
                order.add("interrupted " + Thread.currentThread().isInterrupted());
            }
            var turn = loop.<String>createFuture();
            loop.callSoon(() -> turn.complete("awaited"));
            order.add(turn.await());
        });
        assertThat(order).containsExactly("interrupted false", "awaited");
        assertThat(task.failureOrNull()).isNull();
    }

    @Test
    void arrivesAtTheNextAwaitWhenNothingWasInterrupted(EventLoop loop) throws Exception {
        var task = cancelled(loop, () -> {
            for (int i = 0; i < 100; i++) {
                Thread.yield();
            }
            try {
                loop.createFuture().await();
            } catch (CancellationException e) {
                order.add("cancelled " + Thread.currentThread().isInterrupted());
                throw e;
            }
        });
        assertThat(order).containsExactly("cancelled false");
        assertThat(task.isCancelled()).isTrue();
    }
}
