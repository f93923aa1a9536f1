package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class SocketsTest {
    static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    static RawSocket listening(EventLoop loop) throws IOException {
        var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
        socket.bind(loopback(0));
        socket.listen(10);
        return socket;
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    @Tag("cells")
    void receivesALargePayloadFromAnAcceptedClient(EventLoop loop) throws Exception {
        var payload = random(3_000_001);
        var received = new ByteArrayOutputStream();
        loop.run(() -> {
            try (var server = listening(loop)) {
                var peer = Peers.client(server.localAddress(), socket -> {
                    socket.getOutputStream().write(payload);
                    return socket.getLocalPort();
                });
                var accepted = loop.sockets().sockAccept(server).await();
                try (var client = accepted.socket()) {
                    for (var part = receive(loop, client); part.length > 0; part = receive(loop, client)) {
                        received.write(part);
                    }
                }
                assertThat(Internet.port(accepted.peer())).isEqualTo(peer.join());
            }
        });
        assertThat(received.toByteArray()).isEqualTo(payload);
    }

    private static byte[] receive(EventLoop loop, RawSocket socket) throws Exception {
        return loop.sockets().sockRecv(socket, 100_000).await();
    }

    @Test
    @Tag("cells")
    void sendsALargePayloadToAPeerThatReadsLate(EventLoop loop) throws Exception {
        var payload = random(20_000_000);
        var peer = Peers.server(socket -> {
            assertThat(socket.getInputStream().read()).isEqualTo(payload[0] & 0xff);
            return socket.getInputStream().readAllBytes();
        });
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                var data = ByteBuffer.wrap(payload);
                loop.sockets().sockSendAll(socket, data).await();
                assertThat(data.hasRemaining()).isFalse();
            }
        });
        assertThat(peer.result().join()).hasSize(payload.length - 1);
    }

    @Test
    void receivesIntoTheRestOfABuffer(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("hello".getBytes());
            return true;
        });
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                for (var target : new ByteBuffer[] {ByteBuffer.allocate(4), ByteBuffer.allocateDirect(4)}) {
                    target.position(2);
                    assertThat(loop.sockets().sockRecvInto(socket, target).await())
                            .isEqualTo(2);
                    assertThat(target.hasRemaining()).isFalse();
                    target.position(2);
                    assertThat(target.get()).isIn((byte) 'h', (byte) 'l');
                }
                assertThat(receive(loop, socket)).isEqualTo("o".getBytes());
                assertThat(loop.sockets()
                                .sockRecvInto(socket, ByteBuffer.allocate(1))
                                .await())
                        .isEqualTo(-1);
                assertThat(receive(loop, socket)).isEmpty();
            }
        });
    }

    @Test
    void whatIsThereIsReceivedAtOnce(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("ab".getBytes());
            return socket.getInputStream().read();
        });
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                assertThat(loop.sockets().sockRecv(socket, 1).await()).isEqualTo("a".getBytes());
                var second = loop.sockets().sockRecv(socket, 1);
                assertThat(second.isDone()).isTrue();
                assertThat(second.result()).isEqualTo("b".getBytes());
            }
        });
    }

    @Test
    void refusedConnectSaysWho(EventLoop loop) throws Exception {
        loop.run(() -> {
            int port;
            try (var unused = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                unused.bind(loopback(0));
                port = Internet.port(unused.localAddress());
            }
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                var connect = loop.sockets().sockConnect(socket, loopback(port));
                assertThatThrownBy(connect::await)
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining("127.0.0.1:" + port)
                        .cause()
                        .isInstanceOfSatisfying(
                                UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.ECONNREFUSED));
            }
        });
    }

    @Test
    void connectsOverIpv6(EventLoop loop) throws Exception {
        loop.run(() -> {
            var any = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);
            try (var server = loop.sockets().openTcp(StandardProtocolFamily.INET6)) {
                try {
                    server.bind(any);
                } catch (BindException e) {
                    Assumptions.abort("no IPv6 here");
                }
                server.listen(1);
                try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET6)) {
                    loop.sockets().sockConnect(socket, server.localAddress()).await();
                    var accepted = loop.sockets().sockAccept(server).await();
                    accepted.socket().close();
                    assertThat(accepted.peer()).isEqualTo(socket.localAddress());
                    assertThat(socket.peerAddress()).isEqualTo(server.localAddress());
                }
            }
        });
    }

    @Test
    void addressOfAnotherFamilyIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                var v6 = new InetSocketAddress(InetAddress.ofLiteral("::1"), 1);
                var failed = loop.sockets().sockConnect(socket, v6);
                assertThatThrownBy(failed::await).isInstanceOf(IOException.class);
            }
            assertThatThrownBy(() -> loop.sockets().openTcp(StandardProtocolFamily.UNIX))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void aNameIsLookedUpForTheFamilyOfTheSocket(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (var family : List.of(StandardProtocolFamily.INET, StandardProtocolFamily.INET6)) {
                var loopback = family == StandardProtocolFamily.INET ? "127.0.0.1" : "::1";
                try (var peer = new ServerSocket(0, 1, InetAddress.ofLiteral(loopback));
                        var socket = loop.sockets().openTcp(family)) {
                    var name = InetSocketAddress.createUnresolved("localhost", peer.getLocalPort());
                    loop.sockets().sockConnect(socket, name).await();
                    assertThat(socket.peerAddress()).isEqualTo(peer.getLocalSocketAddress());
                }
            }
        });
    }

    @Test
    void emptyDataIsSentAtOnce(EventLoop loop) throws Exception {
        try (var server = listening(loop)) {
            assertThat(loop.sockets()
                            .sockSendAll(server, ByteBuffer.allocate(0))
                            .isDone())
                    .isTrue();
        }
    }

    @Test
    void nothingToReceiveIntoIsRefused(EventLoop loop) throws Exception {
        try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
            assertThatThrownBy(() -> loop.sockets().sockRecv(socket, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.sockets().sockRecvInto(socket, ByteBuffer.allocate(0)))
                    .isInstanceOf(IllegalArgumentException.class);
            var readOnly = ByteBuffer.allocate(1).asReadOnlyBuffer();
            assertThatThrownBy(() -> loop.sockets().sockRecvInto(socket, readOnly))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void socketThatIsNotConnectedFailsItsFutures(EventLoop loop) throws Exception {
        try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
            assertThatThrownBy(() -> loop.sockets().sockRecv(socket, 1).result())
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> loop.sockets()
                            .sockSendAll(socket, ByteBuffer.wrap(new byte[1]))
                            .result())
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> loop.sockets().sockAccept(socket).result()).isInstanceOf(IOException.class);
            assertThatThrownBy(socket::peerAddress).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void readOnlyDataIsSent(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                var data = ByteBuffer.wrap("abc".getBytes()).asReadOnlyBuffer();
                loop.sockets().sockSendAll(socket, data).await();
                socket.shutdownOutput();
                assertThat(peer.result().join()).isEqualTo("abc".getBytes());
            }
        });
    }

    @Test
    void oneReaderAndOneWriterAtATime(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(socket.getInputStream().readNBytes(3));
            return true;
        });
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                socket.noDelay(true);
                var reading = loop.sockets().sockRecv(socket, 10);
                assertThatThrownBy(() -> loop.sockets().sockRecv(socket, 10))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("reads from socket");
                loop.sockets()
                        .sockSendAll(socket, ByteBuffer.wrap("abc".getBytes()))
                        .await();
                assertThat(reading.await()).isEqualTo("abc".getBytes());
            }
        });
    }

    @Test
    void otherThreadsAreRefused(EventLoop loop) throws Exception {
        try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
            var refused = java.util.concurrent.CompletableFuture.runAsync(
                    () -> loop.sockets().sockRecv(socket, 1));
            assertThatThrownBy(refused::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void addressInUseIsABindException(EventLoop loop) throws Exception {
        try (var first = listening(loop);
                var second = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
            var taken = first.localAddress();
            assertThatThrownBy(() -> second.bind(taken))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("127.0.0.1:" + Internet.port(taken));
            assertThatThrownBy(() -> second.listen(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void portIsSharedOnRequest(EventLoop loop) throws Exception {
        try (var first = loop.sockets().openTcp(StandardProtocolFamily.INET);
                var second = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
            first.reusePort(true);
            second.reusePort(true);
            first.bind(loopback(0));
            first.listen(1);
            second.bind(first.localAddress());
            second.listen(1);
            assertThat(second.localAddress()).isEqualTo(first.localAddress());
        }
    }
}
