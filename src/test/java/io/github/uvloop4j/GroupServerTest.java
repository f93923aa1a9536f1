package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class GroupServerTest {
    private static final String HOST = "127.0.0.1";

    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void closeClients() throws IOException {
        for (var client : clients) {
            client.close();
        }
    }

    private static EventLoopGroup group(Steering steering, boolean rebalance) {
        return EventLoopGroup.create(GroupOptions.defaults()
                .loops(3)
                .steering(steering)
                .rebalance(rebalance)
                .shutdownTimeout(Duration.ZERO));
    }

    private static final class Echo implements Protocol {
        @SuppressWarnings("NullAway.Init")
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            transport.write(data);
        }
    }

    private static void echo(Connection connection) throws IOException {
        connection.transferTo(connection);
    }

    private void connect(SocketAddress server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            var client = new Socket(Internet.ip(server), Internet.port(server));
            client.setSoTimeout(30_000);
            clients.add(client);
            client.getOutputStream().write(i);
            assertThat(client.getInputStream().read()).isEqualTo(i);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Steering.class,
            names = {"HASH", "ACCEPTOR"})
    @Tag("cells")
    void servesWithProtocolsOnAllLoops(Steering steering) throws Exception {
        try (var group = group(steering, false)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 60);
            assertThat(server.clientCount()).isEqualTo(60);
            assertThat(server.acceptedCount()).isEqualTo(60);
            for (int i = 0; i < group.size(); i++) {
                assertThat(server.acceptedCount(i)).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Steering.class,
            names = {"HASH", "ACCEPTOR"})
    @Tag("cells")
    void servesWithTasksOnAllLoops(Steering steering) throws Exception {
        try (var group = group(steering, false)) {
            var server = group.startServer(GroupServerTest::echo, HOST, 0);
            connect(server.address(), 30);
            assertThat(server.clientCount()).isEqualTo(30);
            assertThat(group.statistics().tasks()).isGreaterThanOrEqualTo(30);
        }
    }

    @Test
    void theAcceptorGivesConnectionsToTheLoopsInTurn() throws Exception {
        try (var group = group(Steering.ACCEPTOR, false)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 30);
            for (int i = 0; i < 3; i++) {
                assertThat(server.acceptedCount(i)).isEqualTo(10);
            }
            assertThat(group.statistics().imbalance()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Steering.class,
            names = {"HASH", "ACCEPTOR"})
    void rebalancingKeepsTheLoopsLevel(Steering steering) throws Exception {
        try (var group = group(steering, true)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 150);
            for (int i = 0; i < 3; i++) {
                assertThat(server.clientCount(i)).isBetween(40, 60);
            }
            assertThat(server.clientCount()).isEqualTo(150);
        }
    }

    @Test
    void statisticsShowAnUnevenShare() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 1);
            var statistics = group.statistics();
            assertThat(statistics.accepted()).isEqualTo(1);
            assertThat(statistics.connections()).isEqualTo(1);
            assertThat(statistics.imbalance()).isEqualTo(3);
            assertThat(statistics.loops())
                    .extracting(GroupStatistics.OfLoop::loop)
                    .containsExactly(0, 1, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost"})
    void listensOnAllAddressesOfAHostWithOnePort(String host) throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.createServer(Echo::new, host.isEmpty() ? null : host, 0);
            assertThat(server.addresses().stream().mapToInt(Internet::port).distinct())
                    .hasSize(1);
            connect(new InetSocketAddress(HOST, server.port()), 10);
            assertThat(server.acceptedCount()).isEqualTo(10);
        }
    }

    @Test
    void anAddressInUseFailsAlsoWhenTheOtherServerSharesItsPort() throws Exception {
        try (var first = group(Steering.HASH, false);
                var second = group(Steering.HASH, false)) {
            int port = first.createServer(Echo::new, HOST, 0).port();
            assertThatThrownBy(() -> second.createServer(Echo::new, HOST, port)).isInstanceOf(BindException.class);
            var sharing = ServerOptions.defaults().reusePort(true);
            assertThat(second.createServer(Echo::new, HOST, port, sharing).port())
                    .isEqualTo(port);
        }
    }

    @Test
    void aFailureLeavesNoDescriptorBehind() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            group.createServer(Echo::new, HOST, 0).close();
            var before = Descriptors.now();
            assertThatThrownBy(() -> group.createServer(Echo::new, "192.0.2.1", 0))
                    .isInstanceOf(BindException.class);
            assertThat(Descriptors.leakedSince(before)).isEmpty();
        }
    }

    @Test
    void closeStopsListeningAndLeavesConnections() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 2);
            server.close();
            assertThat(server.isServing()).isFalse();
            assertThatThrownBy(() -> new Socket(HOST, server.port())).isInstanceOf(IOException.class);
            clients.getFirst().getOutputStream().write(7);
            assertThat(clients.getFirst().getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void shutdownWaitsForConnectionsThatEndByThemselves() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.createServer(Echo::new, HOST, 0);
            connect(server.address(), 3);
            var ended = CompletableFuture.supplyAsync(() -> server.shutdown(Duration.ofSeconds(30)));
            Until.holds("it does not listen", () -> !server.isServing());
            closeClients();
            assertThat(ended.get()).isTrue();
            assertThat(server.clientCount()).isZero();
        }
    }

    @Test
    void shutdownAbortsWhatDoesNotEnd() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.startServer(
                    connection -> {
                        connection.readLine();
                        new CountDownLatch(1).await();
                    },
                    HOST,
                    0);
            var peer = Peers.client(server.address(), socket -> {
                socket.getOutputStream().write('\n');
                return socket.getInputStream().read();
            });
            Until.holds("the connection is there", () -> server.clientCount() == 1);
            assertThat(server.shutdown(Duration.ZERO)).isFalse();
            assertThat(server.clientCount()).isZero();
            assertThat(peer.handle((read, error) -> error != null || read == -1).get())
                    .isTrue();
        }
    }

    @Test
    void endingTheGroupDrainsItsServers() throws Exception {
        var group = group(Steering.ACCEPTOR, false);
        var server = group.createServer(Echo::new, HOST, 0);
        connect(server.address(), 3);
        var ended = group.shutdownAsync(Duration.ofSeconds(30));
        Until.holds("it does not listen", () -> !server.isServing());
        for (var client : clients) {
            client.getOutputStream().write(9);
            assertThat(client.getInputStream().read()).isEqualTo(9);
        }
        closeClients();
        assertThat(ended.get()).isTrue();
    }

    @Test
    void aGroupThatIsShutDownServesNoMore() {
        var group = group(Steering.HASH, false);
        group.close();
        assertThatThrownBy(() -> group.createServer(Echo::new, HOST, 0)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void canBeMadeByATaskOfAnOwnLoop() throws Exception {
        try (var group = group(Steering.HASH, false)) {
            var server = group.loop(0).call(() -> group.createServer(Echo::new, HOST, 0));
            connect(server.address(), 1);
            assertThat(group.loop(0).<Boolean>call(() -> server.shutdown(Duration.ZERO)))
                    .isFalse();
        }
    }

    @Test
    void steeringByCpuNeedsPinnedLoops() {
        for (var steering : List.of(Steering.CPU, Steering.INCOMING_CPU, Steering.CBPF)) {
            try (var group = group(steering, false)) {
                assertThatThrownBy(() -> group.createServer(Echo::new, HOST, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(steering == Steering.CPU ? "cbpf" : steering.toString())
                        .hasMessageContaining("pinned");
            }
        }
    }
}
