package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handshakes that fail leave nothing behind. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class TlsLeakTest {
    private static final byte[] GARBAGE = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] HALF = {22, 3, 1, 2, 0, 1};

    private static long usedHeap() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Clients that say nothing, garbage or half a message, and end with a reset or in order. */
    private static CompletableFuture<Object> badClients(SocketAddress server, int count) {
        var done = new CompletableFuture<Object>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    try (var socket = new Socket()) {
                        socket.connect(server);
                        if (i % 3 > 0) {
                            socket.getOutputStream().write(i % 3 == 1 ? GARBAGE : HALF);
                        }
                        socket.setSoLinger(i % 2 == 0, 0);
                    }
                }
                done.complete("");
            } catch (IOException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    @Test
    void aServerForgetsClientsThatDidNotShakeHands(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createServer(
                            () -> new Recorder(loop),
                            "localhost",
                            0,
                            ServerOptions.defaults().tls(TestTls.server()))
                    .await();
            Recorder.await(loop, badClients(server.address(), 200));
            Recorder.until(loop, () -> server.clientCount() == 0);
            long before = usedHeap();
            int handles = loop.uv().openHandles().size();
            Recorder.await(loop, badClients(server.address(), 800));
            Recorder.until(loop, () -> server.clientCount() == 0);
            assertThat(server.acceptedCount()).isEqualTo(1_000);
            assertThat(usedHeap() - before).isLessThan(8 << 20);
            assertThat(loop.uv().openHandles()).hasSizeLessThanOrEqualTo(handles);
            server.close();
        });
    }

    @Test
    void aClientForgetsServersThatDidNotShakeHands(EventLoop loop) throws Exception {
        loop.run(() -> {
            var options = ConnectOptions.defaults().tls(TestTls.client());
            var server = loop.net()
                    .startServer(connection -> connection.write(GARBAGE), "localhost", 0)
                    .await();
            long before = 0;
            for (int i = 0; i < 150; i++) {
                if (i == 50) {
                    before = usedHeap();
                }
                assertThatThrownBy(() -> loop.net().openConnection("localhost", server.port(), options))
                        .isInstanceOf(IOException.class);
            }
            assertThat(usedHeap() - before).isLessThan(8 << 20);
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void closingALoopEndsHandshakes() throws Exception {
        var peer = Peers.server(socket -> {
            while (socket.getInputStream().read() >= 0) {}
            return "gone";
        });
        try (var loop = EventLoop.create()) {
            var options = ConnectOptions.defaults().tls(TestTls.client());
            loop.run(() -> {
                loop.net().createConnection(() -> new Recorder(loop), "localhost", peer.port(), options);
                Recorder.until(loop, () -> loop.statistics().io().opened() > 0);
            });
        }
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("gone");
    }
}
