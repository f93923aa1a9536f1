package io.github.uvloop4j.net;

import static io.github.uvloop4j.net.SocketsTest.listening;
import static io.github.uvloop4j.net.SocketsTest.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.net.StandardProtocolFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Descriptors that a transport, connection or server owns: nobody else may watch or adopt them. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class OwnedDescriptorsTest {
    private static final class Idle implements Protocol {
        @Override
        public void dataReceived(java.nio.ByteBuffer data) {}
    }

    private static void assertRefused(EventLoop loop, int fd) {
        assertThatThrownBy(() -> loop.sockets().addReader(fd, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("descriptor " + fd + " is used by");
        assertThatThrownBy(() -> loop.sockets().addWriter(fd, () -> {})).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.sockets().removeReader(fd)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.sockets().removeWriter(fd)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.sockets().adopt(fd)).isInstanceOf(IllegalStateException.class);
        assertThat(Fds.isOpen(fd)).isTrue();
    }

    @Test
    void transportsDescriptorIsRefusedUntilItIsGone(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            loop.sockets().sockConnect(socket, loopback(peer.port())).await();
            int fd = socket.fd();
            var connected = loop.net()
                    .createConnection(Idle::new, socket, ConnectOptions.defaults())
                    .await();
            assertRefused(loop, fd);
            assertThat(connected.transport().extraInfo("socket")).isNull();
            connected.transport().close();
            Turns.until(loop, () -> !Fds.isOpen(fd));
            assertThat(loop.sockets().removeReader(fd)).isFalse();
        });
        assertThat(peer.result().join()).isEqualTo(-1);
    }

    @Test
    void connectionsDescriptorIsRefused(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            loop.sockets().sockConnect(socket, loopback(peer.port())).await();
            int fd = socket.fd();
            try (var connection = loop.net().openConnection(socket)) {
                assertRefused(loop, fd);
                assertThat(connection.isClosing()).isFalse();
            }
        });
    }

    @Test
    void serversDescriptorIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            var socket = listening(loop);
            int fd = socket.fd();
            try (var server = loop.net()
                    .createServer(Idle::new, socket, ServerOptions.defaults())
                    .await()) {
                assertRefused(loop, fd);
                assertThat(server.isServing()).isTrue();
            }
        });
    }

    @Test
    void watchedSocketThatBecomesATransportIsNotWatchedAnyMore(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("hello\n".getBytes());
            return true;
        });
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            loop.sockets().sockConnect(socket, loopback(peer.port())).await();
            loop.sockets().addReader(socket.fd(), () -> {
                throw new AssertionError("not the transport's data");
            });
            try (var connection = loop.net().openConnection(socket)) {
                assertThat(connection.readLine()).isEqualTo("hello");
            }
        });
    }
}
