package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskBody;
import io.github.uvloop4j.dns.Resolvers;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connecting to a name of several addresses, of which some are slow and some refuse. */
@Timeout(60)
class ConnectRaceTest {
    private static final InetAddress V4 = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress OTHER_V4 = InetAddress.ofLiteral("127.0.0.2");
    private static final InetAddress V6 = InetAddress.ofLiteral("::1");
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final Duration NEVER = Duration.ofDays(1_000_000);

    private final EventLoop loop = EventLoop.create(LoopOptions.defaults()
            .resolver(Resolvers.fixed(Map.of(
                    "both", List.of(V4, V6), "v4", List.of(V4, OTHER_V4), "v6", List.of(V6), "six", List.of(V6, V4)))));
    private Descriptors before;

    @BeforeEach
    void warmUp() throws Exception {
        try (var listening = new ServerSocket(0, 1, V4)) {
            run(() ->
                    loop.net().openConnection("both", listening.getLocalPort()).close());
        }
        before = Descriptors.now();
    }

    @AfterEach
    void close() {
        loop.close();
        assertThat(loop.isClosed()).isTrue();
    }

    private void run(TaskBody body) throws Exception {
        loop.run(body);
    }

    private static ConnectOptions delay(Duration delay) {
        return ConnectOptions.defaults().attemptDelay(delay);
    }

    private InetAddress reached(String host, int port, ConnectOptions options) throws Exception {
        try (var connection = loop.net().openConnection(host, port, options)) {
            return Internet.ip(connection.peerAddress());
        }
    }

    private static int closedPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, V4)) {
            return socket.getLocalPort();
        }
    }

    @Tag("cells")
    @Test
    void anAddressThatDoesNotAnswerIsOvertakenAndClosed() throws Exception {
        try (var listening = new ServerSocket(0, 8, V4);
                var slow = new FullBacklog("::1", listening.getLocalPort())) {
            var here = Descriptors.now();
            run(() -> {
                assertThat(reached("both", slow.port(), delay(SHORT))).isEqualTo(V4);
                loop.spawn(() -> {}).await();
            });
            assertThat(Descriptors.leakedSince(here)).isEmpty();
        }
    }

    @Test
    void anAddressThatRefusesIsFollowedAtOnce() throws Exception {
        try (var listening = new ServerSocket(0, 8, V4)) {
            run(() -> assertThat(reached("both", listening.getLocalPort(), delay(NEVER)))
                    .isEqualTo(V4));
        }
    }

    @Test
    void ipv6IsFirstWhateverTheResolversOrder() throws Exception {
        try (var v4 = new ServerSocket(0, 8, V4);
                var v6 = new ServerSocket(v4.getLocalPort(), 8, V6)) {
            run(() -> {
                assertThat(reached("both", v6.getLocalPort(), delay(NEVER))).isEqualTo(V6);
                assertThat(reached("both", v6.getLocalPort(), delay(null)))
                        .as("one after another")
                        .isEqualTo(V4);
                assertThat(reached("six", v6.getLocalPort(), delay(null))).isEqualTo(V6);
            });
        }
    }

    @Test
    void withoutADelayTheNextWaitsForTheFailureOfTheFirst() throws Exception {
        try (var listening = new ServerSocket(0, 8, V4);
                var slow = new FullBacklog("::1", listening.getLocalPort())) {
            var options = delay(null).timeout(Duration.ofMillis(60));
            run(() -> assertThatThrownBy(() -> reached("six", slow.port(), options))
                    .isInstanceOf(SocketTimeoutException.class));
        }
    }

    @Tag("cells")
    @Test
    void whenAllFailOneExceptionHasAllErrors() throws Exception {
        int port = closedPort();
        run(() -> assertThatThrownBy(() -> reached("both", port, delay(SHORT)))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("[0:0:0:0:0:0:0:1]:" + port)
                .hasMessageContaining("the first of 2 addresses")
                .satisfies(error -> assertThat(error.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other)
                                .isInstanceOf(ConnectException.class)
                                .hasMessage("connect 127.0.0.1:" + port + ": ECONNREFUSED (connection refused)"))));
    }

    @Test
    void aFailureBesideOneThatIsSlowDoesNotEndTheRace() throws Exception {
        int port;
        try (var slow = new FullBacklog("127.0.0.1", 0)) {
            port = slow.port();
            run(() -> {
                var connecting = loop.spawn(() -> reached("v4", slow.port(), delay(SHORT)));
                assertThatThrownBy(() -> connecting.shield().await(Duration.ofMillis(100)))
                        .isInstanceOf(TimeoutException.class);
                connecting.cancel();
                assertThatThrownBy(connecting::await).isInstanceOf(CancellationException.class);
            });
        }
        // Nobody listens any more.
        run(() -> assertThatThrownBy(() -> reached("v4", port, delay(SHORT)))
                .hasMessageContaining("the first of 2 addresses"));
    }

    @Test
    void cancelEndsAllThatAreTried() throws Exception {
        try (var slow4 = new FullBacklog("127.0.0.1", 0);
                var slow6 = new FullBacklog("::1", slow4.port())) {
            var here = Descriptors.now();
            run(() -> {
                var connecting =
                        loop.net().createConnection(() -> new Recorder(loop), "both", slow6.port(), delay(SHORT));
                assertThatThrownBy(() -> connecting.shield().await(Duration.ofMillis(60)))
                        .isInstanceOf(TimeoutException.class);
                connecting.cancel();
                assertThatThrownBy(connecting::await).isInstanceOf(CancellationException.class);
                Recorder.turns(loop, 3);
            });
            assertThat(Descriptors.leakedSince(here)).isEmpty();
        }
    }

    @Test
    void theTimeoutIsForAllAndHasTheErrorsSoFar() throws Exception {
        try (var slow = new FullBacklog("127.0.0.1", 0)) {
            var here = Descriptors.now();
            var options = delay(SHORT).timeout(Duration.ofMillis(80));
            run(() -> {
                assertThatThrownBy(() -> reached("both", slow.port(), options))
                        .isInstanceOf(SocketTimeoutException.class)
                        .satisfies(error -> assertThat(error.getSuppressed())
                                .singleElement()
                                .isInstanceOf(ConnectException.class));
                Recorder.turns(loop, 3);
            });
            assertThat(Descriptors.leakedSince(here)).isEmpty();
        }
    }

    @Test
    void aLocalAddressChoosesTheFamily() throws Exception {
        try (var v4 = new ServerSocket(0, 8, V4);
                var v6 = new ServerSocket(v4.getLocalPort(), 8, V6)) {
            var local = ConnectOptions.defaults().localAddress(new InetSocketAddress("127.0.0.3", 0));
            run(() -> {
                assertThat(reached("both", v6.getLocalPort(), local)).isEqualTo(V4);
                assertThatThrownBy(() -> reached("v6", v6.getLocalPort(), local))
                        .isInstanceOf(NoRouteToHostException.class)
                        .hasMessageContaining("127.0.0.3");
            });
        }
    }

    @Test
    void theFamilyMayBeChosen() throws Exception {
        try (var v4 = new ServerSocket(0, 8, V4);
                var v6 = new ServerSocket(v4.getLocalPort(), 8, V6)) {
            run(() -> {
                for (var host : List.of("both", "localhost")) {
                    var only4 = ConnectOptions.defaults().family(StandardProtocolFamily.INET);
                    assertThat(reached(host, v6.getLocalPort(), only4)).isEqualTo(V4);
                    var only6 = ConnectOptions.defaults().family(StandardProtocolFamily.INET6);
                    assertThat(reached(host, v6.getLocalPort(), only6)).isEqualTo(V6);
                }
                var only6 = ConnectOptions.defaults().family(StandardProtocolFamily.INET6);
                for (var host : List.of("v4", "127.0.0.1")) {
                    assertThatThrownBy(() -> reached(host, v6.getLocalPort(), only6))
                            .isInstanceOf(UnknownHostException.class)
                            .hasMessageContaining("INET6");
                }
            });
        }
    }

    @Test
    void manyRacesAtOnceLeaveNothing() throws Exception {
        try (var listening = new ServerSocket(0, 200, V4);
                var slow = new FullBacklog("::1", listening.getLocalPort())) {
            var here = Descriptors.now();
            run(() -> {
                var all = new ArrayList<Task<InetAddress>>();
                for (int i = 0; i < 50; i++) {
                    all.add(loop.spawn(() -> reached("both", slow.port(), delay(SHORT))));
                }
                for (var one : all) {
                    assertThat(one.await()).isEqualTo(V4);
                }
                Recorder.turns(loop, 3);
            });
            assertThat(Descriptors.leakedSince(here)).isEmpty();
        }
        assertThat(Descriptors.leakedSince(before)).isEmpty();
    }
}
