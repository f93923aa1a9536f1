package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Connections over Unix sockets: what they have of TCP's, and where they differ. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class UnixConnectionTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private UnixDomainSocketAddress address;

    @BeforeEach
    void choose() {
        address = UnixDomainSocketAddress.of(directory.resolve("socket"));
    }

    @Test
    @Tag("cells")
    void aHundredClientsAreServed(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .startServer(connection -> connection.transferTo(connection), address)
                    .await();
            var clients = new ArrayList<Task<Integer>>();
            for (int i = 0; i < 100; i++) {
                byte mark = (byte) i;
                clients.add(loop.spawn(() -> {
                    try (var client = loop.net().openConnection(address)) {
                        var data = new byte[100_000];
                        Arrays.fill(data, mark);
                        var reading = loop.spawn(() -> client.readExactly(data.length));
                        client.write(data);
                        assertThat(reading.await()).isEqualTo(data);
                        return 1;
                    }
                }));
            }
            int served = 0;
            for (var client : clients) {
                served += client.await();
            }
            assertThat(served).isEqualTo(100);
            assertThat(server.acceptedCount()).isEqualTo(100);
            server.close();
            server.waitClosed().await();
        });
    }

    @Test
    @Tag("cells")
    void aProtocolIsToldAllThatHappens(EventLoop loop) throws Exception {
        loop.run(() -> {
            var accepted = new ArrayList<Recorder>();
            var server = loop.net()
                    .createServer(
                            () -> {
                                accepted.add(new Recorder(loop).keepWriting());
                                return accepted.getLast();
                            },
                            address)
                    .await();
            var client = loop.net()
                    .createConnection(() -> new Recorder(loop), address)
                    .await();
            client.transport().write("ping".getBytes());
            client.transport().writeEof();
            var served = accepted.getFirst();
            served.eof.await(Recorder.LIMIT);
            assertThat(served.received).asString().isEqualTo("ping");
            served.made.resultNow().close();
            client.protocol().lost.await(Recorder.LIMIT);
            served.lost.await(Recorder.LIMIT);
            assertThat(served.events).containsExactly("made", "data", "eof", "lost");
            assertThat(served.cause).isNull();
            assertThat(client.protocol().cause).isNull();
            server.close();
        });
    }

    @Test
    void bothSidesKnowTheirNames(EventLoop loop) throws Exception {
        var from = AbstractAddress.of("from " + directory);
        loop.run(() -> {
            try (var listener = loop.net().listen(address);
                    var plain = loop.net().openConnection(address);
                    var first = listener.accept();
                    var named = loop.net()
                            .openConnection(address, ConnectOptions.defaults().localAddress(from));
                    var second = listener.accept()) {
                assertThat(plain.peerAddress()).isEqualTo(address);
                assertThat(plain.localAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
                assertThat(first.localAddress()).isEqualTo(address);
                assertThat(first.peerAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
                assertThat(named.localAddress()).isEqualTo(from);
                assertThat(second.peerAddress()).isEqualTo(from);
            }
        });
    }

    @Test
    void namesStayKnownAfterClose(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                var client = loop.net().openConnection(address);
                client.close();
                client.waitClosed().await();
                assertThat(client.peerAddress()).isEqualTo(address);
                listener.accept().close();
            }
        });
    }

    @Test
    void aMissingPathIsNotFound(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().openConnection(address))
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(address.toString());
            assertThatThrownBy(() -> loop.net()
                            .createConnection(() -> new Recorder(loop), address)
                            .await())
                    .isInstanceOf(FileNotFoundException.class);
        });
    }

    @Test
    void aPathWhereNobodyListensRefuses(EventLoop loop) throws Exception {
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(address);
        }
        var file = Files.createFile(directory.resolve("file"));
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().openConnection(address)).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> loop.net().openConnection(UnixDomainSocketAddress.of(file)))
                    .isInstanceOf(ConnectException.class);
        });
    }

    /** Not on a virtual thread: the JDK would keep descriptors to wait for all of them. */
    private static LoopFuture<SocketChannel> acceptElsewhere(ServerSocketChannel server) {
        var accepted = new LoopFuture<SocketChannel>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                accepted.complete(server.accept());
            } catch (IOException e) {
                accepted.completeExceptionally(e);
            }
        });
        return accepted;
    }

    @Test
    @Tag("cells")
    void aFullBacklogIsWaitedFor(EventLoop loop) throws Exception {
        try (var busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(address, 1);
            var held = new ArrayList<SocketChannel>();
            for (int i = 0; i < 2; i++) {
                held.add(SocketChannel.open(address));
            }
            loop.run(() -> {
                assertThatThrownBy(() -> loop.net()
                                .openConnection(
                                        address, ConnectOptions.defaults().timeout(Duration.ofMillis(20))))
                        .isInstanceOf(SocketTimeoutException.class)
                        .hasMessageContaining(address.toString());
                var waiting = loop.net().createConnection(() -> new Recorder(loop), address);
                var cancelled = loop.net().createConnection(() -> new Recorder(loop), address);
                cancelled.cancel();
                for (int i = 0; i < 3; i++) {
                    acceptElsewhere(busy).await().close();
                }
                var connected = waiting.await(Recorder.LIMIT);
                connected.transport().close();
                connected.protocol().lost.await(Recorder.LIMIT);
                assertThatThrownBy(cancelled::await).isInstanceOf(CancellationException.class);
            });
            for (var channel : held) {
                channel.close();
            }
        }
    }

    @Test
    void writingToAPeerThatHasGoneEndsTheConnectionOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                var client = loop.net()
                        .createConnection(() -> new Recorder(loop).keepWriting(), address)
                        .await();
                client.transport().pauseReading();
                listener.accept().abort();
                for (int i = 0; i < 3 && !client.transport().isClosing(); i++) {
                    client.transport().write(new byte[1000]);
                    Thread.yield();
                }
                client.protocol().lost.await(Recorder.LIMIT);
                assertThat(client.protocol().cause)
                        .isInstanceOf(SocketException.class)
                        .hasMessageMatching("(?s).*(EPIPE|ECONNRESET).*");
                assertThat(client.protocol().events).containsOnlyOnce("lost");
            }
        });
    }

    @Test
    void allBytesComeBeforeTheHangUp(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                var client = loop.net().openConnection(address);
                var served = listener.accept();
                var data = new byte[150_000];
                new java.util.Random(1).nextBytes(data);
                var writing = loop.spawn(() -> {
                    served.write(data);
                    served.close();
                });
                writing.await();
                assertThat(client.readAll()).isEqualTo(data);
                client.close();
            }
        });
    }

    @Test
    void resetIsAnErrorToAPeerWithUnreadBytes(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                var client = loop.net().openConnection(address);
                var served = listener.accept();
                client.write("never read");
                served.reset();
                assertThatThrownBy(client::readAll).isInstanceOf(SocketException.class);
                client.close();
            }
        });
    }

    @Test
    void anAddressOfTheOtherKindIsNoLocalAddress(EventLoop loop) throws Exception {
        var internet = ConnectOptions.defaults().localAddress(new InetSocketAddress("127.0.0.1", 0));
        loop.run(() -> {
            try (var _ = loop.net().listen(address);
                    var tcp = loop.net().listen("127.0.0.1", 0)) {
                assertThatThrownBy(() -> loop.net().openConnection(address, internet))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> loop.net()
                                .openConnection(
                                        tcp.address(), ConnectOptions.defaults().localAddress(address)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void buffersHaveTheSizesAskedFor(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                var options = ConnectOptions.defaults().sendBuffer(8192).receiveBuffer(16_384);
                try (var client = loop.net().openConnection(address, options);
                        var served = listener.accept()) {
                    var data = new byte[1 << 20];
                    var writing = loop.spawn(() -> client.write(data));
                    var target = ByteBuffer.allocate(data.length);
                    served.readExactly(target);
                    writing.await();
                    assertThat(client.writeBufferSize()).isZero();
                }
            }
        });
    }

    @Test
    void failedAttemptsLeaveNoDescriptors(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().openConnection(address)).isInstanceOf(FileNotFoundException.class);
            var before = Descriptors.now();
            for (int i = 0; i < 200; i++) {
                assertThatThrownBy(() -> loop.net().openConnection(address)).isInstanceOf(FileNotFoundException.class);
            }
            assertThat(Descriptors.leakedSince(before)).isEmpty();
        });
    }

    @Test
    void aGroupSharesConnectionsOut() throws Exception {
        try (var group = EventLoopGroup.create(GroupOptions.defaults().loops(2));
                var server = group.startServer(
                        connection -> connection.transferTo(connection), address, ServerOptions.defaults())) {
            for (int i = 0; i < 4; i++) {
                try (var client = SocketChannel.open(address)) {
                    client.write(ByteBuffer.wrap(new byte[] {7}));
                    var answer = ByteBuffer.allocate(1);
                    assertThat(client.read(answer)).isEqualTo(1);
                }
            }
            assertThat(server.acceptedCount(0)).isEqualTo(2);
            assertThat(server.acceptedCount(1)).isEqualTo(2);
            assertThat(server.address()).isEqualTo(address);
            assertThatThrownBy(server::port).isInstanceOf(IllegalStateException.class);
        }
        assertThat(address.getPath()).doesNotExist();
    }
}
