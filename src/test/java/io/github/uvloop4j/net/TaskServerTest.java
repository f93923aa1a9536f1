package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskLocal;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Thrown;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that give each connection a task. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskServerTest {
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

    @Tag("cells")
    @Test
    void everyConnectionHasATaskOfItsOwn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = start(loop, connection -> {
                for (var line = connection.readLine(); line != null; line = connection.readLine()) {
                    connection.write(line + "!\n");
                }
            });
            var clients = new ArrayList<Task<@Nullable String>>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                clients.add(loop.spawn(() -> {
                    try (var client = loop.net().openConnection("127.0.0.1", server.port())) {
                        client.write("hello " + number + "\n");
                        return client.readLine();
                    }
                }));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(clients.get(i).await(Recorder.LIMIT)).isEqualTo("hello " + i + "!");
            }
            assertThat(server.acceptedCount()).isEqualTo(50);
            end(server);
        });
    }

    @Test
    void theTasksAreNamedAfterTheirNumber(EventLoop loop) throws Exception {
        loop.run(() -> {
            var names = new ArrayList<@Nullable String>();
            var server = start(loop, connection -> names.add(Task.current().name()));
            Recorder.await(loop, idle(server));
            Recorder.await(loop, idle(server));
            assertThat(names).containsExactly("connection-1", "connection-2");
            end(server);
        });
    }

    @Test
    void theTasksRunInTheContextOfWhoMadeTheServer(EventLoop loop) throws Exception {
        var user = TaskLocal.of("user", "nobody");
        loop.run(() -> {
            var seen = new ArrayList<String>();
            user.set("maker");
            var server = start(loop, connection -> {
                seen.add(user.get());
                user.set("handler");
            });
            user.set("later");
            Recorder.await(loop, idle(server));
            Recorder.await(loop, idle(server));
            assertThat(seen).containsExactly("maker", "maker");
            end(server);
        });
    }

    @Test
    void allThatAHandlerWroteGoesOutAfterItReturned(EventLoop loop) throws Exception {
        int size = 16 << 20;
        var written = new CompletableFuture<Long>();
        loop.run(() -> {
            var server = start(loop, connection -> {
                connection.writeBufferLimits(WriteLimits.high(64 << 20));
                connection.write(new byte[size]);
                written.complete(connection.writeBufferSize());
            });
            var client = Peers.client(server.address(), socket -> {
                assertThat(written.get(30, TimeUnit.SECONDS)).isPositive();
                return socket.getInputStream().readAllBytes().length;
            });
            assertThat(Recorder.await(loop, client)).isEqualTo(size);
            end(server);
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Thrown.class,
            names = {"RUNTIME", "ERROR", "OVERFLOW"})
    void aHandlerThatFailsIsReportedAndCostsItsConnection(Thrown thrown, EventLoop loop, Errors errors)
            throws Exception {
        loop.run(() -> {
            var server = start(loop, connection -> {
                if (server(connection) == 1) {
                    thrown.explode();
                }
                connection.write("fine\n");
            });
            assertThat(Recorder.await(loop, idle(server))).isNegative();
            assertThat(Recorder.await(loop, idle(server))).isEqualTo('f');
            end(server);
        });
        assertThat(errors.take()).singleElement().satisfies(context -> {
            assertThat(context.message()).contains("handler");
            assertThat(thrown.isKindOf(context.exception())).isTrue();
        });
    }

    /** Which connection of its server the calling task has. */
    private static int server(Connection connection) {
        var name = Task.current().name();
        assertThat(connection.isClosing()).isFalse();
        return Integer.parseInt(name.substring(name.indexOf('-') + 1));
    }

    @Test
    void aConnectionThatEndsUnderItsHandlerIsNoError(EventLoop loop) throws Exception {
        var failures = new ArrayList<Throwable>();
        loop.run(() -> {
            var server = start(loop, connection -> {
                try {
                    connection.readExactly(10);
                } catch (IOException error) {
                    failures.add(error);
                    throw error;
                }
            });
            Recorder.await(loop, Peers.client(server.address(), socket -> {
                socket.getOutputStream().write(1);
                return 1;
            }));
            Recorder.await(loop, Peers.client(server.address(), socket -> {
                socket.setSoLinger(true, 0);
                return 1;
            }));
            Recorder.until(loop, () -> failures.size() == 2);
            end(server);
        });
        assertThat(failures)
                .hasAtLeastOneElementOfType(IncompleteReadException.class)
                .hasAtLeastOneElementOfType(SocketException.class);
    }

    @Test
    void anIoErrorOfSomethingElseIsReported(EventLoop loop, Errors errors) throws Exception {
        loop.run(() -> {
            var server = start(loop, connection -> {
                assertThat(connection.readAll()).isEmpty();
                Files.readString(Path.of("no such file"));
            });
            Recorder.await(loop, Peers.client(server.address(), socket -> 1));
            Recorder.until(loop, () -> server.acceptedCount() == 1 && server.clientCount() == 0);
            end(server);
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).hasMessageContaining("no such file"));
    }

    @Test
    void aServerThatWasMadeOfABoundSocketServesTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var socket = loop.sockets().openTcp(java.net.StandardProtocolFamily.INET);
            socket.bind(new java.net.InetSocketAddress("127.0.0.1", 0));
            var address = socket.localAddress();
            var server = loop.net()
                    .startServer(connection -> connection.write("x"), socket, ServerOptions.defaults())
                    .await();
            assertThat(socket.isOpen()).isFalse();
            assertThat(server.addresses()).containsExactly(address);
            assertThat(Recorder.await(loop, idle(server))).isEqualTo('x');
            end(server);
        });
    }

    @Test
    void aListenerTakesABoundSocketOver(EventLoop loop) throws Exception {
        loop.run(() -> {
            var socket = loop.sockets().openTcp(java.net.StandardProtocolFamily.INET);
            socket.bind(new java.net.InetSocketAddress("127.0.0.1", 0));
            var listener = loop.net().listen(socket, ServerOptions.defaults());
            var client = Peers.client(
                    listener.address(), peer -> peer.getInputStream().read());
            try (var connection = listener.accept()) {
                connection.write("y");
            }
            assertThat(Recorder.await(loop, client)).isEqualTo('y');
            listener.close();
        });
    }

    @Test
    void badArgumentsAreRefusedAndTheSocketStaysTheCallers(EventLoop loop) throws Exception {
        loop.run(() -> {
            ConnectionHandler none = nothing();
            ConnectionHandler some = connection -> {};
            var options = ServerOptions.defaults();
            var socket = loop.sockets().openTcp(java.net.StandardProtocolFamily.INET);
            assertThatThrownBy(() -> loop.net().startServer(none, "127.0.0.1", 0))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("handler");
            assertThatThrownBy(() -> loop.net().startServer(none, options)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> loop.net().startServer(none, socket, options))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> loop.net().startServer(some, "127.0.0.1", 65_536))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(socket.isOpen()).isTrue();
            socket.close();
            assertThatThrownBy(() -> loop.net().startServer(some, socket, options))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> loop.net().listen(socket, options)).isInstanceOf(IllegalStateException.class);
            var refused = loop.runInExecutor(() -> {
                        assertThatThrownBy(() -> loop.net().startServer(some, "127.0.0.1", 0))
                                .isInstanceOf(IllegalStateException.class);
                        assertThatThrownBy(() -> loop.net().startServer(some, options))
                                .isInstanceOf(IllegalStateException.class);
                        return true;
                    })
                    .await();
            assertThat(refused).isTrue();
        });
    }

    @SuppressWarnings("NullAway")
    private static <T> T nothing() {
        return null;
    }
}
