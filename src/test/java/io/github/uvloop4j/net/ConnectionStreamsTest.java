package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Streams over connections, and sockets of the JDK's kind. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionStreamsTest {
    @Test
    @Tag("cells")
    void codeForStreamsRunsInTasks(EventLoop loop) throws Exception {
        var text = "a line\n".repeat(20_000);
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var client = loop.net().openConnection("127.0.0.1", listener.port())) {
                var sending = loop.spawn(() -> {
                    try (var zipped = new GZIPOutputStream(client.outputStream())) {
                        zipped.write(text.getBytes(StandardCharsets.UTF_8));
                    }
                });
                try (var server = listener.accept();
                        var unzipped = new GZIPInputStream(server.inputStream())) {
                    assertThat(new String(unzipped.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo(text);
                }
                sending.await();
            }
        });
    }

    @Test
    void aStreamEndsWithTheConnection(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(new byte[] {(byte) 200, 1});
            return null;
        });
        loop.run(() -> {
            try (var client = loop.net().openConnection("127.0.0.1", peer.port())) {
                var in = client.inputStream();
                assertThat(in.read(new byte[3], 1, 0)).isZero();
                assertThat(in.read()).isEqualTo(200);
                assertThat(in.read()).isEqualTo(1);
                assertThat(in.read()).isEqualTo(-1);
                assertThat(in.read(new byte[3])).isEqualTo(-1);
                assertThatThrownBy(() -> in.read(new byte[3], 2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
                in.close();
                assertThat(client.isClosing()).isTrue();
                assertThatThrownBy(in::read).isInstanceOf(ClosedChannelException.class);
            }
        });
    }

    @Test
    void availableIsWhatHasArrived(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var client = loop.net().openConnection("127.0.0.1", listener.port());
                    var server = listener.accept()) {
                client.write("ab");
                var in = server.inputStream();
                assertThat(in.read()).isEqualTo('a');
                assertThat(in.available()).isEqualTo(1);
                assertThat(in.read()).isEqualTo('b');
                assertThat(in.available()).isZero();
            }
        });
    }

    // Sockets

    @Test
    @Tag("cells")
    void aSocketTalksInATask(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var line = new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
            socket.getOutputStream().write(("you said " + line + "\n").getBytes(StandardCharsets.UTF_8));
            return line;
        });
        loop.run(() -> {
            try (var socket = loop.net().socketFactory().createSocket("localhost", peer.port())) {
                assertThat(socket.isConnected()).isTrue();
                assertThat(socket.getPort()).isEqualTo(peer.port());
                assertThat(socket.getInetAddress().isLoopbackAddress()).isTrue();
                assertThat(socket.getLocalPort()).isPositive();
                assertThat(socket.getRemoteSocketAddress())
                        .isEqualTo(new InetSocketAddress(socket.getInetAddress(), socket.getPort()));
                socket.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
                var reader = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                assertThat(reader.readLine()).isEqualTo("you said hello");
                assertThat(reader.readLine()).isNull();
            }
        });
        assertThat(peer.result()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("hello");
    }

    @Test
    void optionsAreKeptForTheConnection(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var loopback = InetAddress.ofLiteral("127.0.0.1");
            try (var socket = loop.net().socketFactory().createSocket()) {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.setSoLinger(true, 5);
                socket.setReceiveBufferSize(20_000);
                assertThat(socket.getKeepAlive()).isTrue();
                assertThat(socket.isBound()).isFalse();
                assertThat(socket.getLocalPort()).isEqualTo(-1);
                socket.bind(new InetSocketAddress(loopback, 0));
                assertThat(socket.isBound()).isTrue();
                socket.connect(new InetSocketAddress(loopback, peer.port()), 10_000);
                assertThat(socket.getTcpNoDelay()).isTrue();
                assertThat(socket.getKeepAlive()).isTrue();
                assertThat(socket.getSoLinger()).isEqualTo(5);
                assertThat(socket.getReceiveBufferSize()).isBetween(20_000, 100_000);
                socket.setTcpNoDelay(false);
                assertThat(socket.getTcpNoDelay()).isFalse();
                assertThatThrownBy(() -> socket.setSendBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> socket.connect(socket.getRemoteSocketAddress()))
                        .isInstanceOf(SocketException.class)
                        .hasMessageContaining("already connected");
                var in = socket.getInputStream();
                socket.shutdownInput();
                assertThat(in.read()).isEqualTo(-1);
                socket.shutdownOutput();
                assertThat(socket.isOutputShutdown()).isTrue();
                assertThatThrownBy(socket::getOutputStream).isInstanceOf(SocketException.class);
            }
        });
        assertThat(peer.result()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(-1);
    }

    @Test
    void aReadThatTakesTooLongFailsAndMayBeRepeated(EventLoop loop) throws Exception {
        var go = new java.util.concurrent.CountDownLatch(1);
        var peer = Peers.server(socket -> {
            go.await();
            socket.getOutputStream().write('x');
            return null;
        });
        loop.run(() -> {
            try (var socket =
                    loop.net().socketFactory().createSocket(InetAddress.ofLiteral("127.0.0.1"), peer.port())) {
                socket.setSoTimeout(20);
                var in = socket.getInputStream();
                assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
                go.countDown();
                socket.setSoTimeout(20_000);
                assertThat(in.read()).isEqualTo('x');
            }
        });
    }

    @Test
    void closeEndsAReadOfAnotherTask(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = loop.net().socketFactory().createSocket("127.0.0.1", peer.port());
            var reading = loop.spawn(() -> socket.getInputStream().read());
            Task.sleep(Duration.ofMillis(5));
            socket.close();
            socket.close();
            assertThat(socket.isClosed()).isTrue();
            assertThatThrownBy(reading::await).isInstanceOf(java.io.IOException.class);
            assertThatThrownBy(socket::getInputStream)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("closed");
        });
    }

    @Test
    void aCancelledReadLosesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var socket = loop.net().socketFactory().createSocket("127.0.0.1", listener.port());
                    var server = listener.accept()) {
                var in = socket.getInputStream();
                var reading = loop.spawn(() -> in.read());
                Task.sleep(Duration.ofMillis(1));
                reading.cancel();
                assertThatThrownBy(reading::await).isInstanceOf(CancellationException.class);
                server.write("x");
                assertThat(in.read()).isEqualTo('x');
            }
        });
    }

    @Test
    void badUseIsNamed(EventLoop loop) throws Exception {
        loop.run(() -> {
            int port;
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                port = listener.port();
            }
            var factory = loop.net().socketFactory();
            assertThatThrownBy(() -> factory.createSocket("127.0.0.1", port)).isInstanceOf(ConnectException.class);
            var socket = factory.createSocket();
            assertThatThrownBy(socket::getInputStream)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("not connected");
            assertThatThrownBy(() -> socket.connect(UnixDomainSocketAddress.of("/tmp/x")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> socket.connect(new InetSocketAddress("127.0.0.1", port), -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> socket.sendUrgentData(1)).isInstanceOf(SocketException.class);
            socket.close();
            assertThatThrownBy(() -> socket.connect(new InetSocketAddress("127.0.0.1", port)))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("closed");
        });
        var factory = loop.net().socketFactory();
        assertThatThrownBy(() -> factory.createSocket("127.0.0.1", 1)).isInstanceOf(IllegalStateException.class);
    }

    /** What the JDK's class does by itself would be on no connection at all. */
    @Test
    void everyMethodOfASocketIsOurs() throws Exception {
        var ours = Class.forName("io.github.uvloop4j.transport.LoopSocket");
        var inherited = Arrays.stream(java.net.Socket.class.getMethods())
                .filter(method -> method.getDeclaringClass() == java.net.Socket.class)
                .filter(method -> !java.lang.reflect.Modifier.isStatic(method.getModifiers()))
                .map(java.lang.reflect.Method::getName)
                .filter(name -> Arrays.stream(ours.getDeclaredMethods())
                        .noneMatch(method -> method.getName().equals(name)))
                .distinct();
        assertThat(inherited).containsExactlyInAnyOrder("setOption", "getOption", "supportedOptions");
    }
}
