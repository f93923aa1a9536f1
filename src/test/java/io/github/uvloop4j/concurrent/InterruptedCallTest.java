package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls of the JDK that answer to a cancel with exceptions of their own, and tasks that hold up each other. */
@org.junit.jupiter.api.Timeout(60)
class InterruptedCallTest {
    private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

    private Peers.Listening<?> silent() throws IOException {
        return Peers.server(socket -> {
            over.join();
            return socket;
        });
    }

    private static void run(TaskBody body) throws Exception {
        EventLoop.run(loop -> body.run());
    }

    @Test
    @Tag("carrier")
    void aSocketThatALimitInterruptsEndsInATimeout() throws Exception {
        var peer = silent();
        run(() -> assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(20)).call(limit -> {
                    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), peer.port())) {
                        return socket.getInputStream().read();
                    }
                }))
                .isInstanceOf(TimeoutException.class)
                .hasCauseInstanceOf(SocketException.class));
        over.complete(null);
        peer.result().join();
    }

    @Test
    @Tag("carrier")
    void aChannelToo() throws Exception {
        var peer = silent();
        run(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ofMillis(20)).call(limit -> {
                        try (var channel = SocketChannel.open(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), peer.port()))) {
                            return channel.read(ByteBuffer.allocate(1));
                        }
                    }))
                    .isInstanceOf(TimeoutException.class);
            Task.sleep(Duration.ofMillis(1));
        });
        over.complete(null);
        peer.result().join();
    }

    @Test
    @Tag("carrier")
    void aSiblingCutOffInASocketIsNoFailureOfItsGroup() throws Exception {
        var peer = silent();
        run(() -> assertThatThrownBy(() -> TaskGroup.run(group -> {
                    group.spawn(() -> {
                        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), peer.port())) {
                            return socket.getInputStream().read();
                        }
                    });
                    group.spawn(() -> {
                        Task.sleep(Duration.ofMillis(20));
                        throw new IOException("first");
                    });
                }))
                .isInstanceOfSatisfying(
                        TaskGroupException.class, e -> assertThat(e.failures()).hasSize(1)));
        over.complete(null);
        peer.result().join();
    }

    @Test
    void aTimeoutOfASocketIsNoCancel() {
        assertThat(Interrupts.isCancel(new SocketTimeoutException("x"))).isFalse();
        assertThat(Interrupts.isCancel(new SocketException("Connection reset"))).isFalse();
        assertThat(Interrupts.isCancel(new IOException("x"))).isFalse();
    }

    @Test
    void tasksThatAwaitEachOtherAreReported() throws Exception {
        var reports = new CopyOnWriteArrayList<String>();
        try (var loop = EventLoop.create(
                LoopOptions.defaults().cancelGrace(Duration.ofMillis(20)).closeTimeout(Duration.ofMillis(100)))) {
            loop.exceptionHandler(context -> {
                reports.add(context.message());
                loop.stop();
            });
            var tasks = new Task<?>[2];
            tasks[0] = loop.spawn("ping", () -> tasks[1].await());
            tasks[1] = loop.spawn("pong", () -> tasks[0].await());
            loop.callLater(Duration.ofMillis(1), () -> tasks[0].cancel());
            loop.runForever();
        }
        assertThat(reports).anyMatch(message -> message.contains("has not ended"));
    }
}
