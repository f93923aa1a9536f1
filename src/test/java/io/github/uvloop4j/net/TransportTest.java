package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A protocol's life and its transport's methods. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TransportTest {
    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static <P extends BaseProtocol> Connected<P> connect(EventLoop loop, P protocol, int port)
            throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    @Tag("cells")
    @Test
    void callbacksComeInTheirOrder(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        assertThat(recorder.text()).isEqualTo("hello");
        assertThat(recorder.cause).isNull();
    }

    @Test
    void connectionMadeComesBeforeTheConnectionIsReturned(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var connected = connect(loop, recorder, peer.port());
            assertThat(recorder.events).containsExactly("made");
            assertThat(connected.protocol()).isSameAs(recorder);
            assertThat(connected.transport()).isSameAs(recorder.transport());
            assertThat(connected.transport().protocol()).isSameAs(recorder);
            connected.transport().close();
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "lost");
    }

    @Test
    void aRaisingConnectionMadeStillConnectsAndIsLostLater(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop) {
            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                throw new IllegalArgumentException("mine");
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port()).transport().close();
            assertThat(recorder.ended()).isNull();
        });
        assertThat(errors.take()).singleElement().satisfies(context -> {
            assertThat(context.exception()).hasMessage("mine");
            assertThat(context.message()).contains("connectionMade");
            assertThat(context.source()).isSameAs(recorder);
        });
    }

    @Test
    void abortInConnectionMadeEndsItWithoutData(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(1);
            return socket.getInputStream().read();
        });
        var recorder = new Recorder(loop) {
            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                transport.abort();
            }
        };
        loop.run(() -> {
            assertThat(connect(loop, recorder, peer.port()).transport().isClosing())
                    .isTrue();
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "lost");
        assertThat(recorder.cause).isNull();
    }

    @Test
    void writesFromCallbacksKeepTheirOrder(EventLoop loop) throws Exception {
        int size = 6 * 1024;
        int count = 100;
        var peer = Peers.server(socket -> {
            var in = socket.getInputStream();
            var first = in.readNBytes(size * count);
            socket.getOutputStream().write('x');
            var second = in.readAllBytes();
            return List.of(first, second);
        });
        var recorder = new Recorder(loop) {
            private void burst(Transport transport, int start) {
                for (int i = 0; i < count; i++) {
                    var block = new byte[size];
                    java.util.Arrays.fill(block, (byte) (start + i));
                    transport.write(block);
                }
            }

            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                burst(transport, 0);
            }

            @Override
            public void dataReceived(ByteBuffer data) {
                var transport = made.resultNow();
                burst(transport, 100);
                transport.close();
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        var both = peer.result().get(30, TimeUnit.SECONDS);
        for (int half = 0; half < 2; half++) {
            assertThat(both.get(half)).hasSize(size * count);
            for (int i = 0; i < count; i++) {
                assertThat(both.get(half)[i * size]).isEqualTo((byte) (half * 100 + i));
                assertThat(both.get(half)[(i + 1) * size - 1]).isEqualTo((byte) (half * 100 + i));
            }
        }
    }

    @Test
    void everyKindOfBufferIsSentWhole(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var transport = connect(loop, recorder, peer.port()).transport();
            var heap = utf8("[heap]");
            transport.write(heap);
            assertThat(heap.hasRemaining()).isFalse();
            transport.write(utf8("..slice..").position(2).limit(7).slice());
            transport.write(utf8("[read only]").asReadOnlyBuffer());
            var direct = ByteBuffer.allocateDirect(64);
            direct.put("xx[direct]xx".getBytes(StandardCharsets.UTF_8))
                    .position(2)
                    .limit(10);
            transport.write(direct);
            assertThat(direct.position()).isEqualTo(10);
            transport.write(direct.duplicate().position(0).limit(12).slice(2, 8).asReadOnlyBuffer());
            transport.write("[array]".getBytes(StandardCharsets.UTF_8));
            transport.write(ByteBuffer.allocate(0));
            transport.write(ByteBuffer.allocateDirect(0));
            transport.close();
            recorder.ended();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("[heap]slice[read only][direct][direct][array]");
    }

    @Test
    void theBufferIsTheCallersAgainAtOnce(EventLoop loop) throws Exception {
        int count = 400;
        int size = 32 * 1024;
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes();
        });
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var transport = connect(loop, recorder, peer.port()).transport();
            var heap = new byte[size];
            var direct = ByteBuffer.allocateDirect(size);
            for (int i = 0; i < count; i++) {
                if (i % 2 == 0) {
                    java.util.Arrays.fill(heap, (byte) i);
                    transport.write(heap);
                } else {
                    direct.clear();
                    while (direct.hasRemaining()) {
                        direct.put((byte) i);
                    }
                    transport.write(direct.flip());
                }
            }
            assertThat(transport.writeBufferSize()).isPositive();
            gate.complete(null);
            transport.close();
            assertThat(recorder.ended()).isNull();
        });
        var all = peer.result().get(30, TimeUnit.SECONDS);
        assertThat(all).hasSize(count * size);
        for (int i = 0; i < count; i++) {
            assertThat(all[i * size]).isEqualTo((byte) i);
            assertThat(all[(i + 1) * size - 1]).isEqualTo((byte) i);
        }
    }

    @Test
    void writeLinesKeepsTheOrderOfMoreBuffersThanOneCallTakes(EventLoop loop) throws Exception {
        var expected = new ByteArrayOutputStream();
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var transport = connect(loop, recorder, peer.port()).transport();
            for (int round = 0; round < 2; round++) {
                var lines = new ArrayList<ByteBuffer>();
                for (int i = 0; i < 60; i++) {
                    var bytes = Recorder.pattern(round * 7 + 31 * 1024 + i);
                    expected.writeBytes(bytes);
                    var buffer =
                            i % 2 == 0 ? ByteBuffer.allocate(bytes.length) : ByteBuffer.allocateDirect(bytes.length);
                    lines.add(buffer.put(bytes).flip());
                }
                transport.writeLines(lines);
                assertThat(lines).noneMatch(ByteBuffer::hasRemaining);
            }
            transport.writeLines(List.of());
            transport.writeLines(List.of(utf8("end")));
            expected.writeBytes("end".getBytes(StandardCharsets.UTF_8));
            transport.close();
            recorder.ended();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(expected.toByteArray());
    }

    @Test
    void eofReceivedMayKeepTheWritingSide(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write('q');
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        });
        var recorder = new Recorder(loop).keepWriting();
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            recorder.eof.await(Recorder.LIMIT);
            Recorder.turns(loop, 5);
            assertThat(transport.isClosing()).isFalse();
            assertThat(transport.isReading()).isFalse();
            transport.resumeReading();
            Recorder.turns(loop, 5);
            transport.write(utf8("answer"));
            transport.close();
            recorder.ended();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("answer");
        assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
    }

    @Test
    void writeEofEndsTheWritingSideOnlyAndIsRepeatable(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var all = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(all);
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            assertThat(transport.canWriteEof()).isTrue();
            transport.write(utf8("to the end"));
            transport.writeEof();
            transport.writeEof();
            assertThatThrownBy(() -> transport.write(utf8("x"))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> transport.writeLines(List.of(utf8("x"))))
                    .isInstanceOf(IllegalStateException.class);
            recorder.ended();
        });
        assertThat(recorder.text()).isEqualTo("to the end");
        assertThat(recorder.cause).isNull();
    }

    @Test
    void closeSendsWhatWasWrittenFirst(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(10 << 20);
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes();
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(bytes);
            assertThat(transport.writeBufferSize()).isPositive();
            transport.close();
            transport.close();
            gate.complete(null);
            assertThat(transport.isClosing()).isTrue();
            assertThat(recorder.ended()).isNull();
            assertThat(transport.writeBufferSize()).isZero();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
        assertThat(recorder.events).doesNotContain("eof").endsWith("lost");
    }

    @Test
    void resetIsAnErrorForThePeer(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.reset();
            transport.reset();
            assertThat(recorder.ended()).isNull();
        });
        assertThat(peer.result())
                .failsWithin(Recorder.LIMIT)
                .withThrowableThat()
                .withMessageContaining("reset");
    }
}
