package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Raw Unix sockets. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class UnixSocketsTest {
    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    @TempDir
    private Path directory;

    private UnixDomainSocketAddress named(String name) {
        return UnixDomainSocketAddress.of(directory.resolve(name));
    }

    private static AbstractAddress abstractName() {
        return AbstractAddress.of("uvloop4j-test-" + UUID.randomUUID());
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static RawSocket listening(EventLoop loop, SocketAddress address, int backlog) throws Exception {
        var socket = loop.sockets().openUnix(SocketType.STREAM);
        socket.bind(address);
        socket.listen(backlog);
        return socket;
    }

    private static void exchange(EventLoop loop, SocketAddress address) throws Exception {
        try (var server = listening(loop, address, 5);
                var client = loop.sockets().openUnix(SocketType.STREAM)) {
            assertThat(server.localAddress()).isEqualTo(address);
            loop.sockets().sockConnect(client, address).await(Recorder.LIMIT);
            assertThat(client.peerAddress()).isEqualTo(address);
            assertThat(client.localAddress()).isEqualTo(UNNAMED);
            var accepted = loop.sockets().sockAccept(server).await(Recorder.LIMIT);
            assertThat(accepted.peer()).isEqualTo(UNNAMED);
            try (var served = accepted.socket()) {
                loop.sockets().sockSendAll(client, buffer("ping")).await(Recorder.LIMIT);
                assertThat(text(loop.sockets().sockRecv(served, 100).await(Recorder.LIMIT)))
                        .isEqualTo("ping");
                loop.sockets().sockSendAll(served, buffer("pong")).await(Recorder.LIMIT);
                served.shutdownOutput();
                assertThat(text(loop.sockets().sockRecv(client, 100).await(Recorder.LIMIT)))
                        .isEqualTo("pong");
                assertThat(loop.sockets().sockRecv(client, 100).await(Recorder.LIMIT))
                        .isEmpty();
            }
        }
    }

    @Test
    @Tag("cells")
    void streamsMeetAtAPath(EventLoop loop) throws Exception {
        loop.run(() -> exchange(loop, named("socket")));
        assertThat(directory.resolve("socket")).exists();
    }

    @Test
    @Tag("cells")
    void streamsMeetAtAnAbstractName(EventLoop loop) throws Exception {
        loop.run(() -> exchange(loop, abstractName()));
    }

    @Test
    void aClientsNameIsThePeersAddress(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (var name : new SocketAddress[] {named("client"), abstractName()}) {
                try (var server = listening(loop, abstractName(), 5);
                        var client = loop.sockets().openUnix(SocketType.STREAM)) {
                    client.bind(name);
                    loop.sockets().sockConnect(client, server.localAddress()).await(Recorder.LIMIT);
                    var accepted = loop.sockets().sockAccept(server).await(Recorder.LIMIT);
                    assertThat(accepted.peer()).isEqualTo(name);
                    accepted.socket().close();
                }
            }
        });
    }

    @Test
    void nobodyThereFailsTheConnect(EventLoop loop) throws Exception {
        Files.createFile(directory.resolve("file"));
        loop.run(() -> {
            try (var client = loop.sockets().openUnix(SocketType.STREAM)) {
                assertThatThrownBy(loop.sockets().sockConnect(client, named("none"))::await)
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining("none");
                assertThatThrownBy(loop.sockets().sockConnect(client, named("file"))::await)
                        .isInstanceOf(ConnectException.class);
                assertThatThrownBy(loop.sockets().sockConnect(client, abstractName())::await)
                        .isInstanceOf(ConnectException.class);
            }
        });
    }

    @Test
    void aPathInUseIsNotBound(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop, named("socket"), 5);
                    var second = loop.sockets().openUnix(SocketType.STREAM)) {
                assertThatThrownBy(() -> second.bind(server.localAddress())).isInstanceOf(BindException.class);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {108, 109, 200})
    void aLongPathIsRefusedWithItsLength(int length, EventLoop loop) throws Exception {
        var start = directory + "/";
        var address = UnixDomainSocketAddress.of(start + "x".repeat(length - start.length()));
        loop.run(() -> {
            try (var socket = loop.sockets().openUnix(SocketType.STREAM)) {
                assertThatThrownBy(() -> socket.bind(address))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("this one " + length);
                assertThatThrownBy(() -> loop.sockets().sockConnect(socket, address))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("this one " + length);
            }
        });
        assertThat(directory).isEmptyDirectory();
    }

    // A full backlog

    private static List<RawSocket> fill(EventLoop loop, RawSocket server) throws Exception {
        var held = new ArrayList<RawSocket>();
        while (true) {
            var client = loop.sockets().openUnix(SocketType.STREAM);
            held.add(client);
            if (!loop.sockets().sockConnect(client, server.localAddress()).isDone()) {
                return held;
            }
        }
    }

    @Test
    @Tag("cells")
    void aFullBacklogIsWaitedFor(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop, abstractName(), 2)) {
                var held = fill(loop, server);
                var last = held.removeLast();
                assertThatThrownBy(() -> loop.sockets().sockConnect(last, server.localAddress()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another operation");
                loop.sockets().sockAccept(server).await(Recorder.LIMIT).socket().close();
                Turns.until(loop, () -> isConnected(last));
                held.forEach(RawSocket::close);
                last.close();
            }
        });
    }

    private static boolean isConnected(RawSocket socket) {
        try {
            socket.peerAddress();
            return true;
        } catch (java.io.IOException notYet) {
            return false;
        }
    }

    @Test
    void waitingForAFullBacklogDoesNotSpin(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop, abstractName(), 1)) {
                var held = fill(loop, server);
                assertThat(Turns.whileIdle(loop)).isLessThan(40);
                held.removeLast().close();
                held.forEach(RawSocket::close);
            }
        });
    }

    @Test
    void aConnectThatWaitsIsCancelled(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop, abstractName(), 1)) {
                var held = fill(loop, server);
                try (var client = loop.sockets().openUnix(SocketType.STREAM)) {
                    var connecting = loop.sockets().sockConnect(client, server.localAddress());
                    connecting.cancel();
                    assertThatThrownBy(connecting::await).isInstanceOf(CancellationException.class);
                    assertThat(isConnected(client)).isFalse();
                    loop.sockets()
                            .sockAccept(server)
                            .await(Recorder.LIMIT)
                            .socket()
                            .close();
                    Turns.until(loop, () -> isConnected(held.getLast()));
                }
                held.forEach(RawSocket::close);
            }
        });
    }

    // Pairs and datagrams

    @ParameterizedTest
    @EnumSource(SocketType.class)
    void aPairIsConnected(SocketType type, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pair = loop.sockets().openUnixPair(type)) {
                loop.sockets().sockSendAll(pair.first(), buffer("there")).await(Recorder.LIMIT);
                assertThat(text(loop.sockets().sockRecv(pair.second(), 100).await(Recorder.LIMIT)))
                        .isEqualTo("there");
                loop.sockets().sockSendAll(pair.second(), buffer("back")).await(Recorder.LIMIT);
                assertThat(text(loop.sockets().sockRecv(pair.first(), 100).await(Recorder.LIMIT)))
                        .isEqualTo("back");
                assertThat(pair.first().peerAddress()).isEqualTo(UNNAMED);
            }
        });
    }

    @Test
    @Tag("cells")
    void aDatagramTellsItsSender(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (var name : new SocketAddress[] {named("sender"), abstractName()}) {
                try (var receiver = loop.sockets().openUnix(SocketType.DATAGRAM);
                        var sender = loop.sockets().openUnix(SocketType.DATAGRAM);
                        var nobody = loop.sockets().openUnix(SocketType.DATAGRAM)) {
                    receiver.bind(abstractName());
                    sender.bind(name);
                    loop.sockets()
                            .sockSendTo(sender, buffer("one"), receiver.localAddress())
                            .await(Recorder.LIMIT);
                    var first = loop.sockets().sockRecvFrom(receiver, 100).await(Recorder.LIMIT);
                    assertThat(first.sender()).isEqualTo(name);
                    assertThat(first.data()).isEqualTo(buffer("one"));
                    loop.sockets()
                            .sockSendTo(nobody, buffer("two"), receiver.localAddress())
                            .await(Recorder.LIMIT);
                    var second = loop.sockets().sockRecvFrom(receiver, 100).await(Recorder.LIMIT);
                    assertThat(second.sender()).isNull();
                    loop.sockets().sockSendTo(receiver, buffer("answer"), name).await(Recorder.LIMIT);
                    assertThat(loop.sockets()
                                    .sockRecvFrom(sender, 100)
                                    .await(Recorder.LIMIT)
                                    .sender())
                            .isEqualTo(receiver.localAddress());
                }
            }
        });
    }

    @Test
    @Tag("cells")
    void aReceiverWhoseQueueIsFullIsWaitedForWithoutSpinning(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var receiver = loop.sockets().openUnix(SocketType.DATAGRAM);
                    var sender = loop.sockets().openUnix(SocketType.DATAGRAM)) {
                receiver.bind(abstractName());
                int sent = 0;
                var sending = loop.sockets().sockSendTo(sender, buffer("x"), receiver.localAddress());
                while (sending.isDone()) {
                    sent++;
                    sending = loop.sockets().sockSendTo(sender, buffer("x"), receiver.localAddress());
                }
                assertThat(Turns.whileIdle(loop)).isLessThan(40);
                for (int i = 0; i <= sent; i++) {
                    loop.sockets().sockRecvFrom(receiver, 10).await(Recorder.LIMIT);
                }
                sending.await(Recorder.LIMIT);
            }
        });
    }

    // Who is there

    @Test
    @Tag("cells")
    void thePeersCredentialsAreTold(EventLoop loop) throws Exception {
        var address = named("socket");
        loop.run(() -> {
            try (var server = listening(loop, address, 5);
                    var client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                client.connect(address);
                var accepted = loop.sockets().sockAccept(server).await(Recorder.LIMIT);
                try (var socket = accepted.socket()) {
                    var peer = socket.peerCredentials();
                    assertThat(peer.pid()).isEqualTo(ProcessHandle.current().pid());
                    assertThat(peer.uid()).isEqualTo(id("uid"));
                    assertThat(peer.gid()).isEqualTo(id("gid"));
                }
            }
        });
    }

    private static long id(String name) throws Exception {
        return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:" + name)).longValue();
    }

    @Test
    void credentialsNeedAUnixPeer(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var tcp = loop.sockets().openTcp(StandardProtocolFamily.INET);
                    var alone = loop.sockets().openUnix(SocketType.STREAM)) {
                assertThatThrownBy(tcp::peerCredentials).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(alone::peerCredentials)
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("ENOTCONN");
            }
        });
    }

    @Test
    void aUnixSocketIsGivenToAProtocol(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openUnixPair(SocketType.STREAM);
            var recorder = new Recorder(loop);
            loop.net()
                    .createConnection(() -> recorder, pair.first(), ConnectOptions.defaults())
                    .await(Recorder.LIMIT);
            loop.sockets().sockSendAll(pair.second(), buffer("hello")).await(Recorder.LIMIT);
            pair.close();
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.text()).isEqualTo("hello");
        });
    }
}
