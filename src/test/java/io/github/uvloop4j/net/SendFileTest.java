package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending files, which the kernel does. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class SendFileTest {
    @TempDir
    Path directory;

    private byte[] content = {};

    private Path file(int size) throws IOException {
        content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(directory.resolve("file"), content);
    }

    private static CompletableFuture<byte[]> reader(Server server) {
        return Peers.client(server.address(), socket -> socket.getInputStream().readAllBytes());
    }

    private static Server serve(EventLoop loop, ConnectionHandler handler) throws Exception {
        return loop.net().startServer(handler, "127.0.0.1", 0).await();
    }

    private static byte[] received(EventLoop loop, CompletableFuture<byte[]> reading) throws Exception {
        return LoopFuture.from(reading).await();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_537, 20_000_000})
    @Tag("cells")
    void sendsAllOfAFile(int size, EventLoop loop) throws Exception {
        var file = file(size);
        loop.run(() -> {
            try (var server = serve(
                    loop, connection -> assertThat(connection.sendFile(file)).isEqualTo(size))) {
                assertThat(received(loop, reader(server))).isEqualTo(content);
            }
        });
    }

    @Test
    @Tag("cells")
    void whatIsWrittenBeforeAndAfterKeepsItsPlace(EventLoop loop) throws Exception {
        var file = file(5_000_000);
        var before = new byte[3_000_000];
        Arrays.fill(before, (byte) 'b');
        loop.run(() -> {
            try (var server = serve(loop, connection -> {
                connection.writeBufferLimits(WriteLimits.high(100_000_000));
                connection.write(before);
                var sending = loop.spawn(() -> connection.sendFile(file));
                loop.spawn(() -> connection.write("after")).await();
                assertThat(sending.await()).isEqualTo(5_000_000);
            })) {
                var all = received(loop, reader(server));
                assertThat(Arrays.copyOf(all, before.length)).isEqualTo(before);
                assertThat(Arrays.copyOfRange(all, before.length, all.length - 5))
                        .isEqualTo(content);
                assertThat(new String(all, all.length - 5, 5)).isEqualTo("after");
            }
        });
    }

    @Test
    void sendsAPartFromAPosition(EventLoop loop) throws Exception {
        var file = file(1000);
        loop.run(() -> {
            try (var server = serve(loop, connection -> {
                assertThat(connection.sendFile(file, 100, 50)).isEqualTo(50);
                assertThat(connection.sendFile(file, 990, 50)).isEqualTo(10);
                assertThat(connection.sendFile(file, 1000, 50)).isZero();
                assertThat(connection.sendFile(file, Long.MAX_VALUE, Long.MAX_VALUE))
                        .isZero();
                assertThat(connection.sendFile(file, 0, 0)).isZero();
            })) {
                var all = received(loop, reader(server));
                assertThat(Arrays.copyOf(all, 50)).isEqualTo(Arrays.copyOfRange(content, 100, 150));
                assertThat(Arrays.copyOfRange(all, 50, 60)).isEqualTo(Arrays.copyOfRange(content, 990, 1000));
                assertThat(all).hasSize(60);
            }
        });
    }

    @Test
    void sendsMoreThanTwoGigabytes(EventLoop loop) throws Exception {
        long size = (1L << 31) + 10;
        var file = directory.resolve("sparse");
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        }
        loop.run(() -> {
            try (var server = serve(
                    loop, connection -> assertThat(connection.sendFile(file)).isEqualTo(size))) {
                var count = Peers.client(server.address(), SendFileTest::count);
                assertThat(LoopFuture.from(count).await()).isEqualTo(size);
            }
        });
    }

    private static long count(Socket socket) throws IOException {
        var buffer = new byte[1 << 20];
        long total = 0;
        for (int n = socket.getInputStream().read(buffer);
                n >= 0;
                n = socket.getInputStream().read(buffer)) {
            total += n;
        }
        return total;
    }

    @Test
    void overAUnixSocketToo(EventLoop loop) throws Exception {
        var file = file(3_000_000);
        var address = UnixDomainSocketAddress.of(directory.resolve("socket"));
        loop.run(() -> {
            try (var _ = loop.net()
                            .startServer(connection -> connection.sendFile(file), address)
                            .await();
                    var client = loop.net().openConnection(address)) {
                assertThat(client.readAll()).isEqualTo(content);
            }
        });
    }

    @Test
    @Tag("cells")
    void aProtocolSendsByItsTransport(EventLoop loop) throws Exception {
        var file = file(5_000_000);
        loop.run(() -> {
            var made = loop.<Transport>createFuture();
            try (var server = loop.net()
                    .createServer(() -> new Made(made), "127.0.0.1", 0)
                    .await()) {
                var reading = reader(server);
                var transport = made.await();
                transport.write("<".getBytes());
                var sending = loop.net().sendFile(transport, file, 0, Long.MAX_VALUE);
                assertThatThrownBy(() -> loop.net().sendFile(transport, file, 0, 1))
                        .isInstanceOf(IllegalStateException.class);
                transport.write(">".getBytes());
                transport.close();
                assertThat(sending.await()).isEqualTo(5_000_000);
                var all = received(loop, reading);
                assertThat(Arrays.copyOfRange(all, 1, all.length - 1)).isEqualTo(content);
                assertThat(all[0]).isEqualTo((byte) '<');
                assertThat(all[all.length - 1]).isEqualTo((byte) '>');
            }
        });
    }

    @Test
    void whatCannotBeReadIsNamedAndTheConnectionGoesOn(EventLoop loop) throws Exception {
        var missing = directory.resolve("missing");
        loop.run(() -> {
            try (var server = serve(loop, connection -> {
                assertThatThrownBy(() -> connection.sendFile(missing))
                        .isInstanceOf(NoSuchFileException.class)
                        .hasMessageContaining("missing");
                assertThatThrownBy(() -> connection.sendFile(directory))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("not a regular file");
                assertThatThrownBy(() -> connection.sendFile(Path.of("/dev/zero")))
                        .isInstanceOf(FileSystemException.class);
                assertThatThrownBy(() -> connection.sendFile(missing, -1, 1))
                        .isInstanceOf(IllegalArgumentException.class);
                connection.write("well");
            })) {
                assertThat(received(loop, reader(server))).asString().isEqualTo("well");
            }
        });
    }

    @Test
    void aPeerThatGoesAwayFailsIt(EventLoop loop) throws Exception {
        var file = file(20_000_000);
        loop.run(() -> {
            var failed = loop.<Throwable>createFuture();
            try (var server = serve(loop, connection -> {
                try {
                    connection.sendFile(file);
                    failed.complete(new AssertionError("it was sent"));
                } catch (IOException expected) {
                    failed.complete(expected);
                }
            })) {
                var client = Peers.client(server.address(), socket -> {
                    socket.getInputStream().read();
                    socket.setSoLinger(true, 0);
                    return 0;
                });
                assertThat(failed.await()).isInstanceOf(IOException.class);
                LoopFuture.from(client).await();
            }
        });
    }

    @Test
    void abortEndsItAtOnceForBothSides(EventLoop loop) throws Exception {
        var file = file(20_000_000);
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var reading = Peers.client(
                        listener.address(), socket -> socket.getInputStream().readAllBytes().length);
                var connection = listener.accept();
                connection.writeBufferLimits(WriteLimits.high(0));
                var sending = loop.spawn(() -> connection.sendFile(file));
                // Its request is with the pool now.
                Thread.yield();
                connection.abort();
                assertThatThrownBy(sending::await).isInstanceOf(ClosedChannelException.class);
                assertThat(LoopFuture.from(reading).await()).isLessThan(20_000_000);
                awaitPool(loop);
            }
        });
    }

    @Test
    void aCancelledTaskStopsItAndNothingOfItFollows(EventLoop loop) throws Exception {
        var file = file(20_000_000);
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var some = new CompletableFuture<Integer>();
                var gate = new CompletableFuture<Integer>();
                var reading = Peers.client(listener.address(), socket -> {
                    var first = socket.getInputStream().readNBytes(100_000);
                    some.complete(1);
                    gate.get();
                    var all = new ByteArrayOutputStream();
                    all.write(first);
                    all.write(socket.getInputStream().readAllBytes());
                    return all.toByteArray();
                });
                try (var connection = listener.accept()) {
                    var sending = loop.spawn(() -> connection.sendFile(file));
                    LoopFuture.from(some).await();
                    sending.cancel();
                    assertThatThrownBy(sending::await).isInstanceOf(CancellationException.class);
                    connection.write("end");
                }
                gate.complete(1);
                var all = received(loop, reading);
                int sent = all.length - 3;
                assertThat(sent).isBetween(100_000, 20_000_000 - 1);
                assertThat(all).endsWith("end".getBytes());
                assertThat(Arrays.copyOf(all, sent)).isEqualTo(Arrays.copyOf(content, sent));
            }
        });
    }

    @Test
    @Tag("cells")
    void peersThatDoNotReadHoldNobodyUp(EventLoop loop) throws Exception {
        var file = file(20_000_000);
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                var gate = new CompletableFuture<Integer>();
                var peers = new ArrayList<CompletableFuture<Integer>>();
                var connections = new ArrayList<Connection>();
                var sending = new ArrayList<Task<Long>>();
                for (int i = 0; i < 6; i++) {
                    peers.add(Peers.client(listener.address(), socket -> {
                        gate.get();
                        return socket.getInputStream().readAllBytes().length;
                    }));
                    var connection = listener.accept();
                    connections.add(connection);
                    sending.add(loop.spawn(() -> connection.sendFile(file)));
                }
                var reading = Peers.client(
                        listener.address(), socket -> socket.getInputStream().readAllBytes());
                try (var connection = listener.accept()) {
                    assertThat(connection.sendFile(file)).isEqualTo(20_000_000);
                }
                assertThat(received(loop, reading)).isEqualTo(content);
                for (int i = 0; i < 6; i++) {
                    connections.get(i).abort();
                    assertThatThrownBy(sending.get(i)::await).isInstanceOf(ClosedChannelException.class);
                }
                gate.complete(1);
                for (var peer : peers) {
                    assertThat(LoopFuture.from(peer).await()).isLessThan(20_000_000);
                }
            }
        });
    }

    private static CompletableFuture<byte[]> secureReader(Server server) {
        return TlsPeers.client(
                server.address(), socket -> socket.getInputStream().readAllBytes());
    }

    @Test
    @Tag("cells")
    void overTlsItIsReadAndWritten(EventLoop loop) throws Exception {
        var file = file(3_000_001);
        loop.run(() -> {
            var options = ServerOptions.defaults().tls(TestTls.server());
            try (var server = loop.net()
                    .startServer(
                            connection -> {
                                connection.write("<");
                                assertThat(connection.sendFile(file)).isEqualTo(3_000_001);
                                connection.write(">");
                                assertThatThrownBy(() -> connection.sendFile(directory.resolve("missing")))
                                        .isInstanceOf(NoSuchFileException.class);
                            },
                            "127.0.0.1",
                            0,
                            options)
                    .await()) {
                expectBetweenMarks(received(loop, secureReader(server)));
            }
        });
    }

    private void expectBetweenMarks(byte[] all) {
        assertThat(all).startsWith('<').endsWith('>');
        assertThat(Arrays.copyOfRange(all, 1, all.length - 1)).isEqualTo(content);
    }

    @Test
    @Tag("cells")
    void aProtocolOverTlsKeepsTheOrder(EventLoop loop) throws Exception {
        var file = file(3_000_001);
        loop.run(() -> {
            var made = loop.<Transport>createFuture();
            var options = ServerOptions.defaults().tls(TestTls.server());
            try (var server = loop.net()
                    .createServer(() -> new Made(made), "127.0.0.1", 0, options)
                    .await()) {
                var reading = secureReader(server);
                var transport = made.await();
                transport.write("<".getBytes());
                var sending = loop.net().sendFile(transport, file, 0, Long.MAX_VALUE);
                assertThatThrownBy(() -> loop.net().sendFile(transport, file, 0, 1))
                        .isInstanceOf(IllegalStateException.class);
                transport.write(">".getBytes());
                transport.close();
                assertThat(sending.await()).isEqualTo(3_000_001);
                expectBetweenMarks(received(loop, reading));
            }
        });
    }

    @Test
    void abortEndsItUnderTlsToo(EventLoop loop) throws Exception {
        var file = file(20_000_000);
        loop.run(() -> {
            var made = loop.<Transport>createFuture();
            var options = ServerOptions.defaults().tls(TestTls.server());
            try (var server = loop.net()
                    .createServer(() -> new Made(made), "127.0.0.1", 0, options)
                    .await()) {
                var gate = new CompletableFuture<Integer>();
                var peer = TlsPeers.client(server.address(), socket -> {
                    socket.startHandshake();
                    return gate.get();
                });
                var transport = made.await();
                var sending = loop.net().sendFile(transport, file, 0, Long.MAX_VALUE);
                transport.abort();
                assertThatThrownBy(sending::await).isInstanceOf(ClosedChannelException.class);
                gate.complete(1);
                LoopFuture.from(peer).await();
                awaitPool(loop);
            }
        });
    }

    /** What a thread of the pool is at work on ends by itself. */
    private static void awaitPool(EventLoop loop) throws Exception {
        while (loop.uv().pendingRequests() > 0) {
            Task.sleep(Duration.ofMillis(1));
        }
    }

    private record Made(LoopFuture<Transport> made) implements Protocol {
        @Override
        public void connectionMade(Transport transport) {
            made.complete(transport);
        }

        @Override
        public void dataReceived(ByteBuffer data) {}
    }
}
