package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Water marks. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TransportFlowTest {
    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    private Peers.Listening<Integer> slowPeer() throws Exception {
        return Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes().length;
        });
    }

    private static Connected<Recorder> connect(EventLoop loop, Recorder protocol, int port) throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    /** Writes until the kernel takes no more and at least a byte is queued. */
    private static long fill(Transport transport) {
        long written = 0;
        var block = new byte[64 * 1024];
        while (transport.writeBufferSize() == 0) {
            transport.write(block);
            written += block.length;
        }
        return written;
    }

    @Test
    void theDefaultsAre64And16KiB(EventLoop loop) throws Exception {
        var peer = slowPeer();
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var transport = connect(loop, recorder, peer.port()).transport();
            assertThat(transport.writeBufferLimits()).isEqualTo(new WriteLimits(65_536, 16_384));
            gate.complete(null);
            transport.close();
            recorder.ended();
        });
    }

    @ParameterizedTest
    @CsvSource({"4096,1024", "3,0", "0,0"})
    void aHighMarkAloneHasAQuarterOfItAsLowMark(int high, int low) {
        assertThat(WriteLimits.high(high)).isEqualTo(new WriteLimits(high, low));
    }

    @Test
    void aLowMarkAloneHasFourTimesOfItAsHighMark() {
        assertThat(WriteLimits.low(1024)).isEqualTo(new WriteLimits(4096, 1024));
        assertThatThrownBy(() -> WriteLimits.low(Integer.MAX_VALUE / 2)).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @CsvSource({"1,2", "-1,-1", "0,-1"})
    void marksOutOfOrderAreRefused(int high, int low) {
        assertThatThrownBy(() -> new WriteLimits(high, low))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("high " + high)
                .hasMessageContaining("low " + low);
    }

    @Tag("cells")
    @Test
    void pausesAboveTheHighMarkAndResumesAtTheLowOne(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var sizes = new ArrayList<Long>();
        var recorder = new Recorder(loop) {
            @Override
            public void pauseWriting() {
                super.pauseWriting();
                sizes.add(made.resultNow().writeBufferSize());
            }

            @Override
            public void resumeWriting() {
                super.resumeWriting();
                sizes.add(made.resultNow().writeBufferSize());
            }
        };
        var written = new long[1];
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            var limits = new WriteLimits(1 << 20, 1 << 18);
            transport.writeBufferLimits(limits);
            written[0] = fill(transport);
            transport.write(new byte[(int) (limits.high() - transport.writeBufferSize())]);
            written[0] += limits.high() - 0L;
            assertThat(transport.writeBufferSize()).isEqualTo(limits.high());
            assertThat(recorder.events).containsExactly("made");
            transport.write(new byte[1]);
            assertThat(recorder.events).containsExactly("made", "pause");
            transport.write(new byte[1]);
            assertThat(recorder.events).containsExactly("made", "pause");
            assertThat(transport.writeBufferSize()).isEqualTo(limits.high() + 2L);
            gate.complete(null);
            Recorder.until(loop, () -> recorder.events.contains("resume"));
            assertThat(sizes.get(0)).isEqualTo(limits.high() + 1L);
            assertThat(sizes.get(1)).isLessThanOrEqualTo(limits.low());
            transport.close();
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "pause", "resume", "lost");
    }

    @Test
    void theBufferSizeCountsWhatLibuvHoldsToo(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            fill(transport);
            long before = transport.writeBufferSize();
            Recorder.turns(loop, 3);
            long handedOver = transport.writeBufferSize();
            assertThat(handedOver).isPositive().isLessThanOrEqualTo(before);
            transport.write(new byte[1000]);
            assertThat(transport.writeBufferSize()).isEqualTo(handedOver + 1000);
            gate.complete(null);
            Recorder.until(loop, () -> transport.writeBufferSize() == 0);
            transport.close();
            recorder.ended();
        });
    }

    @Test
    void lowerMarksPauseAtOnceAndHigherOnesResume(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.writeBufferLimits(WriteLimits.high(1 << 30));
            fill(transport);
            assertThat(recorder.events).containsExactly("made");
            transport.writeBufferLimits(new WriteLimits(0, 0));
            assertThat(recorder.events).containsExactly("made", "pause");
            transport.writeBufferLimits(new WriteLimits(1 << 30, 1 << 29));
            assertThat(recorder.events).containsExactly("made", "pause", "resume");
            gate.complete(null);
            transport.close();
            recorder.ended();
        });
    }

    @Test
    void nothingIsResumedAfterTheEnd(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.writeBufferLimits(new WriteLimits(0, 0));
            fill(transport);
            transport.abort();
            recorder.ended();
            transport.writeBufferLimits(WriteLimits.DEFAULT);
            gate.complete(null);
            Recorder.turns(loop, 3);
        });
        assertThat(recorder.events).containsExactly("made", "pause", "lost");
    }

    @Test
    void writeLinesHeedsTheHighMark(EventLoop loop) throws Exception {
        var peer = slowPeer();
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.writeLines(Collections.nCopies(400, ByteBuffer.allocate(0)));
            assertThat(recorder.events).containsExactly("made");
            var lines = new ArrayList<ByteBuffer>();
            for (int i = 0; i < 400; i++) {
                lines.add(ByteBuffer.allocate(64 * 1024));
            }
            transport.writeLines(lines);
            assertThat(recorder.events).containsExactly("made", "pause");
            gate.complete(null);
            transport.close();
            recorder.ended();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(400 * 64 * 1024);
    }

    @Test
    void whatPauseAndResumeThrowIsReportedAndTheConnectionLives(EventLoop loop, Errors errors) throws Exception {
        var peer = slowPeer();
        var recorder = new Recorder(loop) {
            @Override
            public void pauseWriting() {
                super.pauseWriting();
                throw new IllegalStateException("pause");
            }

            @Override
            public void resumeWriting() {
                super.resumeWriting();
                throw new Error("resume");
            }
        };
        var sent = new long[1];
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.writeBufferLimits(new WriteLimits(0, 0));
            sent[0] = fill(transport);
            gate.complete(null);
            Recorder.until(loop, () -> recorder.events.contains("resume"));
            transport.write(new byte[10]);
            transport.close();
            assertThat(recorder.ended()).isNull();
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo((int) sent[0] + 10);
        assertThat(errors.take())
                .extracting(context -> context.exception().getMessage())
                .containsExactly("pause", "resume");
    }

    @Test
    void aProtocolThatClosesInResumeWritingIsLostOnce(EventLoop loop) throws Exception {
        for (var way : List.<java.util.function.Consumer<Transport>>of(
                Transport::close, Transport::abort, Transport::reset, Transport::writeEof)) {
            var open = new CompletableFuture<Void>();
            var peer = Peers.server(socket -> {
                open.get(30, TimeUnit.SECONDS);
                try {
                    return socket.getInputStream().readAllBytes().length;
                } catch (java.net.SocketException reset) {
                    return -1;
                }
            });
            var recorder = new Recorder(loop) {
                @Override
                public void resumeWriting() {
                    super.resumeWriting();
                    way.accept(made.resultNow());
                }
            };
            loop.run(() -> {
                var transport = connect(loop, recorder, peer.port()).transport();
                transport.writeBufferLimits(new WriteLimits(0, 0));
                fill(transport);
                open.complete(null);
                assertThat(recorder.ended()).isNull();
                Recorder.turns(loop, 3);
            });
            assertThat(recorder.events.stream().filter("lost"::equals)).hasSize(1);
        }
    }

    @Test
    void resumeWritingMayWriteToAnotherTransportThatIsBeingFlushed(EventLoop loop) throws Exception {
        int extra = 300_000;
        var peers = List.of(slowPeer(), slowPeer());
        var recorders = new ArrayList<Recorder>();
        for (int i = 0; i < 2; i++) {
            int other = 1 - i;
            recorders.add(new Recorder(loop) {
                private boolean once;

                @Override
                public void resumeWriting() {
                    super.resumeWriting();
                    if (!once) {
                        once = true;
                        recorders.get(other).made.resultNow().write(new byte[extra]);
                    }
                }
            });
        }
        var written = new long[2];
        loop.run(() -> {
            for (int i = 0; i < 2; i++) {
                var transport =
                        connect(loop, recorders.get(i), peers.get(i).port()).transport();
                transport.writeBufferLimits(new WriteLimits(0, 0));
            }
            for (int i = 0; i < 2; i++) {
                written[i] = fill(recorders.get(i).transport());
            }
            gate.complete(null);
            Recorder.until(
                    loop,
                    () -> recorders.stream()
                            .allMatch(recorder -> recorder.events.contains("resume")
                                    && recorder.made.resultNow().writeBufferSize() == 0));
            for (var recorder : recorders) {
                recorder.transport().close();
                assertThat(recorder.ended()).isNull();
            }
        });
        for (int i = 0; i < 2; i++) {
            assertThat(peers.get(i).result().get(30, TimeUnit.SECONDS)).isEqualTo((int) written[i] + extra);
        }
    }

    @Test
    void aServersConnectionsGetItsMarks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var options = ServerOptions.defaults().writeLimits(WriteLimits.high(400));
            var server = loop.net()
                    .createServer(() -> recorder, "127.0.0.1", 0, options)
                    .await();
            var client = Peers.client(server.address(), socket -> null);
            assertThat(recorder.transport().writeBufferLimits()).isEqualTo(new WriteLimits(400, 100));
            recorder.ended();
            Recorder.await(loop, client);
            server.close();
        });
    }
}
