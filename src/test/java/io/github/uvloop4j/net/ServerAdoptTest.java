package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers that are given connections which were accepted elsewhere. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ServerAdoptTest {
    private static final ServerOptions OPTIONS = ServerOptions.defaults();

    /** A listening socket, which hands out both ends of connections. */
    private record Pairs(EventLoop loop, RawSocket listening) implements AutoCloseable {
        static Pairs open(EventLoop loop) throws IOException {
            var listening = loop.sockets().openTcp(StandardProtocolFamily.INET);
            listening.bind(new InetSocketAddress("127.0.0.1", 0));
            listening.listen(10);
            return new Pairs(loop, listening);
        }

        Connection client() throws Exception {
            return loop.net().openConnection("127.0.0.1", Internet.port(listening.localAddress()));
        }

        RawSocket accept() throws Exception {
            return loop.sockets().sockAccept(listening).await(Recorder.LIMIT).socket();
        }

        @Override
        public void close() {
            listening.close();
        }
    }

    private static void end(Server server) throws Exception {
        server.close();
        server.waitClosed().await(Recorder.LIMIT);
    }

    private static Server echoLine(EventLoop loop) throws Exception {
        return loop.net()
                .startServer(connection -> connection.write(connection.readLine() + "\n"), OPTIONS)
                .await();
    }

    @Tag("cells")
    @Test
    void anAdoptedConnectionIsServedAndCountedAsTheServersOwn(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                var server = echoLine(loop);
                var accepted = pairs.accept();
                server.adopt(accepted);
                assertThat(accepted.isOpen()).isFalse();
                assertThat(server.clientCount()).isEqualTo(1);
                assertThat(server.acceptedCount()).isEqualTo(1);
                client.write("hello\n");
                assertThat(client.readLine()).isEqualTo("hello");
                assertThat(client.readLine()).isNull();
                end(server);
                assertThat(server.clientCount()).isZero();
                assertThat(server.acceptedCount()).isEqualTo(1);
            }
        });
    }

    @Test
    void aServerWithoutSocketsHasNoAddressAndServesUntilClosed(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server =
                    loop.net().createServer(() -> new Recorder(loop), OPTIONS).await();
            assertThat(server.addresses()).isEmpty();
            assertThatThrownBy(server::address).isInstanceOf(IllegalStateException.class);
            assertThat(server.isServing()).isTrue();
            Recorder.turns(loop, 3);
            assertThat(server.waitClosed().isDone()).isFalse();
            end(server);
            assertThat(server.isServing()).isFalse();
        });
    }

    @Test
    void aServerWithSocketsAdoptsToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                var made = new ArrayList<Recorder>();
                var server = loop.net()
                        .createServer(
                                () -> {
                                    made.add(new Recorder(loop));
                                    return made.getLast();
                                },
                                "127.0.0.1",
                                0)
                        .await();
                var own = Peers.client(
                        server.address(), socket -> socket.getInputStream().read());
                Recorder.until(loop, () -> server.clientCount() == 1);
                server.adopt(pairs.accept());
                assertThat(server.acceptedCount()).isEqualTo(2);
                server.closeClients();
                assertThat(client.readAll()).isEmpty();
                assertThat(Recorder.await(loop, own)).isEqualTo(-1);
                end(server);
                assertThat(made).hasSize(2);
            }
        });
    }

    @Test
    void adoptedConnectionsGetTheServersOptions(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop)) {
                for (boolean on : new boolean[] {true, false}) {
                    var server = loop.net()
                            .startServer(
                                    Connection::readLine, OPTIONS.noDelay(on).keepAliveSeconds(on ? 77 : 0))
                            .await();
                    var client = pairs.client();
                    var accepted = pairs.accept();
                    int fd = accepted.fd();
                    server.adopt(accepted);
                    assertThat(option(fd, libc.IPPROTO_TCP(), libc.TCP_NODELAY()) != 0)
                            .isEqualTo(on);
                    assertThat(option(fd, libc.SOL_SOCKET(), libc.SO_KEEPALIVE()) != 0)
                            .isEqualTo(on);
                    if (on) {
                        assertThat(option(fd, libc.IPPROTO_TCP(), libc.TCP_KEEPIDLE()))
                                .isEqualTo(77);
                    }
                    client.close();
                    end(server);
                }
            }
        });
    }

    private static int option(int fd, int level, int name) {
        try (var arena = Arena.ofConfined()) {
            var value = arena.allocate(ValueLayout.JAVA_INT);
            var length = arena.allocateFrom(ValueLayout.JAVA_INT, 4);
            assertThat(libc.getsockopt(fd, level, name, value, length)).isZero();
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void aTaskThatIsAbortedBeforeItBeganNeverBegins(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                var begun = new ArrayList<Connection>();
                var server = loop.net().startServer(begun::add, OPTIONS).await();
                server.adopt(pairs.accept());
                server.abortClients();
                assertThat(client.readAll()).isEmpty();
                end(server);
                assertThat(begun).isEmpty();
            }
        });
    }

    @Test
    void aClosedServerClosesWhatItIsGiven(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                var server = echoLine(loop);
                end(server);
                var accepted = pairs.accept();
                assertThatThrownBy(() -> server.adopt(accepted))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
                assertThat(accepted.isOpen()).isFalse();
                assertThat(client.readAll()).isEmpty();
                assertThat(server.acceptedCount()).isZero();
            }
        });
    }

    @Test
    void aSocketThatIsNotConnectedOrListensIsClosedWithAnError(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = echoLine(loop);
            var before = Descriptors.now();
            for (boolean listens : new boolean[] {false, true}) {
                var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
                if (listens) {
                    socket.bind(new InetSocketAddress("127.0.0.1", 0));
                    socket.listen(5);
                }
                assertThatThrownBy(() -> server.adopt(socket)).isInstanceOf(SocketException.class);
                assertThat(socket.isOpen()).isFalse();
            }
            Recorder.turns(loop, 3);
            assertThat(Descriptors.leakedSince(before)).isEmpty();
            assertThat(server.clientCount()).isZero();
            end(server);
        });
    }

    @Test
    void aSocketInUseStaysTheCallers(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                var server = echoLine(loop);
                var accepted = pairs.accept();
                var receiving = loop.sockets().sockRecv(accepted, 10);
                assertThatThrownBy(() -> server.adopt(accepted))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("pending");
                client.write("mine");
                assertThat(receiving.await(Recorder.LIMIT)).hasSize(4);
                server.adopt(accepted);
                client.write("yours\n");
                assertThat(client.readLine()).isEqualTo("yours");
                assertThatThrownBy(() -> server.adopt(accepted)).isInstanceOf(IllegalStateException.class);
                assertThat(server.acceptedCount()).isEqualTo(1);
                end(server);
            }
        });
    }

    @Test
    void theCountsAreReadFromAnyThreadAndTheRestIsNot(EventLoop loop) throws Exception {
        var server = new Server[1];
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client()) {
                server[0] = echoLine(loop);
                server[0].adopt(pairs.accept());
                var seen = loop.runInExecutor(() -> server[0].clientCount() + 10 * server[0].acceptedCount())
                        .await();
                assertThat(seen).isEqualTo(11);
                var refused = loop.runInExecutor(() -> {
                            assertThatThrownBy(() -> server[0].adopt(pairs.listening))
                                    .isInstanceOf(IllegalStateException.class);
                            assertThatThrownBy(() -> server[0].shutdown(Recorder.LIMIT))
                                    .isInstanceOf(IllegalStateException.class);
                            return true;
                        })
                        .await();
                assertThat(refused).isTrue();
                assertThat(pairs.listening.isOpen()).isTrue();
                client.write("x\n");
                client.readAll();
                end(server[0]);
            }
        });
        assertThat(server[0].clientCount()).isZero();
        assertThat(server[0].acceptedCount()).isEqualTo(1);
    }

    @Test
    void descriptorsGoFromLoopToLoop(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var pairs = Pairs.open(loop);
                    var client = pairs.client();
                    var other = EventLoop.create()) {
                other.start();
                var server = other.call(() -> echoLine(other));
                int fd = pairs.accept().detach();
                other.post(() -> {
                    try {
                        server.adopt(other.sockets().adopt(fd));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                client.write("across\n");
                assertThat(client.readLine()).isEqualTo("across");
                client.readAll();
                other.call(() -> {
                    end(server);
                    return 0;
                });
            }
        });
    }
}
