package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.CpuTopology;
import io.github.uvloop4j.affinity.KernelVersion;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.affinity.Placement;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class GroupSteeringTest {
    private static final int CONNECTIONS = 200;
    /** A connection that finds the queue full is tried again by a timer, which may run on another CPU. */
    private static final ServerOptions ROOMY = ServerOptions.defaults().backlog(2 * CONNECTIONS);

    private static final KernelVersion NEW = new KernelVersion(6, 2);
    private static final KernelVersion OLD = new KernelVersion(6, 1);

    private static GroupPlan plan(String... cpus) {
        var pinnings = Stream.of(cpus).map(CpuSet::parse).map(Pinning::to).toList();
        return new GroupPlan(CpuTopology.read(), pinnings);
    }

    @Test
    void steeringByCpuTakesTheSocketOptionWhereTheKernelHasItRight() {
        assertThat(GroupSteering.choose(Steering.CPU, plan("0", "1"), NEW)).isEqualTo(Steering.INCOMING_CPU);
        assertThat(GroupSteering.choose(Steering.CPU, plan("0", "1"), OLD)).isEqualTo(Steering.CBPF);
    }

    @Test
    void loopsWithSeveralCpusNeedTheProgram() {
        assertThat(GroupSteering.choose(Steering.CPU, plan("0-1", "2-3"), NEW)).isEqualTo(Steering.CBPF);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupSteering.choose(Steering.INCOMING_CPU, plan("0-1", "2-3"), NEW))
                .withMessageContaining("one CPU each");
    }

    @Test
    void loopsThatShareACpuCannotBeSteeredTo() {
        for (var steering : List.of(Steering.CPU, Steering.INCOMING_CPU, Steering.CBPF)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> GroupSteering.choose(steering, plan("0-1", "1-2"), NEW))
                    .withMessageContaining("no two");
        }
    }

    @Test
    void anOldKernelIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupSteering.choose(Steering.INCOMING_CPU, plan("0", "1"), OLD))
                .withMessageContaining("6.2")
                .withMessageContaining("6.1");
    }

    @ParameterizedTest
    @EnumSource(
            value = Steering.class,
            names = {"INCOMING_CPU", "CBPF"})
    void connectionsLandOnTheLoopOfTheCpuTheyCameInOn(Steering steering) throws Exception {
        var cpus = Affinity.allowed();
        assumeThat(cpus.size()).as("CPUs to tell apart").isGreaterThan(1);
        if (steering == Steering.INCOMING_CPU) {
            assumeThat(KernelVersion.current()).isGreaterThanOrEqualTo(NEW);
        }
        var options = GroupOptions.defaults()
                .loops(2)
                .placement(Placement.fixed())
                .steering(steering)
                .shutdownTimeout(Duration.ZERO);
        for (int k = 0; k < 2; k++) {
            try (var group = EventLoopGroup.create(options)) {
                var server = group.createServer(Silent::new, "127.0.0.1", 0, ROOMY);
                assertThat(server.steering()).isEqualTo(steering);
                int cpu = group.layout().loops().get(k).cpus().first();
                var clients = connectFrom(cpu, server.address());
                Until.holds("all are accepted", () -> server.acceptedCount() == CONNECTIONS);
                assertThat(server.acceptedCount(k)).isEqualTo(CONNECTIONS);
                assertThat(group.statistics().imbalance()).isEqualTo(2);
                for (var client : clients) {
                    client.close();
                }
            }
        }
    }

    private static final class Silent implements Protocol {
        @Override
        public void dataReceived(ByteBuffer data) {}
    }

    private static List<Socket> connectFrom(int cpu, SocketAddress server) throws Exception {
        var connected = new CompletableFuture<List<Socket>>();
        Thread.ofPlatform().start(() -> {
            var clients = new ArrayList<Socket>();
            try (var _ = Affinity.pinned(CpuSet.of(cpu))) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    clients.add(new Socket(Internet.ip(server), Internet.port(server)));
                }
                connected.complete(clients);
            } catch (IOException | RuntimeException e) {
                connected.completeExceptionally(e);
            }
        });
        return connected.get();
    }

    @Test
    void aGroupPinsItsLoopsAndNothingElse() throws Exception {
        var before = Affinity.current();
        assumeThat(Affinity.allowed().size()).as("CPUs").isGreaterThan(1);
        var options = GroupOptions.defaults().loops(2).placement(Placement.fixed());
        try (var group = EventLoopGroup.create(options)) {
            for (var place : group.layout().loops()) {
                assertThat(Affinity.of(place.threadId()))
                        .isEqualTo(place.cpus())
                        .hasToString("" + place.cpus().first());
            }
            assertThat(Affinity.current()).isEqualTo(before);
        }
    }

    @Test
    void moreLoopsThanCpusAreRefused() {
        var options = GroupOptions.defaults().loops(60_000).placement(Placement.fixed());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventLoopGroup.create(options))
                .withMessageContaining("60000 loops");
    }
}
