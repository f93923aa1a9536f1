package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The addresses of servers: names, families, ports in use. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ServerAddressTest {
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
    void anAddressInUseIsABindExceptionThatNamesIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = serve(loop, new ArrayList<>());
            int port = server.port();
            for (int i = 0; i < 50; i++) {
                assertThatThrownBy(() -> serve(loop, new ArrayList<>(), port, ServerOptions.defaults()))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("127.0.0.1:" + port)
                        .cause()
                        .isInstanceOfSatisfying(
                                UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EADDRINUSE));
            }
            server.close();
        });
    }

    @Test
    void anAddressThatIsNotOursIsABindException(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> loop.net()
                        .createServer(() -> new Recorder(loop), "192.0.2.1", 0)
                        .await())
                .isInstanceOf(BindException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("EADDRNOTAVAIL"));
    }

    @Test
    void aServerCanBeRestartedWhileOldConnectionsLinger(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = serve(loop, made);
            int port = server.port();
            var peer = client(server);
            Recorder.until(loop, () -> !made.isEmpty());
            // The side that closes first keeps the address for a while.
            made.getFirst().transport().close();
            made.getFirst().ended();
            Recorder.await(loop, peer);
            server.close();
            var again = serve(loop, made, port, ServerOptions.defaults());
            assertThat(again.port()).isEqualTo(port);
            again.close();
        });
    }

    @Test
    void reusePortLetsSeveralServersShareAnAddress(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        var options = ServerOptions.defaults().reusePort(true);
        loop.run(() -> {
            var first = serve(loop, made, 0, options);
            int port = first.port();
            var second = serve(loop, made, port, options);
            assertThat(second.address()).isEqualTo(first.address());
            assertThatThrownBy(() -> serve(loop, made, port, ServerOptions.defaults()))
                    .isInstanceOf(BindException.class);
            first.close();
            var peer = Peers.client(second.address(), socket -> 1);
            Recorder.until(loop, () -> !made.isEmpty());
            made.getFirst().ended();
            Recorder.await(loop, peer);
            second.close();
        });
    }

    @Test
    void noHostMeansEveryInterfaceOfBothFamiliesOnOnePort(EventLoop loop) throws Exception {
        for (var host : new String[] {null, ""}) {
            var made = new ArrayList<Recorder>();
            loop.run(() -> {
                var server = loop.net()
                        .createServer(
                                () -> {
                                    made.add(new Recorder(loop));
                                    return made.getLast();
                                },
                                host,
                                0)
                        .await();
                int port = server.port();
                assertThat(server.addresses()).hasSize(2).allMatch(address -> Internet.port(address) == port);
                assertThat(server.addresses())
                        .anyMatch(address -> Internet.ip(address) instanceof Inet4Address)
                        .anyMatch(address -> Internet.ip(address) instanceof Inet6Address);
                for (var loopback : List.of("127.0.0.1", "::1")) {
                    var peer = Peers.client(new InetSocketAddress(loopback, port), socket -> 1);
                    int before = made.size();
                    Recorder.until(loop, () -> made.size() > before);
                    made.getLast().ended();
                    Recorder.await(loop, peer);
                }
                server.close();
            });
        }
    }

    @Tag("cells")
    @Test
    void aNameMeansAllItsAddresses(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createServer(() -> new Recorder(loop), "localhost", 0)
                    .await(Recorder.LIMIT);
            assertThat(server.addresses())
                    .allMatch(address -> Internet.ip(address).isLoopbackAddress());
            server.close();
        });
    }

    @Test
    void badArgumentsFailAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().createServer(() -> new Recorder(loop), "127.0.0.1", -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.net().createServer(() -> new Recorder(loop), "127.0.0.1", 65_536))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536");
        });
        assertThatThrownBy(() -> ServerOptions.defaults().backlog(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ServerOptions.defaults().keepAliveSeconds(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
