package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading into buffers of the protocol's own. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class BufferedProtocolTest {
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
