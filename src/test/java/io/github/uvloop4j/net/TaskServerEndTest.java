package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How connections and the tasks that a server gave them end, from both sides. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskServerEndTest {
    private static final int RESET = -2;

    private static Server start(EventLoop loop, ConnectionHandler handler) throws Exception {
        return loop.net().startServer(handler, "127.0.0.1", 0).await(Recorder.LIMIT);
    }

    private static void end(Server server) throws Exception {
        server.close();
        server.waitClosed().await(Recorder.LIMIT);
    }

    private static int readOrReset(InputStream in) throws IOException {
        try {
            return in.read();
        } catch (SocketException reset) {
            return RESET;
        }
    }

    /** A client that waits for the end and says how it came. */
    private static CompletableFuture<Integer> idle(Server server) {
        return Peers.client(server.address(), socket -> readOrReset(socket.getInputStream()));
    }

    /** A client that sends a byte that nobody reads, so that an abort shows as a reset, and waits for the end. */
    private static CompletableFuture<Integer> unread(Server server) {
        return Peers.client(server.address(), socket -> {
            socket.getOutputStream().write(1);
            return readOrReset(socket.getInputStream());
        });
    }

    /** Which connection of its server the calling task has. */
    private static int server(Connection connection) {
        var name = Task.current().name();
        assertThat(connection.isClosing()).isFalse();
        return Integer.parseInt(name.substring(name.indexOf('-') + 1));
    }

    @Test
    void aConnectionIsOpenUntilItsTaskHasEndedToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            LoopFuture<@Nullable Void> gate = loop.createFuture();
            var server = start(loop, connection -> {
                connection.close();
                gate.await();
            });
            assertThat(Recorder.await(loop, idle(server))).isEqualTo(-1);
            server.close();
            Recorder.turns(loop, 5);
            assertThat(server.clientCount()).isEqualTo(1);
            assertThat(server.waitClosed().isDone()).isFalse();
            gate.complete(null);
            server.waitClosed().await(Recorder.LIMIT);
            assertThat(server.clientCount()).isZero();
        });
    }

    @Test
    void abortClientsCancelsTheTasksAndAbortsTheConnections(EventLoop loop) throws Exception {
        loop.run(() -> {
            var caught = new ArrayList<Throwable>();
            LoopFuture<@Nullable Void> never = loop.createFuture();
            var server = start(loop, connection -> {
                try {
                    if (server(connection) == 1) {
                        never.await();
                    }
                    connection.readLine();
                } catch (CancellationException cancelled) {
                    caught.add(cancelled);
                    throw cancelled;
                }
            });
            var first = unread(server);
            Recorder.until(loop, () -> server.clientCount() == 1);
            var second = idle(server);
            Recorder.until(loop, () -> server.clientCount() == 2);
            Recorder.turns(loop, 3);
            server.abortClients();
            assertThat(Recorder.await(loop, first)).isEqualTo(RESET);
            assertThat(Recorder.await(loop, second)).isNegative();
            end(server);
            assertThat(caught).hasSize(2);
        });
    }

    @Test
    void closeClientsLetsAWritingTaskFinishWhatItWroteAndWakesAReader(EventLoop loop) throws Exception {
        loop.run(() -> {
            var ends = new ArrayList<Throwable>();
            var server = start(loop, connection -> {
                connection.write("hello\n");
                try {
                    connection.readLine();
                } catch (IOException closed) {
                    ends.add(closed);
                    throw closed;
                }
            });
            var client = Peers.client(
                    server.address(),
                    socket -> new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            Recorder.until(loop, () -> server.clientCount() == 1);
            Recorder.turns(loop, 3);
            server.closeClients();
            assertThat(Recorder.await(loop, client)).isEqualTo("hello\n");
            end(server);
            assertThat(ends).singleElement().isInstanceOf(java.nio.channels.ClosedChannelException.class);
        });
    }

    @Test
    void aHandlerMayCloseItsServer(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = new Server[1];
            server[0] = start(loop, connection -> {
                server[0].close();
                connection.write("last\n");
            });
            assertThat(Recorder.await(loop, idle(server[0]))).isEqualTo('l');
            server[0].waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void theLoopsCloseCancelsTheHandlers(EventLoop loop) throws Exception {
        var caught = new ArrayList<Throwable>();
        loop.run(() -> {
            var server = start(loop, connection -> {
                try {
                    connection.readLine();
                } catch (CancellationException cancelled) {
                    caught.add(cancelled);
                    throw cancelled;
                }
            });
            var client = idle(server);
            Recorder.until(loop, () -> server.clientCount() == 1);
            Recorder.turns(loop, 3);
            assertThat(client).isNotDone();
        });
        loop.close();
        assertThat(caught).hasSize(1);
    }

    @Test
    void aConnectionThatComesWhileTheLoopClosesIsEnded(EventLoop loop) throws Exception {
        var ends = new ArrayList<Object>();
        var begun = new ArrayList<Connection>();
        loop.run(() -> {
            var server = start(loop, begun::add);
            LoopFuture<@Nullable Void> never = loop.createFuture();
            loop.spawn(() -> {
                try {
                    never.await();
                } catch (CancellationException closing) {
                    try (var client = loop.net().openConnection("127.0.0.1", server.port())) {
                        ends.add(client.readAll().length);
                    } catch (IOException reset) {
                        ends.add(reset);
                    }
                }
            });
            Recorder.turns(loop, 2);
        });
        loop.close();
        assertThat(ends).hasSize(1);
        assertThat(begun).isEmpty();
    }
}
