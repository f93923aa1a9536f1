package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing in tasks. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionWriteTest {
    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    /** Reads nothing before the gate opens, then everything. */
    private Peers.Listening<byte[]> slowPeer() throws Exception {
        return Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes();
        });
    }

    /** Writes until the task parks; returns the task and how many blocks it had written by then. */
    private static Task<Integer> parkedWriter(EventLoop loop, Connection connection, int blocks) throws Exception {
        var written = new int[1];
        var task = loop.<Integer>spawn("writer", () -> {
            var block = new byte[64 * 1024];
            for (; written[0] < blocks; written[0]++) {
                java.util.Arrays.fill(block, (byte) written[0]);
                connection.write(block);
            }
            return written[0];
        });
        int before;
        do {
            before = written[0];
            Recorder.turns(loop, 50);
        } while (written[0] != before);
        assertThat(task.isDone()).isFalse();
        return task;
    }

    private static void assertBlocks(byte[] all, int blocks) {
        assertThat(all).hasSize(blocks * 64 * 1024);
        for (int i = 0; i < blocks; i++) {
            assertThat(all[i * 64 * 1024]).isEqualTo((byte) i);
            assertThat(all[(i + 1) * 64 * 1024 - 1]).isEqualTo((byte) i);
        }
    }

    @Tag("cells")
    @Test
    void aWriterParksAboveTheHighMarkAndTheLoopGoesOn(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var writer = parkedWriter(loop, connection, 400);
                assertThat(connection.writeBufferSize()).isGreaterThan(64 * 1024);
                gate.complete(null);
                assertThat(writer.await(Recorder.LIMIT)).isEqualTo(400);
            }
            Recorder.await(loop, peer.result());
        });
        assertBlocks(peer.result().get(30, TimeUnit.SECONDS), 400);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneLargeWriteArrivesWhole(boolean direct, EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(32 << 20);
        var buffer = direct ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip() : ByteBuffer.wrap(bytes);
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.write(buffer);
                assertThat(buffer.hasRemaining()).isFalse();
            }
            Recorder.await(loop, peer.result());
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
    }

    @Test
    void flushReturnsWhenTheKernelHasItAll(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.writeBufferLimits(WriteLimits.high(1 << 30));
                connection.write(new byte[32 << 20]);
                assertThat(connection.writeBufferSize()).isPositive();
                connection.drain();
                assertThat(connection.writeBufferSize()).isPositive();
                var flushed = loop.spawn(connection::flush);
                Recorder.turns(loop, 20);
                assertThat(flushed.isDone()).isFalse();
                gate.complete(null);
                flushed.await(Recorder.LIMIT);
                assertThat(connection.writeBufferSize()).isZero();
                connection.flush();
            }
            Recorder.await(loop, peer.result());
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).hasSize(32 << 20);
    }

    @Test
    void drainReturnsAtTheLowMark(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var limits = new WriteLimits(1 << 20, 1 << 19);
                connection.writeBufferLimits(WriteLimits.high(1 << 30));
                connection.write(new byte[32 << 20]);
                connection.writeBufferLimits(limits);
                var drained = loop.<Long>spawn(() -> {
                    connection.drain();
                    return connection.writeBufferSize();
                });
                Recorder.turns(loop, 20);
                assertThat(drained.isDone()).isFalse();
                gate.complete(null);
                assertThat(drained.await(Recorder.LIMIT)).isLessThanOrEqualTo(limits.low());
            }
            Recorder.await(loop, peer.result());
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).hasSize(32 << 20);
    }

    @Test
    void aCancelledWriterLeavesTheStreamInOrder(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var written = new int[1];
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var writer = loop.spawn(() -> {
                    var block = new byte[64 * 1024];
                    while (true) {
                        java.util.Arrays.fill(block, (byte) written[0]++);
                        connection.write(block);
                    }
                });
                int before;
                do {
                    before = written[0];
                    Recorder.turns(loop, 50);
                } while (written[0] != before);
                writer.cancel();
                assertThatThrownBy(() -> writer.await(Recorder.LIMIT)).isInstanceOf(CancellationException.class);
                gate.complete(null);
                var block = new byte[64 * 1024];
                java.util.Arrays.fill(block, (byte) written[0]++);
                connection.write(block);
            }
            Recorder.await(loop, peer.result());
        });
        assertBlocks(peer.result().get(30, TimeUnit.SECONDS), written[0]);
    }

    @Test
    void aSecondWriterThatHasToWaitIsRefused(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            var writer = parkedWriter(loop, connection, 400);
            assertThatThrownBy(connection::drain)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("writer");
            gate.complete(null);
            writer.await(Recorder.LIMIT);
            connection.close();
            connection.waitClosed().await(Recorder.LIMIT);
        });
        assertBlocks(peer.result().get(30, TimeUnit.SECONDS), 400);
    }

    @Test
    void oneTaskReadsWhileAnotherWrites(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(8 << 20);
        var peer = Peers.server(socket -> {
            var writer = Thread.ofPlatform().daemon().start(() -> {
                try {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            var all = socket.getInputStream().readAllBytes();
            writer.join();
            return all;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var writer = loop.spawn(() -> {
                    connection.write(bytes);
                    connection.shutdownOutput();
                });
                assertThat(connection.readAll()).isEqualTo(bytes);
                writer.await(Recorder.LIMIT);
            }
            Recorder.await(loop, peer.result());
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
    }

    @Test
    void shutdownOutputEndsWritingOnly(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(all);
            return null;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.write("half");
                connection.shutdownOutput();
                connection.shutdownOutput();
                assertThatThrownBy(() -> connection.write("x")).isInstanceOf(IllegalStateException.class);
                assertThat(new String(connection.readAll(), StandardCharsets.UTF_8))
                        .isEqualTo("half");
            }
        });
    }

    @Test
    void writeLinesKeepsItsOrderAndHeedsTheHighMark(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.writeLines(List.of());
                var lines = new ArrayList<ByteBuffer>();
                for (int i = 0; i < 300; i++) {
                    var block = new byte[64 * 1024];
                    java.util.Arrays.fill(block, (byte) i);
                    lines.add(ByteBuffer.wrap(block));
                }
                var task = loop.spawn(() -> connection.writeLines(lines));
                Recorder.turns(loop, 20);
                assertThat(task.isDone()).isFalse();
                gate.complete(null);
                task.await(Recorder.LIMIT);
            }
            Recorder.await(loop, peer.result());
        });
        assertBlocks(peer.result().get(30, TimeUnit.SECONDS), 300);
    }

    @Test
    void smallWritesAreNotHeldBack(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            int first = socket.getInputStream().read();
            socket.getOutputStream().write(first + 1);
            return null;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.write(new byte[] {1});
                // No turn of the loop in between: the peer has the byte all the same.
                peer.result().get(30, TimeUnit.SECONDS);
                assertThat(connection.readExactly(1)).containsExactly(2);
            }
        });
    }
}
