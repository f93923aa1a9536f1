package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvPrepare;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections end: by us, by the peer, by an error, by a mistake of the protocol. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TransportEndTest {
    private static Connected<Recorder> connect(EventLoop loop, Recorder protocol, int port) throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    /** Closes with a reset. */
    private static void reset(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static ThrowingConsumer<Throwable> broken() {
        return error -> assertThat(error)
                .isInstanceOf(SocketException.class)
                .cause()
                .isInstanceOfSatisfying(UvException.class, cause -> {
                    assertThat(cause.errno()).isIn(UvErrno.ECONNRESET, UvErrno.EPIPE);
                    assertThat(cause.getStackTrace()).isEmpty();
                });
    }

    @Test
    void aResetOfThePeerIsTheCause(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getInputStream().read();
            reset(socket);
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            connect(loop, recorder, peer.port()).transport().write(new byte[1]);
            assertThat(recorder.ended()).satisfies(broken());
            assertThat(recorder.cause).hasMessageContaining("127.0.0.1:" + peer.port());
        });
        assertThat(recorder.events).containsExactly("made", "lost");
    }

    @Test
    void closeStopsReadingAtOnceWhileDataStreamsIn(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var out = socket.getOutputStream();
            while (true) {
                out.write(new byte[64 * 1024]);
            }
        });
        var after = new int[1];
        var recorder = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                super.dataReceived(data);
                var transport = made.resultNow();
                if (transport.isClosing()) {
                    after[0]++;
                } else if (size() >= 16 * 1024) {
                    transport.close();
                }
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            assertThat(recorder.ended()).isNull();
        });
        assertThat(after[0]).isZero();
        assertThat(peer.result())
                .as("the peer's writing has failed: the socket is gone")
                .failsWithin(Recorder.LIMIT);
    }

    @Test
    void aResetBeforeTheEndOfWritingIsOneLossAndNoReport(EventLoop loop, Errors errors) throws Exception {
        for (int round = 0; round < 20; round++) {
            var gate = new CompletableFuture<Void>();
            var peer = Peers.server(socket -> {
                gate.get(30, TimeUnit.SECONDS);
                reset(socket);
                return null;
            });
            var recorder = new Recorder(loop);
            loop.run(() -> {
                var transport = connect(loop, recorder, peer.port()).transport();
                transport.write(new byte[8 << 20]);
                transport.writeEof();
                gate.complete(null);
                recorder.ended();
                Recorder.turns(loop, 5);
            });
            assertThat(recorder.cause).satisfies(broken());
            assertThat(recorder.events.stream().filter("lost"::equals)).hasSize(1);
        }
        assertThat(errors.take()).isEmpty();
    }

    @Test
    void abortDropsWhatIsQueuedAndIsNoError(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> gate.get(30, TimeUnit.SECONDS));
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(new byte[10 << 20]);
            Recorder.turns(loop, 3);
            assertThat(transport.writeBufferSize()).isPositive();
            transport.abort();
            transport.abort();
            assertThat(transport.writeBufferSize()).isZero();
            assertThat(recorder.ended()).isNull();
            Recorder.turns(loop, 5);
        });
        gate.complete(null);
        assertThat(recorder.events).containsExactly("made", "pause", "lost");
    }

    @Test
    void theFirstRealErrorWinsOverWhatFollowsFromIt(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            reset(socket);
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(new byte[10 << 20]);
            gate.complete(null);
            assertThat(recorder.ended()).satisfies(broken());
        });
    }

    @Test
    void closeWhileWritingToAPeerThatResetsTellsTheError(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            reset(socket);
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(new byte[10 << 20]);
            transport.close();
            gate.complete(null);
            assertThat(recorder.ended()).satisfies(broken());
        });
    }

    @Test
    void writesAfterCloseAreDroppedAndReportedAfterAFew(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes());
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(new byte[] {1, 2, 3});
            transport.close();
            for (int i = 0; i < 3; i++) {
                var dropped = ByteBuffer.allocate(8);
                transport.write(dropped);
                assertThat(dropped.hasRemaining()).isFalse();
            }
            transport.writeLines(List.of(ByteBuffer.allocate(8)));
            assertThat(transport.writeBufferSize()).isZero();
            recorder.ended();
            assertThat(errors.take()).isEmpty();
            for (int i = 0; i < 20; i++) {
                transport.write(new byte[8]);
            }
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).containsExactly(1, 2, 3);
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.source()).isSameAs(recorder));
    }

    @Test
    void aWriterThatNeverStopsLosesItsConnectionOnce(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getInputStream().read();
            reset(socket);
            return null;
        });
        var recorder = new Recorder(loop);
        var largest = new long[1];
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            var block = new byte[16 * 1024];
            for (int i = 0; i < 2_000 || !recorder.lost.isDone(); i++) {
                transport.write(block);
                largest[0] = Math.max(largest[0], transport.writeBufferSize());
                Recorder.turns(loop, 1);
            }
            assertThat(transport.writeBufferSize()).isZero();
        });
        assertThat(recorder.cause).satisfies(broken());
        assertThat(recorder.events.stream().filter("lost"::equals)).hasSize(1);
        assertThat(largest[0]).isLessThan(64L << 20);
        assertThat(errors.take()).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void afterAResetThatFollowedAHalfCloseTheNextWriteTells(EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            socket.shutdownOutput();
            gate.get(30, TimeUnit.SECONDS);
            reset(socket);
            return null;
        });
        var recorder = new Recorder(loop).keepWriting();
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            recorder.eof.await(Recorder.LIMIT);
            gate.complete(null);
            Recorder.await(loop, peer.result());
            Recorder.until(loop, () -> {
                transport.write(new byte[1]);
                return transport.isClosing();
            });
            assertThat(recorder.ended()).satisfies(broken());
        });
        assertThat(recorder.events).containsExactly("made", "eof", "lost");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdleHalfClosedPeerDoesNotSpinTheLoop(boolean paused, EventLoop loop) throws Exception {
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            socket.shutdownOutput();
            return gate.get(30, TimeUnit.SECONDS);
        });
        var recorder = new Recorder(loop) {
            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                if (paused) {
                    transport.pauseReading();
                }
            }
        }.keepWriting();
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            if (!paused) {
                recorder.eof.await(Recorder.LIMIT);
            }
            var polls = new int[1];
            var prepare = new UvPrepare(loop.uv());
            prepare.start(() -> polls[0]++);
            var quiet = loop.createFuture();
            loop.callLater(Duration.ofMillis(300), () -> quiet.complete(true));
            quiet.await(Recorder.LIMIT);
            prepare.close();
            assertThat(polls[0]).as("polls while idle").isLessThan(20);
            if (paused) {
                assertThat(recorder.events).containsExactly("made");
                transport.resumeReading();
                recorder.eof.await(Recorder.LIMIT);
            }
            Recorder.turns(loop, 10);
            transport.close();
            recorder.ended();
        });
        gate.complete(null);
        assertThat(recorder.events).containsExactly("made", "eof", "lost");
    }
}
