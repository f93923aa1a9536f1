package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory that data arrives in: lent for a call, or the protocol's own. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ProtocolBufferTest {
    /** Collects what arrives in a buffer of its own. */
    private static class Buffered implements BufferedProtocol {
        final LoopFuture<@Nullable Void> lost;
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        final ByteBuffer buffer;
        final int offset;
        int updates;
        boolean eof;

        @Nullable
        Throwable cause;

        Buffered(EventLoop loop, ByteBuffer buffer, int offset) {
            this.lost = loop.createFuture();
            this.buffer = buffer;
            this.offset = offset;
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            assertThat(sizeHint).isPositive();
            return buffer.clear().position(offset);
        }

        @Override
        public void bufferUpdated(int count) {
            updates++;
            assertThat(buffer.position()).isEqualTo(offset);
            var bytes = new byte[count];
            buffer.get(offset, bytes);
            received.writeBytes(bytes);
        }

        @Override
        public boolean eofReceived() {
            eof = true;
            return false;
        }

        @Override
        public void connectionLost(@Nullable Throwable error) {
            cause = error;
            lost.complete(null);
        }

        @Nullable
        Throwable ended() throws Exception {
            lost.await(Recorder.LIMIT);
            return cause;
        }
    }

    private static <P extends BaseProtocol> Connected<P> connect(EventLoop loop, P protocol, int port)
            throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    private static Peers.Listening<Object> sender(byte[] bytes) throws Exception {
        return Peers.server(socket -> {
            socket.getOutputStream().write(bytes);
            return null;
        });
    }

    private static Peers.Listening<Object> sender(String text) throws Exception {
        return sender(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aBufferThatIsKeptReadsNothingAfterTheCall(EventLoop loop) throws Exception {
        var kept = new ArrayList<ByteBuffer>();
        var direct = new ArrayList<Boolean>();
        for (int i = 0; i < 2; i++) {
            var peer = sender("secret of connection " + i);
            var recorder = new Recorder(loop) {
                @Override
                public void dataReceived(ByteBuffer data) {
                    kept.add(data);
                    direct.add(data.isDirect());
                    kept.forEach(buffer ->
                            assertThat(buffer == data || !readable(buffer)).isTrue());
                }
            };
            loop.run(() -> {
                connect(loop, recorder, peer.port());
                assertThat(recorder.ended()).isNull();
            });
        }
        assertThat(direct).hasSizeGreaterThanOrEqualTo(2).containsOnly(true);
        assertThat(kept).noneMatch(ProtocolBufferTest::readable);
    }

    /** Whether a buffer lets bytes be read; in debug mode a kept one throws. */
    private static boolean readable(ByteBuffer buffer) {
        try {
            return buffer.hasRemaining() && buffer.get(buffer.position()) != 0;
        } catch (IllegalStateException revoked) {
            return false;
        }
    }

    @Test
    void debugModeRevokesABufferThatIsKept() throws Exception {
        var peer = sender("x");
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(true))) {
            var kept = new ByteBuffer[1];
            var recorder = new Recorder(loop) {
                @Override
                public void dataReceived(ByteBuffer data) {
                    super.dataReceived(data.duplicate());
                    kept[0] = data;
                }
            };
            loop.run(() -> {
                connect(loop, recorder, peer.port());
                recorder.ended();
            });
            assertThat(recorder.text()).isEqualTo("x");
            assertThatThrownBy(() -> kept[0].get(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aProtocolMayLeaveTheBuffersPositionAndLimitInAnyState(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            for (int i = 0; i < 50; i++) {
                socket.getOutputStream().write(new byte[] {1, 2, 3, 4});
                assertThat(socket.getInputStream().read()).isEqualTo(1);
            }
            return null;
        });
        var sum = new int[1];
        var recorder = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                for (int i = data.position(); i < data.limit(); i++) {
                    sum[0] += data.get(i);
                }
                data.position(data.limit() / 2).limit(data.limit() / 2);
                data.mark();
                made.resultNow().write(new byte[] {1});
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            assertThat(recorder.ended()).isNull();
        });
        assertThat(sum[0]).isEqualTo(50 * 10);
    }

    @Tag("cells")
    @Test
    void theBorrowedBufferCanBeWrittenOnToAnyConnection(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(3 << 20);
        var gate = new CompletableFuture<Void>();
        var target = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes();
        });
        var source = sender(bytes);
        var out = new Recorder(loop);
        var in = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                var transport = out.made.resultNow();
                // A view, a part of it, and the buffer itself.
                int middle = data.position() + data.remaining() / 2;
                transport.write(data.slice(data.position(), middle - data.position()));
                transport.write(data.position(middle));
                assertThat(data.hasRemaining()).isFalse();
            }
        };
        loop.run(() -> {
            var outgoing = connect(loop, out, target.port()).transport();
            connect(loop, in, source.port());
            assertThat(in.ended()).isNull();
            gate.complete(null);
            outgoing.close();
            assertThat(out.ended()).isNull();
        });
        assertThat(target.result().get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSmallBufferOfTheProtocolReceivesEverything(boolean direct, EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(123_123);
        var peer = sender(bytes);
        var buffer = direct ? ByteBuffer.allocateDirect(57) : ByteBuffer.allocate(57);
        var protocol = new Buffered(loop, buffer, 7);
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isNull();
        });
        assertThat(protocol.received.toByteArray()).isEqualTo(bytes);
        assertThat(protocol.updates).isGreaterThanOrEqualTo(bytes.length / 50);
        assertThat(protocol.eof).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSliceOfTheProtocolReceivesEverything(boolean direct, EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(100_000);
        var peer = sender(bytes);
        var whole = direct ? ByteBuffer.allocateDirect(4096) : ByteBuffer.allocate(4096);
        var protocol = new Buffered(loop, whole.slice(1000, 1000), 3);
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isNull();
        });
        assertThat(protocol.received.toByteArray()).isEqualTo(bytes);
        for (int i = 0; i < 4096; i++) {
            if (i < 1003 || i >= 2000) {
                assertThat(whole.get(i)).isZero();
            }
        }
    }

    @Test
    void aBufferLargerThanTheLoopsReceivesEverything(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(5 << 20);
        for (var buffer : new ByteBuffer[] {ByteBuffer.allocate(1 << 20), ByteBuffer.allocateDirect(1 << 20)}) {
            var peer = sender(bytes);
            var protocol = new Buffered(loop, buffer, 0);
            loop.run(() -> {
                connect(loop, protocol, peer.port());
                assertThat(protocol.ended()).isNull();
            });
            assertThat(protocol.received.toByteArray()).isEqualTo(bytes);
        }
    }

    @Test
    void aBufferWithoutRoomIsAFatalMistake(EventLoop loop, Errors errors) throws Exception {
        var full = new ByteBuffer[] {
            ByteBuffer.allocate(0),
            ByteBuffer.allocateDirect(8).position(8),
            ByteBuffer.allocate(8).asReadOnlyBuffer()
        };
        for (var buffer : full) {
            var peer = Peers.server(socket -> {
                socket.getOutputStream().write(1);
                return socket.getInputStream().read();
            });
            var protocol = new Buffered(loop, buffer, 0) {
                @Override
                public ByteBuffer getBuffer(int sizeHint) {
                    return buffer;
                }
            };
            loop.run(() -> {
                connect(loop, protocol, peer.port());
                assertThat(protocol.ended())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("getBuffer");
            });
            assertThat(protocol.updates).isZero();
        }
        assertThat(errors.take()).hasSize(full.length);
    }

    @Test
    void noBufferAtAllIsAFatalMistake(EventLoop loop, Errors errors) throws Exception {
        var peer = sender("x");
        var protocol = new Buffered(loop, ByteBuffer.allocate(1), 0) {
            @Override
            @SuppressWarnings("NullAway")
            public ByteBuffer getBuffer(int sizeHint) {
                return null;
            }
        };
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isInstanceOf(NullPointerException.class);
        });
        assertThat(errors.take()).hasSize(1);
    }

    @Test
    void whatGetBufferThrowsEndsTheConnection(EventLoop loop, Errors errors) throws Exception {
        var peer = sender("x");
        var error = new OutOfMemoryError("mine");
        var protocol = new Buffered(loop, ByteBuffer.allocate(1), 0) {
            @Override
            public ByteBuffer getBuffer(int sizeHint) {
                throw error;
            }
        };
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isSameAs(error);
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).isSameAs(error));
    }

    @Test
    void whatBufferUpdatedThrowsEndsTheConnection(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(1);
            return socket.getInputStream().read();
        });
        var error = new ReadOnlyBufferException();
        var protocol = new Buffered(loop, ByteBuffer.allocateDirect(8), 0) {
            @Override
            public void bufferUpdated(int count) {
                throw error;
            }
        };
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isSameAs(error);
        });
        assertThat(protocol.eof).isFalse();
        assertThat(errors.take()).hasSize(1);
    }

    @Test
    void abortAndCloseInGetBufferAreSafe(EventLoop loop) throws Exception {
        for (int way = 0; way < 3; way++) {
            int chosen = way;
            var peer = Peers.server(socket -> {
                socket.getOutputStream().write(1);
                return socket.getInputStream().read();
            });
            var transport = new Transport[1];
            var protocol = new Buffered(loop, ByteBuffer.allocateDirect(8), 0) {
                @Override
                public void connectionMade(Transport made) {
                    transport[0] = made;
                }

                @Override
                public ByteBuffer getBuffer(int sizeHint) {
                    switch (chosen) {
                        case 0 -> transport[0].abort();
                        case 1 -> transport[0].close();
                        default -> transport[0].reset();
                    }
                    return super.getBuffer(sizeHint);
                }
            };
            loop.run(() -> {
                connect(loop, protocol, peer.port());
                assertThat(protocol.ended()).isNull();
            });
            assertThat(protocol.updates).isZero();
        }
    }

    @Test
    void pauseReadingInGetBufferLosesNothing(EventLoop loop) throws Exception {
        var peer = sender("abc");
        var transport = new Transport[1];
        var protocol = new Buffered(loop, ByteBuffer.allocateDirect(8), 0) {
            private int calls;

            @Override
            public void connectionMade(Transport made) {
                transport[0] = made;
            }

            @Override
            public ByteBuffer getBuffer(int sizeHint) {
                if (calls++ == 0) {
                    transport[0].pauseReading();
                    loop.callSoon(transport[0]::resumeReading);
                }
                return super.getBuffer(sizeHint);
            }
        };
        loop.run(() -> {
            connect(loop, protocol, peer.port());
            assertThat(protocol.ended()).isNull();
        });
        assertThat(protocol.received.toString(StandardCharsets.UTF_8)).isEqualTo("abc");
    }

    @Test
    void theKindOfProtocolMayChangeWhileConnected(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write('0' + i);
                assertThat(socket.getInputStream().read()).isEqualTo('n');
            }
            return null;
        });
        var first = new Recorder(loop);
        var second = new Buffered(loop, ByteBuffer.allocateDirect(16), 1);
        var third = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, first, peer.port()).transport();
            Recorder.until(loop, () -> first.size() == 1);
            transport.protocol(second);
            transport.write("n".getBytes(StandardCharsets.UTF_8));
            Recorder.until(loop, () -> second.received.size() == 1);
            transport.protocol(third);
            transport.write("n".getBytes(StandardCharsets.UTF_8));
            Recorder.until(loop, () -> third.size() == 1);
            transport.write("n".getBytes(StandardCharsets.UTF_8));
            third.ended();
        });
        assertThat(first.text() + second.received.toString(StandardCharsets.UTF_8) + third.text())
                .isEqualTo("012");
        assertThat(first.events).doesNotContain("lost");
    }

    @Test
    void aProtocolThatChangesTheProtocolInACallbackHandsOverTheRest(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(1 << 20);
        var peer = sender(bytes);
        var second = new Buffered(loop, ByteBuffer.allocate(1000), 0);
        var first = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                super.dataReceived(data);
                made.resultNow().protocol(second);
            }
        };
        loop.run(() -> {
            connect(loop, first, peer.port());
            second.ended();
        });
        var all = new ByteArrayOutputStream();
        all.writeBytes(first.received.toByteArray());
        all.writeBytes(second.received.toByteArray());
        assertThat(all.toByteArray()).isEqualTo(bytes);
    }
}
