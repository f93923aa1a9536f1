package io.github.uvloop4j.net;

import static io.github.uvloop4j.net.SocketsTest.listening;
import static io.github.uvloop4j.net.SocketsTest.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.lang.foreign.Arena;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who owns the descriptor of a raw socket, and until when. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class SocketsCloseTest {
    private static RawSocket connected(EventLoop loop, int port) throws Exception {
        var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
        loop.sockets().sockConnect(socket, loopback(port)).await();
        return socket;
    }

    @Test
    void closedSocketRefusesEverything(EventLoop loop) throws Exception {
        var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
        int fd = socket.fd();
        assertThat(Fds.isOpen(fd)).isTrue();
        socket.close();
        socket.close();
        assertThat(Fds.isSocket(fd)).isFalse();
        assertThat(socket.isOpen()).isFalse();
        assertThatThrownBy(socket::fd).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(socket::detach).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> socket.listen(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.sockets().sockRecv(socket, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> loop.sockets().sockAccept(socket)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeWaitsForTheReceive(EventLoop loop) throws Exception {
        var go = new CountDownLatch(1);
        var peer = Peers.server(socket -> {
            go.await();
            socket.getOutputStream().write("late".getBytes());
            return socket.getInputStream().read();
        });
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            int fd = socket.fd();
            var receive = loop.sockets().sockRecv(socket, 10);
            socket.close();
            assertThat(socket.isOpen()).isFalse();
            assertThatThrownBy(() -> loop.sockets().sockSendAll(socket, ByteBuffer.allocate(1)))
                    .isInstanceOf(IllegalStateException.class);
            Turns.next(loop, 3);
            assertThat(Fds.isOpen(fd)).isTrue();
            go.countDown();
            assertThat(receive.await()).isEqualTo("late".getBytes());
            assertThat(Fds.isSocket(fd)).isFalse();
        });
        assertThat(peer.result().join()).isEqualTo(-1);
    }

    @Test
    void closeWaitsForTheSend(EventLoop loop) throws Exception {
        int size = 20_000_000;
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes().length);
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            int fd = socket.fd();
            var send = loop.sockets().sockSendAll(socket, ByteBuffer.allocate(size));
            socket.close();
            send.await();
            assertThat(Fds.isSocket(fd)).isFalse();
        });
        assertThat(peer.result().join()).isEqualTo(size);
    }

    @Test
    void closeWaitsForTheConnect(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            int fd = socket.fd();
            var connect = loop.sockets().sockConnect(socket, loopback(peer.port()));
            socket.close();
            connect.await();
            assertThat(Fds.isSocket(fd)).isFalse();
        });
        assertThat(peer.result().join()).isEqualTo(-1);
    }

    @Test
    void cancelEndsACloseThatWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = listening(loop);
            int fd = server.fd();
            var accept = loop.sockets().sockAccept(server);
            server.close();
            assertThat(Fds.isOpen(fd)).isTrue();
            accept.cancel();
            assertThat(Fds.isSocket(fd)).isFalse();
        });
    }

    @Test
    void cancelFromAnotherThreadEndsACloseThatWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = listening(loop);
            int fd = server.fd();
            var accept = loop.sockets().sockAccept(server);
            server.close();
            Thread.ofPlatform().start(accept::cancel);
            Turns.until(loop, () -> !Fds.isOpen(fd));
            assertThat(accept.isCancelled()).isTrue();
        });
    }

    @Test
    void closingTheLoopEndsWhatIsPendingAndReleasesTheSockets(EventLoop loop) throws Exception {
        var server = listening(loop);
        var idle = loop.sockets().openTcp(StandardProtocolFamily.INET);
        int[] fds = {server.fd(), idle.fd()};
        LoopFuture<Accepted> accept = loop.sockets().sockAccept(server);
        loop.close();
        assertThat(accept.isCancelled()).isTrue();
        for (int fd : fds) {
            assertThat(Fds.isSocket(fd)).isFalse();
        }
    }

    @Test
    void detachedDescriptorIsTheCallers(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            var socket = connected(loop, peer.port());
            var receive = loop.sockets().sockRecv(socket, 1);
            assertThatThrownBy(socket::detach)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pending");
            receive.cancel();
            int fd = socket.detach();
            assertThat(Fds.watchedBy(loop)).doesNotContain(fd);
            assertThat(socket.isOpen()).isFalse();
            assertThatThrownBy(socket::fd).isInstanceOf(IllegalStateException.class);
            socket.close();
            assertThat(Fds.isOpen(fd)).isTrue();
            try (var again = loop.sockets().adopt(fd)) {
                loop.sockets()
                        .sockSendAll(again, ByteBuffer.wrap("again".getBytes()))
                        .await();
            }
            assertThat(Fds.isSocket(fd)).isFalse();
        });
        assertThat(peer.result().join()).isEqualTo("again".getBytes());
    }

    @Test
    void adoptedSocketDoesNotBlockAndIsNotInherited(EventLoop loop) throws Exception {
        int fd = libc.socket(libc.AF_INET(), libc.SOCK_STREAM(), 0);
        assertThat(flags(fd) & (libc.O_NONBLOCK() | libc.O_CLOEXEC())).isZero();
        try (var socket = loop.sockets().adopt(fd)) {
            assertThat(socket.fd()).isEqualTo(fd);
            assertThat(flags(fd) & libc.O_NONBLOCK()).isNotZero();
            assertThat(flags(fd) & libc.O_CLOEXEC()).isNotZero();
        }
    }

    private static int flags(int fd) {
        return Fds.info(fd)
                .lines()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                .sum();
    }

    @Test
    void whatCannotBeAdoptedStaysTheCallers(EventLoop loop) throws Exception {
        int[] packets = Fds.pair(libc.SOCK_SEQPACKET());
        int file;
        try (var arena = Arena.ofConfined()) {
            file = libc.memfd_create(arena.allocateFrom("no socket"), 0);
        }
        for (int fd : List.of(packets[0], file)) {
            assertThatThrownBy(() -> loop.sockets().adopt(fd))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("descriptor " + fd);
            assertThat(Fds.isOpen(fd)).isTrue();
        }
        Fds.close(file, packets[0], packets[1]);
        assertThatThrownBy(() -> loop.sockets().adopt(file)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> loop.sockets().adopt(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void descriptorHasOneOwner(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        try (var socket = loop.sockets().adopt(pair[0])) {
            assertThatThrownBy(() -> loop.sockets().adopt(pair[0]))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(socket.toString());
            assertThat(socket.isOpen()).isTrue();
        }
        assertThat(Fds.isSocket(pair[0])).isFalse();
        Fds.close(pair[1]);
    }

    @Test
    void reusedNumberIsAnotherSocket(EventLoop loop) throws Exception {
        loop.run(() -> {
            var first = loop.sockets().openTcp(StandardProtocolFamily.INET);
            int fd = first.fd();
            loop.sockets().addWriter(fd, () -> {});
            first.close();
            var peer = Peers.server(socket -> socket.getInputStream().read());
            RawSocket second = loop.sockets().openTcp(StandardProtocolFamily.INET);
            for (int tries = 0; second.fd() != fd && tries < 1_000; tries++) {
                second.close();
                second = loop.sockets().openTcp(StandardProtocolFamily.INET);
            }
            first.close();
            loop.sockets().sockConnect(second, loopback(peer.port())).await();
            loop.sockets().sockSendAll(second, ByteBuffer.wrap(new byte[] {5})).await();
            second.close();
            assertThat(peer.result().join()).isEqualTo(5);
        });
    }

    @Test
    void descriptorThatWasClosedWhileWatchedDoesNotHauntItsNumber(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        loop.sockets().addReader(pair[0], () -> {});
        Fds.close(pair[0], pair[1]);
        loop.run(() -> {
            var sockets = new ArrayList<RawSocket>();
            for (int i = 0; i < 4; i++) {
                sockets.add(loop.sockets().openTcp(StandardProtocolFamily.INET));
            }
            var peer = Peers.server(socket -> {
                socket.getOutputStream().write(9);
                return true;
            });
            var reused = sockets.stream()
                    .filter(socket -> socket.fd() == pair[0])
                    .findFirst()
                    .orElse(sockets.getFirst());
            loop.sockets().sockConnect(reused, loopback(peer.port())).await();
            assertThat(loop.sockets().sockRecv(reused, 1).await()).containsExactly(9);
            sockets.forEach(RawSocket::close);
        });
    }
}
