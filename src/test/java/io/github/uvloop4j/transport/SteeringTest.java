package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Listeners that share a port, and the kernel's choice among them. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class SteeringTest {
    private static final int CONNECTS = 200;

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    private static List<Server> serve(EventLoop loop, SharedListeners shared) throws Exception {
        var servers = new ArrayList<Server>();
        for (int i = 0; i < shared.size(); i++) {
            var socket = loop.sockets().adopt(shared.take(i));
            servers.add(loop.net()
                    .startServer(connection -> {}, socket, ServerOptions.defaults())
                    .await());
        }
        return servers;
    }

    /** Connects from a process on one CPU, {@link #CONNECTS} times, each to the server's end of the connection. */
    private static void connectFrom(EventLoop loop, int cpu, int port) throws Exception {
        var script = "for ((i = 0; i < " + CONNECTS + "; i++)); do exec 3<>/dev/tcp/127.0.0.1/" + port
                + " && read -r -t 20 -u 3; exec 3<&-; done";
        var command = List.of("taskset", "-c", "" + cpu, "bash", "-c", script);
        var process = loop.runInExecutor(() -> new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start())
                .await();
        try {
            assertThat(loop.runInExecutor(() -> process.waitFor(60, TimeUnit.SECONDS))
                            .await())
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static long[] counts(List<Server> servers) {
        return servers.stream().mapToLong(Server::acceptedCount).toArray();
    }

    /** Checks for each of two CPUs that all connections from it come to its listener. */
    private static void check(EventLoop loop, SharedListeners shared, int[] cpuOfListener) throws Exception {
        int port = shared.address().getPort();
        var servers = serve(loop, shared);
        for (int i = 0; i < cpuOfListener.length; i++) {
            var before = counts(servers);
            connectFrom(loop, cpuOfListener[i], port);
            var after = counts(servers);
            assertThat(after[i] - before[i]).as("from CPU %d", cpuOfListener[i]).isEqualTo(CONNECTS);
            assertThat(after[1 - i]).isEqualTo(before[1 - i]);
        }
        for (var server : servers) {
            server.close();
            server.waitClosed().await();
        }
    }

    /** Two CPUs that this process may use, the higher one first, so that a listener's index is not its CPU's number. */
    private static int[] twoCpus() throws IOException {
        var status = Files.readString(Path.of("/proc/self/status"));
        var list = Pattern.compile("Cpus_allowed_list:\\s*(\\S+)").matcher(status);
        assumeTrue(list.find(), "the kernel does not tell which CPUs are allowed");
        var cpus = new ArrayList<Integer>();
        for (var range : Pattern.compile(",").split(list.group(1))) {
            var ends = Pattern.compile("-").split(range);
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                cpus.add(cpu);
            }
        }
        assumeTrue(cpus.size() > 1, "only one CPU is allowed");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "taskset is not there");
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "bash is not there");
        return new int[] {cpus.getLast(), cpus.getFirst()};
    }

    private static void assumeKernel(int major, int minor) {
        var running = System.getProperty("os.version");
        var version = Pattern.compile("(\\d+)\\.(\\d+)").matcher(running);
        assumeTrue(version.find(), "no kernel version");
        int number = Integer.parseInt(version.group(1)) * 1000 + Integer.parseInt(version.group(2));
        assumeTrue(number >= major * 1000 + minor, "needs Linux " + major + "." + minor + ", this is " + running);
    }

    @Test
    void aListenersCpuBringsItTheConnectionsOfThatCpu(EventLoop loop) throws Exception {
        assumeKernel(6, 2);
        var cpus = twoCpus();
        loop.run(() -> {
            try (var shared = SharedListeners.bind(loopback(), 2)) {
                for (int i = 0; i < 2; i++) {
                    Steering.incomingCpu(shared.fd(i), cpus[i]);
                }
                shared.listen(100);
                check(loop, shared, cpus);
            }
        });
    }

    @Tag("cells")
    @Test
    void aProgramBringsEachListenerTheConnectionsOfItsCpu(EventLoop loop) throws Exception {
        assumeKernel(4, 6);
        var cpus = twoCpus();
        var listenerOfCpu = new int[Math.max(cpus[0], cpus[1]) + 1];
        Arrays.fill(listenerOfCpu, -1);
        for (int i = 0; i < 2; i++) {
            listenerOfCpu[cpus[i]] = i;
        }
        loop.run(() -> {
            try (var shared = SharedListeners.bind(loopback(), 2)) {
                shared.listen(100);
                Steering.program(shared.fd(0), listenerOfCpu, 2);
                check(loop, shared, cpus);
            }
        });
    }

    @Test
    void aProgramMayComeBeforeTheFirstConnection(EventLoop loop) throws Exception {
        assumeKernel(4, 19);
        var cpus = twoCpus();
        loop.run(() -> {
            try (var shared = SharedListeners.bind(loopback(), 2)) {
                Steering.program(shared.fd(0), new int[0], 1);
                shared.listen(100);
                int port = shared.address().getPort();
                var servers = serve(loop, shared);
                connectFrom(loop, cpus[0], port);
                assertThat(counts(servers)).containsExactly(CONNECTS, 0);
                for (var server : servers) {
                    server.close();
                }
            }
        });
    }

    @Test
    void theLongestProgramIsTakenOrRefusedByTheKernelWithAnIoException(EventLoop loop) throws Exception {
        var scattered = new int[2046];
        for (int cpu = 0; cpu < scattered.length; cpu++) {
            scattered[cpu] = (cpu + 1) % 7;
        }
        try (var shared = SharedListeners.bind(loopback(), 1)) {
            shared.listen(10);
            try {
                Steering.program(shared.fd(0), scattered, 7);
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("optmem_max");
            }
        }
    }

    @Test
    void allSocketsShareTheFirstOnesPort(EventLoop loop) throws Exception {
        try (var shared = SharedListeners.bind(loopback(), 3)) {
            assertThat(shared.address().getPort()).isPositive();
            shared.listen(10);
            loop.run(() -> {
                for (int i = 0; i < 3; i++) {
                    var socket = loop.sockets().adopt(shared.take(i));
                    assertThat(socket.localAddress()).isEqualTo(shared.address());
                    socket.close();
                }
                assertThatThrownBy(() -> shared.take(1)).isInstanceOf(IllegalStateException.class);
            });
        }
    }

    @Test
    void anAddressInUseIsABindExceptionAndLeavesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                assertThatThrownBy(() -> SharedListeners.bind(listener.address(), 2))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("127.0.0.1");
            }
        });
    }

    @Test
    void ofBothFamiliesTheSamePortCanBeShared(EventLoop loop) throws Exception {
        try (var v4 = SharedListeners.bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0), 2);
                var v6 = SharedListeners.bind(
                        new InetSocketAddress(
                                InetAddress.ofLiteral("::"), v4.address().getPort()),
                        2)) {
            v4.listen(10);
            v6.listen(10);
            assertThat(v6.address().getPort()).isEqualTo(v4.address().getPort());
        } catch (IOException noVersion6) {
            assumeTrue(false, "no IPv6 here: " + noVersion6);
        }
    }

    @Test
    void badCountsAndDescriptorsAreRefused(EventLoop loop) throws Exception {
        assertThatThrownBy(() -> SharedListeners.bind(loopback(), 0)).isInstanceOf(IllegalArgumentException.class);
        try (var shared = SharedListeners.bind(loopback(), 1)) {
            assertThatThrownBy(() -> shared.listen(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Steering.incomingCpu(-1, 0)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> Steering.program(-1, new int[0], 1)).isInstanceOf(IOException.class);
        }
    }
}
