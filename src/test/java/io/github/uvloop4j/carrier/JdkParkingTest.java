package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls of the JDK that park, in tasks. What ends each wait is another task or callback of the same loop, so that one
 * that blocked the loop would wait for ever.
 */
@Tag("carrier")
@Timeout(30)
@ExtendWith(LoopExtension.class)
class JdkParkingTest {
    /** The JDK's pollers of virtual threads open descriptors that stay. */
    @BeforeAll
    static void startPollers() throws Exception {
        var reader = new CompletableFuture<Thread>();
        var served = Peers.server(socket -> {
            Until.holds("the other side is parked", () -> Until.waits(reader.join()));
            socket.getOutputStream().write(1);
            return true;
        });
        reader.complete(Thread.ofVirtual().start(() -> {
            try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), served.port())) {
                socket.getInputStream().read();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }));
        served.result().join();
        reader.join().join();
    }

    @Test
    void sleepLetsTheLoopGoOn(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            loop.callLater(Duration.ofMillis(1), () -> order.add("callback"));
            Thread.sleep(50);
            order.add("slept");
        });
        assertThat(order).containsExactly("callback", "slept");
    }

    @Test
    void blockingQueueParksTheTask(EventLoop loop) throws Exception {
        var queue = new LinkedBlockingQueue<String>();
        assertThat(loop.<String>run(() -> {
                    loop.spawn(() -> queue.put("x"));
                    return queue.take();
                }))
                .isEqualTo("x");
    }

    @Test
    void bothSidesOfASynchronousQueueAreTasks(EventLoop loop) throws Exception {
        var queue = new SynchronousQueue<Integer>();
        var got = loop.<List<Integer>>run(() -> {
            loop.spawn(() -> {
                for (int i = 0; i < 100; i++) {
                    queue.put(i);
                }
            });
            var all = new ArrayList<Integer>();
            while (all.size() < 100) {
                all.add(queue.take());
            }
            return all;
        });
        assertThat(got).hasSize(100).isSorted();
    }

    @Test
    void callbackEndsALatch(EventLoop loop) throws Exception {
        var latch = new CountDownLatch(1);
        loop.run(() -> {
            loop.callSoon(latch::countDown);
            latch.await();
        });
        assertThat(latch.getCount()).isZero();
    }

    @Test
    void callbackCompletesACompletableFuture(EventLoop loop) throws Exception {
        var future = new CompletableFuture<String>();
        assertThat(loop.<String>run(() -> {
                    loop.callSoon(() -> future.complete("x"));
                    return future.get();
                }))
                .isEqualTo("x");
    }

    @Test
    void lockHeldOverAnAwaitParksTheOther(EventLoop loop) throws Exception {
        var lock = new ReentrantLock();
        var order = new ArrayList<String>();
        loop.run(() -> {
            var first = loop.spawn(() -> {
                lock.lock();
                nextTurns(loop, 3);
                order.add("first");
                lock.unlock();
            });
            var second = loop.spawn(() -> {
                lock.lock();
                order.add("second");
                lock.unlock();
            });
            first.await();
            second.await();
        });
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void monitorHeldOverAnAwaitParksTheOther(EventLoop loop) throws Exception {
        var monitor = new Object();
        var order = new ArrayList<String>();
        loop.run(() -> {
            var first = loop.spawn(() -> {
                synchronized (monitor) {
                    nextTurns(loop, 3);
                    order.add("first");
                }
            });
            var second = loop.spawn(() -> {
                synchronized (monitor) {
                    order.add("second");
                }
            });
            first.await();
            second.await();
        });
        assertThat(order).containsExactly("first", "second");
    }

    private static void nextTurns(EventLoop loop, int turns) throws Exception {
        for (int i = 0; i < turns; i++) {
            var turn = loop.<Boolean>createFuture();
            loop.callSoon(() -> turn.complete(true));
            turn.await();
        }
    }

    @Test
    void waitAndNotifyBetweenTasks(EventLoop loop) throws Exception {
        var monitor = new Object();
        var order = new ArrayList<String>();
        loop.run(() -> {
            loop.spawn(() -> {
                synchronized (monitor) {
                    order.add("notify");
                    monitor.notifyAll();
                }
            });
            synchronized (monitor) {
                while (order.isEmpty()) {
                    monitor.wait();
                }
                order.add("woken");
            }
        });
        assertThat(order).containsExactly("notify", "woken");
    }

    @Test
    void joiningATaskParks(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            var task = loop.spawn(() -> order.add("task"));
            task.thread().join();
            order.add("joined");
        });
        assertThat(order).containsExactly("task", "joined");
    }

    @Test
    void socketsOfTheJdkBetweenTwoTasks(EventLoop loop) throws Exception {
        var echoed = loop.<String>run(() -> {
            try (var listening = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"))) {
                loop.spawn(() -> {
                    try (var socket = listening.accept()) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    }
                });
                try (var socket = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
                    socket.getOutputStream().write("hello".getBytes());
                    socket.shutdownOutput();
                    return new String(socket.getInputStream().readAllBytes());
                }
            }
        });
        assertThat(echoed).isEqualTo("hello");
    }

    @Test
    void virtualThreadThatATaskStartsIsNotOnTheLoop(EventLoop loop) throws Exception {
        var seen = new LinkedBlockingQueue<Boolean>();
        var child = loop.<Thread>run(() -> {
            var thread = Thread.ofVirtual().start(() -> {
                Thread.yield();
                seen.add(loop.inLoop());
            });
            spinUntil(() -> !seen.isEmpty());
            return thread;
        });
        child.join();
        assertThat(seen).containsExactly(false);
    }

    @Test
    void executorOfATaskIsNotOnTheLoop(EventLoop loop) throws Exception {
        var done = new AtomicBoolean();
        var waited = loop.<Boolean>run(() -> {
            var future = loop.runInExecutor(() -> {
                Thread.sleep(1);
                done.set(true);
                return loop.inLoop();
            });
            spinUntil(done::get);
            return future.await();
        });
        assertThat(waited).isFalse();
    }

    /** Holds the loop thread: what is waited for must come from elsewhere. */
    private static void spinUntil(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    @Test
    void taskIsOnTheLoopAgainAfterEachPark(EventLoop loop) throws Exception {
        var seen = loop.<List<Boolean>>run(() -> {
            var on = new ArrayList<Boolean>();
            Thread.sleep(1);
            on.add(loop.inLoop());
            Thread.yield();
            on.add(loop.inLoop());
            var queue = new LinkedBlockingQueue<String>();
            Thread.ofVirtual().start(() -> queue.add("x"));
            queue.take();
            on.add(loop.inLoop());
            return on;
        });
        assertThat(seen).containsExactly(true, true, true);
    }
}
