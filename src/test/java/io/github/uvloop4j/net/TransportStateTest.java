package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a transport tells and lets be set: names, reading, the protocol, threads. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TransportStateTest {
    private static <P extends BaseProtocol> Connected<P> connect(EventLoop loop, P protocol, int port)
            throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    @Test
    void namesStayKnownAfterClose(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> new InetSocketAddress(socket.getInetAddress(), socket.getPort()));
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            recorder.ended();
            assertThat(transport.localAddress()).isEqualTo(Recorder.await(loop, peer.result()));
            assertThat(transport.peerAddress()).isEqualTo(new InetSocketAddress("127.0.0.1", peer.port()));
            assertThat(transport.extraInfo("sockname")).isEqualTo(transport.localAddress());
            assertThat(transport.extraInfo("peername")).isEqualTo(transport.peerAddress());
            assertThat(transport.extraInfo("socket")).isNull();
            assertThat(transport)
                    .asString()
                    .contains("127.0.0.1:" + peer.port())
                    .contains("closed");
        });
    }

    @Test
    void namesStayKnownAfterAResetByThePeer(EventLoop loop) throws Exception {
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var server = loop.net().createServer(() -> recorder, "127.0.0.1", 0).await();
            var client = Peers.client(server.address(), socket -> {
                socket.getInputStream().read();
                socket.setSoLinger(true, 0);
                return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
            });
            var transport = recorder.transport();
            transport.write(new byte[1]);
            recorder.ended();
            assertThat(transport.localAddress()).isEqualTo(server.address());
            assertThat(transport.peerAddress()).isEqualTo(Recorder.await(loop, client));
            server.close();
        });
    }

    @Test
    void pauseAndResumeAreHarmlessAtAnyTime(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("abc".getBytes(StandardCharsets.UTF_8));
            return socket.getInputStream().read();
        });
        var recorder = new Recorder(loop) {
            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                transport.pauseReading();
                transport.pauseReading();
            }
        };
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            assertThat(transport.isReading()).isFalse();
            Recorder.turns(loop, 20);
            assertThat(recorder.events).containsExactly("made");
            transport.resumeReading();
            transport.resumeReading();
            assertThat(transport.isReading()).isTrue();
            Recorder.until(loop, () -> recorder.size() == 3);
            transport.abort();
            transport.pauseReading();
            transport.resumeReading();
            assertThat(transport.isReading()).isFalse();
            recorder.ended();
            transport.pauseReading();
            transport.resumeReading();
            assertThat(transport.isReading()).isFalse();
        });
        assertThat(recorder.events).containsExactly("made", "data", "lost");
    }

    @Test
    void pauseReadingInACallbackStopsTheFlowAtOnce(EventLoop loop) throws Exception {
        int total = 4 << 20;
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(new byte[total]);
            return null;
        });
        var calls = new int[1];
        var recorder = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                super.dataReceived(data);
                calls[0]++;
                var transport = made.resultNow();
                transport.pauseReading();
                int now = calls[0];
                loop.callSoon(() -> {
                    assertThat(calls[0]).isEqualTo(now);
                    transport.resumeReading();
                });
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        assertThat(recorder.size()).isEqualTo(total);
        assertThat(calls[0]).isGreaterThan(10);
    }

    @Test
    void anotherProtocolTakesOverWhatComesNext(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write("one".getBytes(StandardCharsets.UTF_8));
            gate.get(30, TimeUnit.SECONDS);
            socket.getOutputStream().write("two".getBytes(StandardCharsets.UTF_8));
            return null;
        });
        var first = new Recorder(loop);
        var second = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, first, peer.port()).transport();
            Recorder.until(loop, () -> first.size() == 3);
            transport.protocol(second);
            assertThat(transport.protocol()).isSameAs(second);
            gate.complete(null);
            second.ended();
        });
        assertThat(first.events).containsExactly("made", "data");
        assertThat(second.events).containsExactly("data", "eof", "lost");
        assertThat(second.text()).isEqualTo("two");
    }

    @Test
    void otherThreadsAreRefused(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var transport = connect(loop, recorder, peer.port()).transport();
            List<Runnable> calls = List.of(
                    () -> transport.write(new byte[1]),
                    () -> transport.writeLines(List.of(ByteBuffer.allocate(1))),
                    transport::writeEof,
                    transport::close,
                    transport::abort,
                    transport::reset,
                    transport::pauseReading,
                    transport::resumeReading,
                    () -> transport.protocol(recorder),
                    () -> transport.writeBufferLimits(WriteLimits.DEFAULT));
            for (var call : calls) {
                assertThatThrownBy(() -> loop.runInExecutor(() -> {
                                    call.run();
                                    return null;
                                })
                                .await())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("loop thread");
            }
            assertThat(transport.isClosing()).isFalse();
            transport.close();
            recorder.ended();
        });
    }
}
