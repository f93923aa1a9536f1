package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What protocols throw, and how they end their connection in any callback. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ProtocolErrorTest {
    private static Connected<Recorder> connect(EventLoop loop, Recorder protocol, int port) throws Exception {
        return loop.net().createConnection(() -> protocol, "127.0.0.1", port).await(Recorder.LIMIT);
    }

    /** Closes with a reset. */
    private static void reset(Socket socket) throws Exception {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    void whatDataReceivedThrowsIsReportedAndEndsTheConnection(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(1);
            return socket.getInputStream().read();
        });
        var error = new StackOverflowError("mine");
        var recorder = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                throw error;
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            assertThat(recorder.ended()).isSameAs(error);
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).isSameAs(error));
    }

    @Test
    void whatEofReceivedThrowsIsReportedAndEndsTheConnection(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> null);
        var error = new IllegalStateException("mine");
        var recorder = new Recorder(loop) {
            @Override
            public boolean eofReceived() {
                throw error;
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            assertThat(recorder.ended()).isSameAs(error);
        });
        assertThat(errors.take()).hasSize(1);
    }

    @Test
    void whatConnectionLostThrowsIsReported(EventLoop loop, Errors errors) throws Exception {
        var peer = Peers.server(socket -> null);
        var recorder = new Recorder(loop) {
            @Override
            public void connectionLost(Throwable cause) {
                super.connectionLost(cause);
                throw new AssertionError("mine");
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
            Recorder.turns(loop, 2);
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.message()).contains("connectionLost"));
    }

    @Test
    void closeAbortAndResetInEveryCallbackEndItOnce(EventLoop loop) throws Exception {
        List<java.util.function.Consumer<Transport>> ways =
                List.of(Transport::close, Transport::abort, Transport::reset);
        for (var way : ways) {
            for (var where : List.of("made", "data", "eof", "pause", "lost")) {
                var full = new CompletableFuture<Boolean>();
                if (!where.equals("pause")) {
                    full.complete(true);
                }
                var peer = Peers.server(socket -> {
                    socket.getOutputStream().write(1);
                    socket.shutdownOutput();
                    full.get(30, TimeUnit.SECONDS);
                    socket.getInputStream().readAllBytes();
                    return null;
                });
                var recorder = new Recorder(loop) {
                    @Override
                    public void connectionMade(Transport transport) {
                        super.connectionMade(transport);
                        end("made");
                    }

                    @Override
                    public void dataReceived(ByteBuffer data) {
                        super.dataReceived(data);
                        end("data");
                    }

                    @Override
                    public boolean eofReceived() {
                        super.eofReceived();
                        end("eof");
                        if (where.equals("pause")) {
                            made.resultNow().write(new byte[32 << 20]);
                        }
                        return where.equals("eof") || where.equals("pause");
                    }

                    @Override
                    public void pauseWriting() {
                        super.pauseWriting();
                        full.complete(true);
                        end("pause");
                    }

                    @Override
                    public void connectionLost(Throwable cause) {
                        super.connectionLost(cause);
                        end("lost");
                    }

                    private void end(String now) {
                        if (now.equals(where)) {
                            way.accept(made.resultNow());
                        }
                    }
                };
                loop.run(() -> {
                    connect(loop, recorder, peer.port());
                    assertThat(recorder.ended()).as(where).isNull();
                    Recorder.turns(loop, 3);
                });
                assertThat(recorder.events.stream().filter("lost"::equals))
                        .as(where)
                        .hasSize(1);
                assertThat(recorder.events).as(where).endsWith("lost");
            }
        }
    }
}
