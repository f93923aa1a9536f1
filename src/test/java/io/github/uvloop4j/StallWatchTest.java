package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class StallWatchTest {
    private final BlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();

    private EventLoop watched(Duration limit) {
        var loop = EventLoop.create(LoopOptions.defaults().stallLimit(limit));
        loop.stallHandler(stalls::add);
        return loop;
    }

    /** Keeps the loop until the watch has seen it; returns what it saw. */
    private Stall block() throws InterruptedException {
        var stall = stalls.poll(30, TimeUnit.SECONDS);
        assertThat(stall).as("a stall").isNotNull();
        return stall;
    }

    private static boolean isAt(Stall stall, String method) {
        return Arrays.stream(stall.where().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().contains(method));
    }

    @Test
    @Tag("cells")
    void aBlockedCallIsReportedWhileItRunsWithItsStack() throws Exception {
        try (var loop = watched(Duration.ofMillis(50))) {
            var seen = onBareLoop(loop, this::block);
            assertThat(seen.loop()).isSameAs(loop);
            assertThat(seen.lasted()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
            assertThat(isAt(seen, "block")).isTrue();
            assertThat(seen.message()).startsWith("slow: ").contains("has kept uvloop4j");
        }
    }

    @Test
    void aStepOfATaskIsReportedByItsName() throws Exception {
        try (var loop = watched(Duration.ofMillis(50))) {
            loop.run(() -> {
                var task = loop.spawn("reader", () -> {
                    while (stalls.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    return block();
                });
                var stall = task.await();
                assertThat(stall.what()).contains("reader");
                assertThat(isAt(stall, "onSpinWait") || isAt(stall, "aStepOfATask"))
                        .isTrue();
            });
        }
    }

    @Test
    void aCallbackOfAnEventIsReported() throws Exception {
        try (var loop = watched(Duration.ofMillis(50))) {
            loop.run(() -> {
                var seen = loop.<Stall>createFuture();
                var server = loop.net()
                        .createServer(() -> new BlockingProtocol(seen), "127.0.0.1", 0)
                        .await();
                var peer = Peers.client(server.address(), client -> {
                    client.getOutputStream().write(1);
                    return client.getInputStream().read();
                });
                var stall = seen.await();
                assertThat(stall.what()).isEqualTo("a callback");
                assertThat(isAt(stall, "dataReceived")).isTrue();
                server.abortClients();
                server.close();
                loop.runInExecutor(() -> peer.handle((read, error) -> read).get())
                        .await();
            });
        }
    }

    private final class BlockingProtocol implements Protocol {
        private final LoopFuture<Stall> seen;

        BlockingProtocol(LoopFuture<Stall> seen) {
            this.seen = seen;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            try {
                seen.complete(block());
            } catch (InterruptedException e) {
                seen.completeExceptionally(e);
            }
        }
    }

    @Test
    void oneStallIsReportedOnce() throws Exception {
        try (var loop = watched(Duration.ofMillis(30))) {
            var first = onBareLoop(loop, () -> {
                var stall = block();
                new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS); // three limits more
                return stall;
            });
            assertThat(first.what()).startsWith("callback ").doesNotContain("done");
            assertThat(stalls).isEmpty();
        }
    }

    private static <T> T onBareLoop(EventLoop loop, Callable<T> body) throws Exception {
        return loop.run(() -> {
            var result = loop.<T>createFuture();
            loop.callSoon(() -> {
                try {
                    result.complete(body.call());
                } catch (Exception e) {
                    result.completeExceptionally(e);
                }
            });
            return result.await();
        });
    }

    @Test
    void withoutALimitNothingIsReported() throws Exception {
        try (var loop = watched(Duration.ZERO)) {
            onBareLoop(loop, () -> new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS));
            assertThat(stalls).isEmpty();
        }
    }

    @Test
    void aLoopThatWaitsForEventsIsNotStalled() throws Exception {
        try (var loop = watched(Duration.ofMillis(30))) {
            loop.run(() -> {
                var woken = loop.createFuture();
                loop.callLater(Duration.ofMillis(300), () -> woken.complete(null));
                woken.await();
            });
            assertThat(stalls).isEmpty();
        }
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, null, -1);
    }

    @Test
    void linkingCodeIsToldFromCallsOfTheUsers() {
        var user = frame("com.example.Handler", "handle");
        var linking = frame("java.lang.invoke.MethodHandleNatives", "linkCallSite");
        var loading = frame("jdk.internal.loader.BuiltinClassLoader", "loadClass");
        var park = frame("java.util.concurrent.locks.LockSupport", "park");
        assertThat(WatchedLoop.warmsUp(new StackTraceElement[] {linking, user})).isTrue();
        assertThat(WatchedLoop.warmsUp(new StackTraceElement[] {park, loading, user}))
                .isTrue();
        assertThat(WatchedLoop.warmsUp(new StackTraceElement[] {park, user, loading}))
                .isFalse();
        assertThat(WatchedLoop.warmsUp(new StackTraceElement[] {park})).isFalse();
        assertThat(WatchedLoop.warmsUp(new StackTraceElement[0])).isFalse();
    }

    @Test
    void collectingALargeHeapBlamesNobody() throws Exception {
        var result = new ChildJvm()
                .flag("-XX:+UseSerialGC")
                .flag("-Xmx1g")
                .flag("-Xms1g")
                .run(StallGcMain.class);
        assertThat(result.output()).contains("stalls 0 ");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void aHandlerThatFailsDoesNotEndTheWatch() throws Exception {
        try (var loop = watched(Duration.ofMillis(30))) {
            var told = new CountDownLatch(1);
            loop.stallHandler(stall -> {
                told.countDown();
                throw new IllegalStateException("broken handler");
            });
            assertThat(onBareLoop(loop, () -> told.await(30, TimeUnit.SECONDS))).isTrue();
            loop.stallHandler(stalls::add);
            assertThat(onBareLoop(loop, this::block).loop()).isSameAs(loop);
        }
    }
}
