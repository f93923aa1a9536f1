package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that are shut down with a limit, and the ports that they leave. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ServerShutdownTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int RESET = -2;

    private static Server start(EventLoop loop, ConnectionHandler handler) throws Exception {
        return loop.net().startServer(handler, "127.0.0.1", 0).await(Recorder.LIMIT);
    }

    /** A client that writes what it is told to at a gate, and reads to the end: how many bytes, or that it was reset. */
    private static CompletableFuture<Integer> client(Server server, CompletableFuture<String> gate) {
        return Peers.client(server.address(), socket -> {
            socket.getOutputStream().write('a');
            try {
                socket.getOutputStream().write(gate.get(30, TimeUnit.SECONDS).getBytes(StandardCharsets.US_ASCII));
                return socket.getInputStream().readAllBytes().length;
            } catch (SocketException reset) {
                return RESET;
            }
        });
    }

    @Tag("cells")
    @Test
    void connectionsThatEndByThemselvesAreLeftToIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = new CompletableFuture<String>();
            var server = start(loop, connection -> connection.write(connection.readLine() + "\n"));
            var client = client(server, gate);
            Recorder.until(loop, () -> server.clientCount() == 1);
            var address = server.address();
            var done = server.shutdown(LONG);
            assertThat(server.isServing()).isFalse();
            assertThatThrownBy(() -> loop.net().openConnection("127.0.0.1", Internet.port(address)))
                    .isInstanceOf(ConnectException.class);
            Recorder.turns(loop, 5);
            assertThat(done.isDone()).isFalse();
            gate.complete("bc\n");
            assertThat(done.await(Recorder.LIMIT)).isZero();
            assertThat(Recorder.await(loop, client)).isEqualTo(4);
            assertThat(server.waitClosed().isDone()).isTrue();
        });
    }

    @Test
    void withoutConnectionsItIsDoneAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = start(loop, Connection::readLine);
            assertThat(server.shutdown(LONG).await(Recorder.LIMIT)).isZero();
            assertThat(server.shutdown(LONG).await(Recorder.LIMIT)).as("again").isZero();
        });
    }

    @Test
    void atTheLimitIdleConnectionsAreClosedAndNoneIsAborted(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = start(loop, connection -> {
                connection.read(java.nio.ByteBuffer.allocate(1));
                connection.write("hello\n");
                connection.readLine();
            });
            var client = client(server, CompletableFuture.completedFuture(""));
            Recorder.until(loop, () -> server.clientCount() == 1);
            assertThat(server.shutdown(SHORT).await(Recorder.LIMIT)).isZero();
            assertThat(Recorder.await(loop, client)).isEqualTo(6);
        });
    }

    @Test
    void whatDoesNotEndByTheLimitIsAbortedAndCounted(EventLoop loop) throws Exception {
        loop.run(() -> {
            LoopFuture<@Nullable Void> never = loop.createFuture();
            var caught = new ArrayList<Throwable>();
            var server = start(loop, connection -> {
                try {
                    never.await();
                } catch (CancellationException cancelled) {
                    caught.add(cancelled);
                    throw cancelled;
                }
            });
            var gate = new CompletableFuture<String>();
            var clients = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 3; i++) {
                clients.add(client(server, gate));
            }
            Recorder.until(loop, () -> server.clientCount() == 3);
            assertThat(server.shutdown(SHORT).await(Recorder.LIMIT)).isEqualTo(3);
            assertThat(caught).hasSize(3);
            assertThat(server.clientCount()).isZero();
            gate.complete("");
            for (var client : clients) {
                Recorder.await(loop, client);
            }
        });
    }

    @Test
    void protocolsThatStillSendAtTheLimitAreAborted(EventLoop loop) throws Exception {
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var server = loop.net().createServer(() -> recorder, "127.0.0.1", 0).await();
            var gate = new CompletableFuture<String>();
            var client = client(server, gate);
            recorder.transport().write(new byte[16 << 20]);
            assertThat(server.shutdown(SHORT).await(Recorder.LIMIT)).isEqualTo(1);
            recorder.ended();
            gate.complete("");
            assertThat(Recorder.await(loop, client)).isLessThan(16 << 20);
        });
    }

    @Test
    void aLimitOfZeroAbortsAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            var recorder = new Recorder(loop);
            var server = loop.net().createServer(() -> recorder, "127.0.0.1", 0).await();
            var gate = new CompletableFuture<String>();
            var client = client(server, gate);
            recorder.transport();
            var done = server.shutdown(Duration.ZERO);
            assertThat(recorder.transport().isClosing()).isTrue();
            assertThat(done.await(Recorder.LIMIT)).isEqualTo(1);
            gate.complete("");
            Recorder.await(loop, client);
        });
    }

    @Test
    void aSecondCallHurriesTheFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            LoopFuture<@Nullable Void> never = loop.createFuture();
            var server = start(loop, connection -> never.await());
            var gate = new CompletableFuture<String>();
            var client = client(server, gate);
            Recorder.until(loop, () -> server.clientCount() == 1);
            var first = server.shutdown(LONG);
            var second = server.shutdown(Duration.ZERO);
            assertThat(second.await(Recorder.LIMIT)).isEqualTo(1);
            assertThat(first.await(Recorder.LIMIT)).isEqualTo(1);
            gate.complete("");
            Recorder.await(loop, client);
        });
    }

    @Test
    void aCancelLeavesTheServerClosedAndItsConnectionsAlone(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = new CompletableFuture<String>();
            var server = start(loop, connection -> connection.write(connection.readLine() + "\n"));
            var client = client(server, gate);
            Recorder.until(loop, () -> server.clientCount() == 1);
            var done = server.shutdown(Duration.ofMillis(20));
            done.cancel();
            // Longer than the limit: whatever would fire has fired.
            LoopFuture<@Nullable Void> later = loop.createFuture();
            loop.callLater(Duration.ofMillis(40), () -> later.complete(null));
            later.await();
            assertThat(server.isServing()).isFalse();
            assertThat(server.clientCount()).isEqualTo(1);
            gate.complete("bc\n");
            assertThat(Recorder.await(loop, client)).isEqualTo(4);
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void aTaskThatIgnoresItsCancelDoesNotHoldTheShutdownUp(EventLoop loop) throws Exception {
        loop.run(() -> {
            LoopFuture<@Nullable Void> gate = loop.createFuture();
            var server = start(loop, connection -> {
                while (!gate.isDone()) {
                    try {
                        gate.shield().await();
                    } catch (CancellationException ignored) {
                        // Goes on.
                    }
                }
            });
            var release = new CompletableFuture<String>();
            var client = client(server, release);
            Recorder.until(loop, () -> server.clientCount() == 1);
            assertThat(server.shutdown(Duration.ZERO).await(Recorder.LIMIT)).isEqualTo(1);
            assertThat(server.clientCount()).isEqualTo(1);
            gate.complete(null);
            server.waitClosed().await(Recorder.LIMIT);
            release.complete("");
            Recorder.await(loop, client);
        });
    }

    @Test
    void connectionsInTheKernelsQueueAreTakenFirst(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = start(loop, connection -> connection.write(connection.readLine() + "\n"));
            var clients = new ArrayList<Socket>();
            LoopFuture<Integer> done = loop.createFuture();
            // On the bare loop thread, which blocks: nothing is accepted meanwhile.
            loop.callSoon(() -> {
                try {
                    for (int i = 0; i < 20; i++) {
                        clients.add(new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port()));
                    }
                    assertThat(server.acceptedCount()).isZero();
                    server.shutdown(LONG).then(done::complete);
                    assertThat(server.acceptedCount()).isEqualTo(20);
                    assertThat(server.clientCount()).isEqualTo(20);
                    for (var client : clients) {
                        client.getOutputStream().write("x\n".getBytes(StandardCharsets.US_ASCII));
                    }
                } catch (Throwable error) {
                    done.completeExceptionally(error);
                }
            });
            assertThat(done.await(Recorder.LIMIT)).isZero();
            LoopFuture<Integer> received = loop.createFuture();
            loop.callSoon(() -> received.complete(readAndClose(clients)));
            assertThat(received.await()).isEqualTo(20 * 2);
        });
    }

    private static int readAndClose(Iterable<Socket> clients) {
        int total = 0;
        try {
            for (var client : clients) {
                client.setSoTimeout(30_000);
                total += client.getInputStream().readAllBytes().length;
                client.close();
            }
        } catch (IOException e) {
            return -1;
        }
        return total;
    }

    @Test
    void aServerThatNeverServedIsShutDownToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .startServer(
                            Connection::readLine,
                            "127.0.0.1",
                            0,
                            ServerOptions.defaults().startServing(false))
                    .await();
            assertThat(server.shutdown(LONG).await(Recorder.LIMIT)).isZero();
        });
    }

    @Test
    void aNegativeLimitIsRefusedAndChangesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = start(loop, Connection::readLine);
            assertThatThrownBy(() -> server.shutdown(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("limit");
            assertThat(server.isServing()).isTrue();
            server.close();
        });
    }

    @Test
    void aServerStartsAgainOnThePortOfItsOldConnections(EventLoop loop) throws Exception {
        loop.run(() -> {
            int port = 0;
            for (int round = 0; round < 3; round++) {
                var server = loop.net()
                        .startServer(connection -> connection.write("x"), "127.0.0.1", port)
                        .await(Recorder.LIMIT);
                port = server.port();
                // The server ends first, so that its side lingers in TIME_WAIT on the port.
                try (var client = loop.net().openConnection("127.0.0.1", port)) {
                    assertThat(client.readAll()).hasSize(1);
                    server.close();
                    try (var next = loop.net().listen("127.0.0.1", port)) {
                        assertThat(next.port()).isEqualTo(port);
                    }
                }
                server.waitClosed().await(Recorder.LIMIT);
            }
        });
    }
}
