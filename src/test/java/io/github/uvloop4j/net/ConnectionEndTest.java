package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How connections of tasks end, and what those who wait are told. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionEndTest {
    /** An operation on a connection. */
    @FunctionalInterface
    private interface Operation {
        void run(Connection connection) throws Exception;
    }

    private static final List<Operation> READS = List.of(
            c -> c.read(ByteBuffer.allocate(8)),
            c -> c.read(ByteBuffer.allocateDirect(8)),
            c -> c.readExactly(8),
            Connection::readAll,
            Connection::readLine,
            c -> c.readUntil(new byte[] {9}),
            c -> c.transferTo(c));

    private static final List<Operation> WRITES = List.of(
            c -> c.write(new byte[1]),
            c -> c.writeLines(List.of(ByteBuffer.allocate(1), ByteBuffer.allocate(1))),
            Connection::drain,
            Connection::flush,
            Connection::shutdownOutput);

    private static void reset(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Sends a few bytes without a line's end, then waits for the other side. */
    private static Peers.Listening<Integer> idlePeer() throws Exception {
        return Peers.server(socket -> {
            socket.getOutputStream().write("abc".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            try {
                return socket.getInputStream().read();
            } catch (SocketException reset) {
                return -2;
            }
        });
    }

    @Test
    void everyMethodFailsAfterClose(EventLoop loop) throws Exception {
        for (var way : List.<Operation>of(Connection::close, Connection::abort, Connection::reset)) {
            var peer = idlePeer();
            loop.run(() -> {
                var connection = loop.net().openConnection("127.0.0.1", peer.port());
                // Bytes that were read ahead do not make a closed connection readable.
                assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(1);
                way.run(connection);
                connection.close();
                connection.abort();
                connection.reset();
                assertThat(connection.isClosing()).isTrue();
                for (int round = 0; round < 2; round++) {
                    for (var operation : READS) {
                        assertThatThrownBy(() -> operation.run(connection)).isInstanceOf(ClosedChannelException.class);
                    }
                    for (var operation : WRITES) {
                        assertThatThrownBy(() -> operation.run(connection)).isInstanceOf(ClosedChannelException.class);
                    }
                    connection.waitClosed().await(Recorder.LIMIT);
                }
                assertThat(connection.writeBufferSize()).isZero();
                assertThat(connection).asString().contains("closed");
            });
        }
    }

    @Test
    void closeFailsAReaderThatWaits(EventLoop loop) throws Exception {
        for (var way : List.<Operation>of(Connection::close, Connection::abort, Connection::reset)) {
            for (var operation : READS) {
                var peer = idlePeer();
                loop.run(() -> {
                    var connection = loop.net().openConnection("127.0.0.1", peer.port());
                    connection.readExactly(3);
                    var reader = loop.spawn(() -> operation.run(connection));
                    Recorder.turns(loop, 3);
                    assertThat(reader.isDone()).isFalse();
                    way.run(connection);
                    assertThatThrownBy(() -> reader.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
                    connection.waitClosed().await(Recorder.LIMIT);
                });
            }
        }
    }

    @Test
    void closeFailsAReaderOfALineAtOnceThoughMuchIsStillToBeSent(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(new byte[] {1, 2, 3});
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes().length;
        });
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            connection.writeBufferLimits(WriteLimits.high(1 << 30));
            connection.write(new byte[32 << 20]);
            var reader = loop.spawn(connection::readLine);
            connection.read(ByteBuffer.allocate(0));
            Recorder.turns(loop, 50);
            connection.close();
            assertThatThrownBy(() -> reader.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
            assertThat(connection.writeBufferSize()).isPositive();
            gate.complete(null);
            connection.waitClosed().await(Recorder.LIMIT);
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(32 << 20);
    }

    @Test
    void abortFailsAWriterThatWaits(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        for (var operation : List.<Operation>of(Connection::flush, c -> c.write(new byte[32 << 20]))) {
            var peer = Peers.server(socket -> gate.get(30, TimeUnit.SECONDS));
            loop.run(() -> {
                var connection = loop.net().openConnection("127.0.0.1", peer.port());
                connection.writeBufferLimits(WriteLimits.high(1 << 30));
                connection.write(new byte[32 << 20]);
                connection.writeBufferLimits(WriteLimits.DEFAULT);
                var writer = loop.spawn(() -> operation.run(connection));
                Recorder.turns(loop, 3);
                assertThat(writer.isDone()).isFalse();
                connection.abort();
                assertThatThrownBy(() -> writer.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
            });
        }
        gate.complete(null);
    }

    @Test
    void aResetOfThePeerFailsTheReaderWithItsCause(EventLoop loop) throws Exception {
        for (var operation : READS) {
            var peer = Peers.server(socket -> {
                socket.getInputStream().read();
                reset(socket);
                return null;
            });
            loop.run(() -> {
                var connection = loop.net().openConnection("127.0.0.1", peer.port());
                var reader = loop.spawn(() -> operation.run(connection));
                Recorder.turns(loop, 3);
                connection.write(new byte[1]);
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> reader.await(Recorder.LIMIT))
                            .isInstanceOf(SocketException.class)
                            .hasMessageContaining("127.0.0.1:" + peer.port())
                            .cause()
                            .isInstanceOfSatisfying(
                                    UvException.class,
                                    e -> assertThat(e.errno()).isEqualTo(UvErrno.ECONNRESET));
                }
                assertThatThrownBy(() -> connection.write(new byte[1])).isInstanceOf(SocketException.class);
                assertThatThrownBy(connection::drain).isInstanceOf(SocketException.class);
                connection.waitClosed().await(Recorder.LIMIT);
                connection.close();
            });
        }
    }

    @Test
    void aResetOfThePeerFailsTheWriter(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            reset(socket);
            return null;
        });
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            var writer = loop.spawn(() -> {
                while (true) {
                    connection.write(new byte[64 * 1024]);
                }
            });
            Recorder.turns(loop, 50);
            assertThat(writer.isDone()).isFalse();
            gate.complete(null);
            assertThatThrownBy(() -> writer.await(Recorder.LIMIT))
                    .isInstanceOf(SocketException.class)
                    .hasCauseInstanceOf(UvException.class);
            assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class);
            connection.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void waitClosedCompletesHoweverItEnds(EventLoop loop) throws Exception {
        var ways = List.<Operation>of(
                Connection::close,
                Connection::abort,
                Connection::reset,
                c -> {
                    // The peer's end is there, and nobody reads it.
                    c.shutdownOutput();
                    c.close();
                },
                c -> {
                    c.write(new byte[1 << 20]);
                    c.close();
                },
                c -> {
                    c.readAll();
                    c.close();
                });
        for (var way : ways) {
            var peer = Peers.server(socket -> {
                socket.shutdownOutput();
                try {
                    return socket.getInputStream().readAllBytes().length;
                } catch (SocketException reset) {
                    return -1;
                }
            });
            loop.run(() -> {
                var connection = loop.net().openConnection("127.0.0.1", peer.port());
                var closed = connection.waitClosed();
                assertThat(closed.isDone()).isFalse();
                way.run(connection);
                closed.await(Recorder.LIMIT);
                connection.waitClosed().await(Recorder.LIMIT);
            });
        }
    }

    @Test
    void aCancelledWaitForTheEndDoesNotEndTheWaitOfOthers(EventLoop loop) throws Exception {
        var peer = idlePeer();
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            var first = loop.spawn(() -> connection.waitClosed().await());
            var second = loop.spawn(() -> connection.waitClosed().await());
            Recorder.turns(loop, 2);
            first.cancel();
            assertThatThrownBy(() -> first.await(Recorder.LIMIT)).isInstanceOf(CancellationException.class);
            Recorder.turns(loop, 2);
            assertThat(second.isDone()).isFalse();
            connection.close();
            second.await(Recorder.LIMIT);
            connection.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void bytesThatCameBeforeAResetCanStillBeRead(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(new byte[] {1, 2, 3, 4});
            socket.getInputStream().read();
            reset(socket);
            return null;
        });
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(1);
            connection.write(new byte[1]);
            connection.waitClosed().await(Recorder.LIMIT);
            assertThat(connection.readExactly(3)).containsExactly(2, 3, 4);
            assertThatThrownBy(() -> connection.readExactly(1)).isInstanceOf(SocketException.class);
        });
    }

    @Test
    void namesStayKnownAfterClose(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> new InetSocketAddress(socket.getInetAddress(), socket.getPort()));
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            connection.readAll();
            connection.close();
            connection.waitClosed().await(Recorder.LIMIT);
            assertThat(connection.localAddress()).isEqualTo(Recorder.await(loop, peer.result()));
            assertThat(connection.peerAddress()).isEqualTo(new InetSocketAddress("127.0.0.1", peer.port()));
        });
    }

    @Test
    void theLoopsCloseEndsConnectionsThatAreStillOpen(EventLoop loop) throws Exception {
        var peer = idlePeer();
        var open = new ArrayList<Connection>();
        loop.run(() -> {
            open.add(loop.net().openConnection("127.0.0.1", peer.port()));
        });
        loop.close();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isNegative();
        assertThat(open.getFirst().isClosing()).isTrue();
        assertThatThrownBy(() -> open.getFirst().write(new byte[1])).isInstanceOf(IllegalStateException.class);
    }
}
