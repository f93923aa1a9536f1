package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connecting. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectTest {
    private static int closedPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    @Tag("cells")
    @Test
    void aRefusedConnectionIsAConnectExceptionThatNamesTheAddress(EventLoop loop) throws Exception {
        int port = closedPort();
        loop.run(() -> {
            for (var attempt : List.<java.util.concurrent.Callable<?>>of(
                    () -> loop.net()
                            .createConnection(() -> new Recorder(loop), "127.0.0.1", port)
                            .await(),
                    () -> loop.net().openConnection("127.0.0.1", port))) {
                assertThatThrownBy(attempt::call)
                        .isInstanceOf(ConnectException.class)
                        .hasMessage("connect 127.0.0.1:" + port + ": ECONNREFUSED (connection refused)")
                        .cause()
                        .isInstanceOfSatisfying(UvException.class, cause -> {
                            assertThat(cause.errno()).isEqualTo(UvErrno.ECONNREFUSED);
                            assertThat(cause.getStackTrace()).isEmpty();
                        });
            }
        });
    }

    @Test
    void whenAllAddressesFailTheFirstErrorHasTheOthers(EventLoop loop) throws Exception {
        int port = closedPort();
        loop.run(() -> assertThatThrownBy(() -> loop.net().openConnection("localhost", port))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("]:" + port)
                .hasMessageContaining("2 addresses")
                .satisfies(error -> assertThat(error.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other)
                                .isInstanceOf(ConnectException.class)
                                .hasMessageContaining("127.0.0.1:" + port))));
    }

    @Test
    void theNextAddressIsTriedWhenOneFails(EventLoop loop) throws Exception {
        try (var listening = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            loop.run(() -> {
                var connection = loop.net().openConnection("localhost", listening.getLocalPort());
                assertThat(Internet.ip(connection.peerAddress())).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
                connection.close();
            });
        }
    }

    @Test
    void anUnknownNameIsAnUnknownHostException(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().openConnection("no-such-host.invalid", 1))
                    .isInstanceOf(UnknownHostException.class);
            assertThatThrownBy(() -> loop.net().openConnection("x".repeat(300), 1))
                    .isInstanceOf(UnknownHostException.class);
        });
    }

    @Test
    void connectTimesOut(EventLoop loop) throws Exception {
        try (var full = new FullBacklog("127.0.0.1", 0)) {
            loop.run(() -> {
                var options = ConnectOptions.defaults().timeout(Duration.ofMillis(50));
                assertThatThrownBy(() -> loop.net().openConnection("127.0.0.1", full.port(), options))
                        .isInstanceOf(SocketTimeoutException.class)
                        .hasMessageContaining("PT0.05S");
            });
        }
    }

    @Test
    void aTimeoutThatIsNotReachedHasNoEffect(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var options = ConnectOptions.defaults().timeout(Duration.ofDays(1_000_000));
            loop.net().openConnection("127.0.0.1", peer.port(), options).close();
        });
    }

    @Test
    void theLocalAddressIsBoundFirst(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> new InetSocketAddress(socket.getInetAddress(), socket.getPort()));
        loop.run(() -> {
            var options = ConnectOptions.defaults().localAddress(new InetSocketAddress("127.0.0.3", 0));
            var connection = loop.net().openConnection("127.0.0.1", peer.port(), options);
            assertThat(Internet.ip(connection.localAddress())).isEqualTo(InetAddress.ofLiteral("127.0.0.3"));
            assertThat(Recorder.await(loop, peer.result())).isEqualTo(connection.localAddress());
            connection.close();
        });
    }

    @Test
    void aLocalAddressInUseIsABindException(EventLoop loop) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var peer = Peers.server(socket -> null);
            loop.run(() -> {
                var options = ConnectOptions.defaults()
                        .localAddress(new InetSocketAddress("127.0.0.1", taken.getLocalPort()));
                assertThatThrownBy(() -> loop.net().openConnection("127.0.0.1", peer.port(), options))
                        .isInstanceOf(BindException.class);
                var notOurs = ConnectOptions.defaults().localAddress(new InetSocketAddress("192.0.2.1", 0));
                assertThatThrownBy(() -> loop.net().openConnection("127.0.0.1", peer.port(), notOurs))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("192.0.2.1");
                loop.net().openConnection("127.0.0.1", peer.port()).close();
            });
        }
    }

    @Test
    void badArgumentsFailAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().openConnection("127.0.0.1", 65_536))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.net().openConnection(null, 1)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> loop.net().createConnection(null, "127.0.0.1", 1))
                    .isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> loop.net().createConnection(() -> new Recorder(loop), null, 1))
                    .isInstanceOf(NullPointerException.class);
        });
        assertThatThrownBy(() -> ConnectOptions.defaults().timeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ConnectOptions.defaults().timeout(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ConnectOptions.defaults().keepAliveSeconds(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFactoryThatFailsClosesTheConnection(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> assertThatThrownBy(() -> loop.net()
                        .<Recorder>createConnection(
                                () -> {
                                    throw new IllegalStateException("mine");
                                },
                                "127.0.0.1",
                                peer.port())
                        .await())
                .hasMessage("mine"));
        assertThat(peer.result()).succeedsWithin(Recorder.LIMIT).isEqualTo(-1);
    }

    @Test
    void aHundredConnectsAtOnceAllSucceed(EventLoop loop) throws Exception {
        var made = new ArrayList<Recorder>();
        loop.run(() -> {
            var server = loop.net()
                    .createServer(
                            () -> {
                                made.add(new Recorder(loop));
                                return made.getLast();
                            },
                            "127.0.0.1",
                            0)
                    .await();
            var connecting = new ArrayList<LoopFuture<Connected<Recorder>>>();
            for (int i = 0; i < 100; i++) {
                connecting.add(loop.net().createConnection(() -> new Recorder(loop), "127.0.0.1", server.port()));
            }
            for (var future : connecting) {
                var connected = future.await(Recorder.LIMIT);
                connected.transport().write(new byte[] {1});
                connected.transport().writeEof();
                connected.transport().writeEof();
                connected.protocol().ended();
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
        assertThat(made).hasSize(100).allMatch(recorder -> recorder.size() == 1 && recorder.cause == null);
    }

    @Test
    void cancelRightAfterTheStartLeavesNothing(EventLoop loop) throws Exception {
        try (var full = new FullBacklog("127.0.0.1", 0)) {
            loop.run(() -> {
                var before = Descriptors.now();
                var made = new int[1];
                var connecting = loop.net()
                        .createConnection(
                                () -> {
                                    made[0]++;
                                    return new Recorder(loop);
                                },
                                "127.0.0.1",
                                full.port());
                var task = loop.spawn(() -> loop.net().openConnection("127.0.0.1", full.port()));
                Recorder.turns(loop, 3);
                assertThat(connecting.isDone() || task.isDone()).isFalse();
                connecting.cancel();
                task.cancel();
                assertThatThrownBy(connecting::await).isInstanceOf(CancellationException.class);
                assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                Recorder.turns(loop, 3);
                assertThat(made[0]).isZero();
                assertThat(Descriptors.leakedSince(before)).isEmpty();
            });
        }
    }

    @Test
    void cancelAtAnyMomentLeavesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createServer(() -> new Recorder(loop), "127.0.0.1", 0)
                    .await();
            int port = server.port();
            var random = new Random(5);
            int cancelled = 0;
            for (int i = 0; i < 200; i++) {
                var protocol = new Recorder(loop);
                var connecting = loop.net().createConnection(() -> protocol, "127.0.0.1", port);
                var task = loop.spawn(() -> loop.net().openConnection("127.0.0.1", port));
                Recorder.turns(loop, random.nextInt(5));
                connecting.cancel();
                task.cancel();
                try {
                    connecting.await().transport().close();
                } catch (CancellationException e) {
                    cancelled++;
                    if (!protocol.events.isEmpty()) {
                        protocol.ended();
                    }
                }
                try {
                    task.await().close();
                } catch (CancellationException e) {
                    cancelled++;
                }
            }
            assertThat(cancelled).isPositive();
            Recorder.until(loop, () -> server.clientCount() == 0);
            server.close();
        });
    }
}
