package io.github.uvloop4j.net;

import static io.github.uvloop4j.net.SocketsTest.listening;
import static io.github.uvloop4j.net.SocketsTest.loopback;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.lang.foreign.Arena;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Callbacks for descriptors that can be read or written, and what stays in the kernel's set. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ReadersTest {
    @Test
    @Tag("cells")
    void readerIsCalledAndReplaced(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        var order = new ArrayList<String>();
        loop.run(() -> {
            loop.sockets().addReader(pair[0], () -> {
                Fds.read(pair[0]);
                order.add("first");
            });
            Fds.write(pair[1], "x");
            Turns.until(loop, () -> order.size() == 1);
            loop.sockets().addReader(pair[0], () -> {
                Fds.read(pair[0]);
                order.add("second");
            });
            Fds.write(pair[1], "x");
            Turns.until(loop, () -> order.size() == 2);
            assertThat(loop.sockets().removeReader(pair[0])).isTrue();
            assertThat(loop.sockets().removeReader(pair[0])).isFalse();
            Fds.write(pair[1], "x");
            Turns.next(loop, 5);
        });
        Fds.close(pair);
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void readerThatDoesNotReadIsCalledAgain(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        var calls = new AtomicInteger();
        loop.run(() -> {
            loop.sockets().addReader(pair[0], calls::incrementAndGet);
            Fds.write(pair[1], "x");
            Turns.until(loop, () -> calls.get() >= 3);
            loop.sockets().removeReader(pair[0]);
        });
        Fds.close(pair);
    }

    @Test
    void oneRemovalUndoesThreeAdditions(EventLoop loop) {
        int[] pair = Fds.pair();
        for (int i = 0; i < 3; i++) {
            loop.sockets().addReader(pair[0], () -> {});
            loop.sockets().addWriter(pair[0], () -> {});
        }
        assertThat(loop.sockets().removeReader(pair[0])).isTrue();
        assertThat(loop.sockets().removeWriter(pair[0])).isTrue();
        assertThat(loop.sockets().removeReader(pair[0])).isFalse();
        assertThat(loop.sockets().removeWriter(pair[0])).isFalse();
        Fds.close(pair);
    }

    @Test
    void removedReaderLeavesTheKernelsSetAtOnce(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        loop.run(() -> {
            loop.sockets().addReader(pair[0], () -> {});
            Turns.next(loop, 2);
            assertThat(Fds.watchedBy(loop)).contains(pair[0]);
            loop.sockets().removeReader(pair[0]);
            assertThat(Fds.watchedBy(loop)).doesNotContain(pair[0]);
        });
        Fds.close(pair);
    }

    @Test
    void removedReaderOfARawSocketLeavesTheKernelsSetAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop)) {
                loop.sockets().addReader(server.fd(), () -> {});
                Turns.next(loop, 2);
                assertThat(Fds.watchedBy(loop)).contains(server.fd());
                loop.sockets().removeReader(server.fd());
                assertThat(Fds.watchedBy(loop)).doesNotContain(server.fd());
            }
        });
    }

    @Test
    void removedAndClosedAtOnceFreesTheNumber(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int i = 0; i < 50; i++) {
                int[] pair = Fds.pair();
                var called = loop.<Boolean>createFuture();
                loop.sockets().addReader(pair[0], () -> called.complete(true));
                Fds.write(pair[1], "x");
                assertThat(called.await()).isTrue();
                assertThat(loop.sockets().removeReader(pair[0])).isTrue();
                Fds.close(pair);
            }
        });
    }

    @Test
    void duplicateOfARemovedDescriptorDoesNotSpinTheLoop(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        int duplicate = Fds.dup(pair[0]);
        loop.run(() -> {
            loop.sockets().addReader(pair[0], () -> {});
            Fds.write(pair[1], "x");
            Turns.next(loop, 3);
            loop.sockets().removeReader(pair[0]);
            Fds.close(pair[0]);
            assertThat(Turns.whileIdle(loop)).isLessThan(20);
        });
        Fds.close(duplicate, pair[1]);
    }

    @Test
    void pollStaysArmedBetweenReceives(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getInputStream().transferTo(socket.getOutputStream());
            return true;
        });
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                for (int i = 0; i < 3; i++) {
                    var receive = loop.sockets().sockRecv(socket, 10);
                    loop.sockets()
                            .sockSendAll(socket, ByteBuffer.wrap("x".getBytes()))
                            .await();
                    assertThat(receive.await()).isEqualTo("x".getBytes());
                    assertThat(Fds.watchedBy(loop)).contains(socket.fd());
                }
            }
        });
    }

    @Test
    void dataThatNobodyWaitsForDisarmsAndIsNotLost(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        loop.run(() -> {
            try (var socket = loop.sockets().adopt(pair[0])) {
                var first = loop.sockets().sockRecv(socket, 10);
                Fds.write(pair[1], "a");
                assertThat(first.await()).isEqualTo("a".getBytes());
                Fds.write(pair[1], "b");
                Turns.until(loop, () -> !Fds.watchedBy(loop).contains(pair[0]));
                assertThat(Turns.whileIdle(loop)).isLessThan(20);
                assertThat(loop.sockets().sockRecv(socket, 10).await()).isEqualTo("b".getBytes());
                var third = loop.sockets().sockRecv(socket, 10);
                Fds.write(pair[1], "c");
                assertThat(third.await()).isEqualTo("c".getBytes());
            }
        });
        Fds.close(pair[1]);
    }

    @Test
    void peerThatEndsDoesNotSpinTheLoop(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        loop.run(() -> {
            try (var socket = loop.sockets().adopt(pair[0])) {
                var first = loop.sockets().sockRecv(socket, 10);
                Fds.write(pair[1], "a");
                first.await();
                Fds.close(pair[1]);
                assertThat(Turns.whileIdle(loop)).isLessThan(20);
                assertThat(loop.sockets().sockRecv(socket, 10).await()).isEmpty();
            }
        });
    }

    @Test
    void writerIsCalledUntilItIsRemoved(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        var calls = new AtomicInteger();
        loop.run(() -> {
            loop.sockets().addWriter(pair[0], calls::incrementAndGet);
            Turns.until(loop, () -> calls.get() >= 2);
            assertThat(loop.sockets().removeWriter(pair[0])).isTrue();
            int before = calls.get();
            assertThat(Turns.whileIdle(loop)).isLessThan(20);
            assertThat(calls).hasValue(before);
        });
        Fds.close(pair);
    }

    @Test
    void readerAndWriterShareADescriptor(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        loop.run(() -> {
            var read = loop.<Boolean>createFuture();
            var written = loop.<Boolean>createFuture();
            loop.sockets().addReader(pair[0], () -> {
                loop.sockets().removeReader(pair[0]);
                read.complete(true);
            });
            loop.sockets().addWriter(pair[0], () -> {
                loop.sockets().removeWriter(pair[0]);
                written.complete(true);
            });
            written.await();
            Turns.next(loop, 2);
            assertThat(Fds.watchedBy(loop)).contains(pair[0]);
            Fds.write(pair[1], "x");
            read.await();
            assertThat(Fds.watchedBy(loop)).doesNotContain(pair[0]);
        });
        Fds.close(pair);
    }

    @Test
    void callbackThatThrowsIsReportedAndStays(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        int[] pair = Fds.pair();
        var calls = new AtomicInteger();
        loop.run(() -> {
            loop.sockets().addReader(pair[0], () -> {
                Fds.read(pair[0]);
                calls.incrementAndGet();
                throw new StackOverflowError("x");
            });
            for (int i = 1; i <= 2; i++) {
                int calledThen = i;
                Fds.write(pair[1], "x");
                Turns.until(loop, () -> calls.get() == calledThen);
            }
            loop.sockets().removeReader(pair[0]);
        });
        Fds.close(pair);
        assertThat(errors.take())
                .hasSize(2)
                .allSatisfy(error -> assertThat(error.exception()).isInstanceOf(StackOverflowError.class));
    }

    @Test
    void whatCannotBeWatchedIsRefused(EventLoop loop) {
        int file;
        try (var arena = Arena.ofConfined()) {
            file = libc.memfd_create(arena.allocateFrom("x"), 0);
        }
        assertThatThrownBy(() -> loop.sockets().addReader(file, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("descriptor " + file);
        Fds.close(file);
        assertThatThrownBy(() -> loop.sockets().addReader(file, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("EBADF");
        assertThatThrownBy(() -> loop.sockets().addWriter(-1, () -> {})).isInstanceOf(IllegalArgumentException.class);
        assertThat(loop.sockets().removeReader(file)).isFalse();
    }

    @Test
    void operationAndCallbackExcludeEachOther(EventLoop loop) throws Exception {
        int[] pair = Fds.pair();
        try (var socket = loop.sockets().adopt(pair[0])) {
            var receive = loop.sockets().sockRecv(socket, 1);
            assertThatThrownBy(() -> loop.sockets().addReader(pair[0], () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("pending");
            receive.cancel();
            loop.sockets().addReader(pair[0], () -> {});
            assertThatThrownBy(() -> loop.sockets().sockRecv(socket, 1)).isInstanceOf(IllegalStateException.class);
            assertThat(loop.sockets().removeReader(pair[0])).isTrue();
            loop.sockets().sockRecv(socket, 1).cancel();
        }
        Fds.close(pair[1]);
    }

    @Test
    void descriptorThatIsClosedBeforeTheLoopRunsIsReported(EventLoop loop, LoopExtension.Errors errors) {
        int[] pair = Fds.pair();
        loop.sockets().addReader(pair[0], () -> {});
        Fds.close(pair);
        loop.runOnce();
        assertThat(errors.take())
                .singleElement()
                .satisfies(error -> assertThat(error.exception()).hasMessageContaining("descriptor " + pair[0]));
        assertThat(loop.sockets().removeReader(pair[0])).isFalse();
    }

    @Test
    void errorThatTheCallbackTookDoesNotEndTheWatch(EventLoop loop) throws Exception {
        int fd = libc.socket(libc.AF_INET(), libc.SOCK_DGRAM() | libc.SOCK_NONBLOCK(), 0);
        var results = new ArrayList<Integer>();
        loop.run(() -> {
            int port;
            try (var once = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
                port = once.getLocalPort();
            }
            try (var arena = Arena.ofConfined()) {
                var address = io.github.uvloop4j.uv.SocketAddresses.encode(loopback(port), arena);
                assertThat(libc.connect(fd, address, (int) address.byteSize())).isZero();
            }
            loop.sockets().addReader(fd, () -> results.add(Fds.read(fd)));
            Fds.write(fd, "to nobody");
            Turns.until(loop, () -> results.contains(-1));
            try (var peer = new DatagramSocket(port, InetAddress.ofLiteral("127.0.0.1"))) {
                Fds.write(fd, "to somebody");
                var packet = new DatagramPacket(new byte[100], 100);
                peer.receive(packet);
                peer.send(packet);
                Turns.until(loop, () -> results.contains("to somebody".length()));
            }
            loop.sockets().removeReader(fd);
        });
        Fds.close(fd);
    }
}
