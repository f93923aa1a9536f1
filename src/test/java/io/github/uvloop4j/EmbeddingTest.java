package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.pollfd;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A foreign loop, here poll(2), that drives ours. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class EmbeddingTest {
    private static final short POLLIN = 1;
    private static final int PATIENCE = 20_000;

    private final ArrayList<String> order = new ArrayList<>();

    /** Polls the descriptor for as long as the loop allows; whether it became readable. */
    private static boolean poll(EventLoop loop, int timeout) {
        try (var arena = Arena.ofConfined()) {
            var entry = pollfd.allocate(arena);
            pollfd.fd(entry, loop.backendFd());
            pollfd.events(entry, POLLIN);
            return libc.poll(entry, 1, timeout) > 0;
        }
    }

    private static void drive(EventLoop loop, BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            int timeout = loop.backendTimeout();
            if (!poll(loop, timeout < 0 ? PATIENCE : timeout) && timeout < 0) {
                throw new AssertionError("nothing woke the poll");
            }
            loop.runOnce();
        }
    }

    @Test
    void runOnceDoesNotBlock(EventLoop loop) {
        loop.callLater(Duration.ofHours(1), () -> order.add("never"));
        loop.runOnce();
        loop.runOnce();
        assertThat(order).isEmpty();
    }

    @Test
    void timersFireAndNoneEarly(EventLoop loop) {
        long start = System.nanoTime();
        var took = new long[1];
        loop.callLater(Duration.ofMillis(15), () -> took[0] = System.nanoTime() - start);
        drive(loop, () -> took[0] != 0);
        assertThat(took[0]).isGreaterThanOrEqualTo(15_000_000);
    }

    @Test
    @Tag("cells")
    void aPostWakesThePoll(EventLoop loop) throws Exception {
        loop.runOnce();
        var polling = new CountDownLatch(1);
        var poster = Thread.ofPlatform().start(() -> {
            try {
                polling.await();
            } catch (InterruptedException e) {
                return;
            }
            loop.post(() -> order.add("posted"));
        });
        assertThat(loop.backendTimeout()).isEqualTo(-1);
        polling.countDown();
        assertThat(poll(loop, PATIENCE)).isTrue();
        loop.runOnce();
        poster.join();
        assertThat(order).containsExactly("posted");
    }

    @Test
    void aPostWakesThePollOfALoopThatHasNeverRun(EventLoop loop) throws Exception {
        Thread.ofPlatform().start(() -> loop.post(() -> order.add("posted")));
        drive(loop, () -> !order.isEmpty());
        assertThat(order).containsExactly("posted");
    }

    @Test
    void manyPostsOfOtherThreadsAllArrive(EventLoop loop) throws Exception {
        int count = 20_000;
        var seen = new int[1];
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 2; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < count / 2; i++) {
                    loop.post(() -> seen[0]++);
                    if (i % 100 == 0) {
                        Thread.yield();
                    }
                }
            }));
        }
        drive(loop, () -> seen[0] == count);
        for (var thread : threads) {
            thread.join();
        }
        assertThat(seen[0]).isEqualTo(count);
    }

    @Test
    void aPostWakesThePollAfterAFatalError(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().fatal(error -> true))) {
            loop.runOnce();
            loop.callSoon(() -> {
                throw new IllegalStateException("fatal");
            });
            assertThatThrownBy(loop::runOnce).hasMessage("fatal");
            Thread.ofPlatform()
                    .start(() -> loop.post(() -> order.add("posted")))
                    .join();
            assertThat(poll(loop, PATIENCE)).isTrue();
            loop.runOnce();
            assertThat(order).containsExactly("posted");
        }
    }

    @Test
    @Tag("cells")
    void tasksAndConnectionsWork(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("hello\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            return socket.getInputStream().read();
        });
        var task = loop.spawn(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var line = connection.readLine();
                connection.write("!");
                return line;
            }
        });
        drive(loop, task::isDone);
        assertThat(task.result()).isEqualTo("hello");
        assertThat(peer.result().get()).isEqualTo('!');
    }

    @Test
    void theTimeoutSaysHowLongTheLoopCanWait(EventLoop loop) {
        loop.runOnce();
        assertThat(loop.backendTimeout()).as("nothing to do").isEqualTo(-1);
        var handle = loop.callLater(Duration.ofSeconds(500), () -> order.add("never"));
        assertThat(loop.backendTimeout()).as("a timer").isBetween(1, 500_000);
        loop.callSoon(() -> order.add("ready"));
        assertThat(loop.backendTimeout()).as("a callback").isZero();
        loop.runOnce();
        assertThat(loop.backendTimeout()).as("the timer again").isBetween(1, 500_000);
        handle.cancel();
        loop.runOnce();
        assertThat(loop.backendTimeout()).as("it was cancelled").isEqualTo(-1);
        loop.callAt(loop.time() - 1, () -> order.add("due"));
        assertThat(loop.backendTimeout()).as("a timer that is due").isZero();
        loop.runOnce();
        loop.post(() -> order.add("posted"));
        assertThat(loop.backendTimeout()).as("a post").isZero();
        loop.runOnce();
        assertThat(order).containsExactly("ready", "due", "posted");
    }

    @Test
    void theTimeoutOfTheFarFutureIsInRange(EventLoop loop) {
        loop.callLater(Duration.ofSeconds(Long.MAX_VALUE), () -> order.add("never"));
        loop.runOnce();
        assertThat(loop.backendTimeout()).isPositive();
    }

    @Test
    void twoLoopsCanShareOneForeignLoop(EventLoop loop) throws Exception {
        try (var other = EventLoop.create()) {
            loop.callLater(Duration.ofMillis(3), () -> other.callSoon(() -> order.add("other")));
            other.callLater(Duration.ofMillis(1), () -> order.add("first"));
            while (order.size() < 2) {
                int wait = Math.min(positive(loop.backendTimeout()), positive(other.backendTimeout()));
                poll(loop, Math.min(wait, 5));
                loop.runOnce();
                other.runOnce();
            }
            assertThat(order).containsExactlyInAnyOrder("first", "other");
        }
    }

    private static int positive(int timeout) {
        return timeout < 0 ? Integer.MAX_VALUE : timeout;
    }
}
