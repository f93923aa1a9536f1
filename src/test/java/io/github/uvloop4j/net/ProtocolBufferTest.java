package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
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

/** The memory that data arrives in: lent for a call, or the protocol's own. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ProtocolBufferTest {
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
    void soItDoesForPartsAndForProtocolsWithAContext() throws Exception {
        var value = ScopedValue.<String>newInstance();
        for (boolean context : new boolean[] {false, true}) {
            var peer = sender("xyz");
            var options = LoopOptions.defaults().debug(true);
            try (var loop = EventLoop.create(context ? options.propagate(value) : options)) {
                var kept = new ArrayList<ByteBuffer>();
                var bound = new ArrayList<Boolean>();
                var recorder = new Recorder(loop) {
                    @Override
                    public void dataReceived(ByteBuffer data) {
                        bound.add(value.isBound());
                        kept.addAll(List.of(
                                data,
                                data.duplicate(),
                                data.slice(),
                                data.slice(0, 1),
                                data.asReadOnlyBuffer(),
                                data.duplicate().asReadOnlyBuffer().slice()));
                        super.dataReceived(data);
                    }
                };
                loop.run(() -> ScopedValue.where(value, "here").call(() -> {
                    connect(loop, recorder, peer.port());
                    return recorder.ended();
                }));
                assertThat(recorder.text()).isEqualTo("xyz");
                assertThat(bound).isNotEmpty().containsOnly(context);
                assertThat(kept)
                        .allSatisfy(buffer ->
                                assertThatThrownBy(() -> buffer.get(0)).isInstanceOf(IllegalStateException.class));
            }
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
}
