package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of protocols. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ServerTest {
    private static Server serve(EventLoop loop, List<Recorder> made) throws Exception {
        return serve(loop, made, 0, ServerOptions.defaults());
    }

    private static Server serve(EventLoop loop, List<Recorder> made, int port, ServerOptions options) throws Exception {
        return loop.net()
                .createServer(
                        () -> {
                            made.add(new Recorder(loop));
                            return made.getLast();
                        },
                        "127.0.0.1",
                        port,
                        options)
                .await(Recorder.LIMIT);
    }

    /** Connects, says when that is done, and waits for the server's end of the stream. */
    private static java.util.concurrent.CompletableFuture<Integer> client(Server server) {
        return Peers.client(server.address(), socket -> {
            try {
                return socket.getInputStream().read();
            } catch (SocketException reset) {
                return -2;
            }
        });
    }

    @Test
    void everyConnectionGetsAProtocolOfItsOwn(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = serve(loop, made);
            assertThat(server.port()).isPositive();
            var first = client(server);
            var second = client(server);
            Recorder.until(loop, () -> made.size() == 2 && made.getLast().made.isDone());
            assertThat(server.clientCount()).isEqualTo(2);
            for (var recorder : made) {
                recorder.transport().close();
                recorder.ended();
            }
            assertThat(Recorder.await(loop, first) + Recorder.await(loop, second))
                    .isEqualTo(-2);
            assertThat(server.clientCount()).isZero();
            server.close();
        });
    }

    @Test
    void serversOfOurProcessOutliveEveryReferenceToThem(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            int port = serve(loop, made).port();
            System.gc();
            var peer = Peers.client(new InetSocketAddress("127.0.0.1", port), socket -> 1);
            Recorder.until(loop, () -> !made.isEmpty());
            made.getFirst().ended();
            Recorder.await(loop, peer);
        });
        // The loop's end closes it.
        loop.close();
    }

    @Test
    void servingStatesFollowTheCalls(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = serve(loop, made, 0, ServerOptions.defaults().startServing(false));
            assertThat(server.isServing()).isFalse();
            var address = server.address();
            var early = Peers.client(address, socket -> 1);
            assertThatThrownBy(() -> Recorder.await(loop, early))
                    .as("nobody listens yet")
                    .isInstanceOf(ConnectException.class);
            server.startServing();
            server.startServing();
            assertThat(server.isServing()).isTrue();
            var peer = Peers.client(address, socket -> 1);
            Recorder.until(loop, () -> !made.isEmpty());
            made.getFirst().ended();
            Recorder.await(loop, peer);
            server.close();
            server.close();
            assertThat(server.isServing()).isFalse();
            assertThat(server.addresses()).isEmpty();
            assertThatThrownBy(server::address).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(server::startServing).isInstanceOf(IllegalStateException.class);
            assertThat(server).asString().contains("closed");
        });
    }

    @Test
    void closeLeavesConnectionsAndWaitClosedWaitsForThem(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = serve(loop, made);
            var early = server.waitClosed();
            var peer = client(server);
            Recorder.until(loop, () -> !made.isEmpty());
            Recorder.turns(loop, 5);
            assertThat(early.isDone()).as("before close").isFalse();
            server.close();
            Recorder.turns(loop, 5);
            assertThat(early.isDone()).as("with a connection").isFalse();
            assertThat(made.getFirst().events).doesNotContain("lost");
            made.getFirst().transport().write(new byte[] {7});
            made.getFirst().transport().close();
            early.await(Recorder.LIMIT);
            server.waitClosed().await(Recorder.LIMIT);
            assertThat(Recorder.await(loop, peer)).isEqualTo(7);
        });
    }

    @Test
    void waitClosedAfterCloseWithoutConnectionsIsDone(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = serve(loop, new ArrayList<>());
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void aCancelledWaitForTheEndDoesNotEndTheWaitOfOthers(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = serve(loop, new ArrayList<>());
            var first = server.waitClosed();
            var second = server.waitClosed();
            first.cancel();
            Recorder.turns(loop, 2);
            assertThat(second.isDone()).isFalse();
            server.close();
            second.await(Recorder.LIMIT);
        });
    }

    @Test
    void clientsCanBeClosedAndAborted(EventLoop loop) throws Exception {
        for (boolean abort : new boolean[] {false, true}) {
            var made = new ArrayList<Recorder>();
            var gate = new java.util.concurrent.CompletableFuture<Void>();
            loop.run(() -> {
                var server = serve(loop, made);
                var peer = Peers.client(server.address(), socket -> {
                    gate.get(30, TimeUnit.SECONDS);
                    int total = 0;
                    var block = new byte[64 * 1024];
                    try {
                        for (int n = socket.getInputStream().read(block);
                                n >= 0;
                                n = socket.getInputStream().read(block)) {
                            total += n;
                        }
                    } catch (SocketException reset) {
                        return -total;
                    }
                    return total;
                });
                Recorder.until(loop, () -> !made.isEmpty());
                made.getFirst().transport().write(new byte[16 << 20]);
                assertThat(made.getFirst().transport().writeBufferSize()).isPositive();
                server.close();
                if (abort) {
                    server.abortClients();
                } else {
                    server.closeClients();
                }
                gate.complete(null);
                server.waitClosed().await(Recorder.LIMIT);
                assertThat(made.getFirst().ended()).isNull();
                if (abort) {
                    assertThat(Recorder.await(loop, peer)).isLessThan(16 << 20);
                } else {
                    assertThat(Recorder.await(loop, peer)).isEqualTo(16 << 20);
                }
            });
        }
    }

    @Test
    void serveForeverEndsWithItsCancelOnlyAndClosesTheServer(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = serve(loop, made, 0, ServerOptions.defaults().startServing(false));
            var serving = loop.spawn(() -> server.serveForever().await());
            Recorder.turns(loop, 2);
            assertThat(server.isServing()).isTrue();
            assertThatThrownBy(server::serveForever).isInstanceOf(IllegalStateException.class);
            var peer = Peers.client(server.address(), socket -> 1);
            Recorder.until(loop, () -> !made.isEmpty());
            made.getFirst().ended();
            Recorder.await(loop, peer);
            serving.cancel();
            assertThatThrownBy(() -> serving.await(Recorder.LIMIT)).isInstanceOf(CancellationException.class);
            Recorder.until(loop, () -> !server.isServing());
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void closeEndsServeForever(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = serve(loop, new ArrayList<>());
            var serving = server.serveForever();
            server.close();
            assertThatThrownBy(() -> serving.await(Recorder.LIMIT)).isInstanceOf(CancellationException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFactoryThatFailsCostsOneConnection(boolean throwing, EventLoop loop, Errors errors) throws Exception {
        var made = new ArrayList<Recorder>();
        var calls = new int[1];
        loop.run(() -> {
            var server = loop.net()
                    .createServer(
                            () -> {
                                if (calls[0]++ == 0) {
                                    if (throwing) {
                                        throw new Error("mine");
                                    }
                                    return null;
                                }
                                made.add(new Recorder(loop));
                                return made.getLast();
                            },
                            "127.0.0.1",
                            0)
                    .await();
            assertThat(Recorder.await(loop, client(server))).isNegative();
            var peer = Peers.client(server.address(), Socket::isConnected);
            Recorder.until(loop, () -> !made.isEmpty());
            made.getFirst().ended();
            assertThat(Recorder.await(loop, peer)).isTrue();
            server.close();
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.message()).contains("factory"));
    }

    @Test
    void theFactoryMayCloseTheServer(EventLoop loop) throws Exception {
        var server = new Server[1];
        var recorder = new Recorder(loop);
        loop.run(() -> {
            server[0] = loop.net()
                    .createServer(
                            () -> {
                                server[0].close();
                                return recorder;
                            },
                            "127.0.0.1",
                            0)
                    .await();
            var peer = client(server[0]);
            Recorder.until(loop, () -> recorder.made.isDone());
            assertThat(server[0].waitClosed().isDone()).isFalse();
            recorder.transport().write(new byte[] {5});
            recorder.transport().close();
            server[0].waitClosed().await(Recorder.LIMIT);
            assertThat(Recorder.await(loop, peer)).isEqualTo(5);
        });
    }

    @Test
    void theLoopsCloseEndsServersAndTheirConnections(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        var peer = new ArrayList<java.util.concurrent.CompletableFuture<Integer>>();
        loop.run(() -> {
            peer.add(client(serve(loop, made)));
            Recorder.until(loop, () -> !made.isEmpty() && made.getFirst().made.isDone());
        });
        loop.close();
        assertThat(peer.getFirst().get(30, TimeUnit.SECONDS)).isNegative();
        assertThat(made.getFirst().events).containsExactly("made", "lost");
    }
}
