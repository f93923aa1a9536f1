package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners that share a port, and the kernel's choice among them. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class SteeringTest {
    private static final int CONNECTS = 200;

    /** Servers that share a port, bound in the order of their index; none listens yet. */
    private static List<Server> bind(EventLoop loop, int count) throws Exception {
        var options = ServerOptions.defaults().reusePort(true).startServing(false);
        var servers = new ArrayList<Server>();
        for (int i = 0; i < count; i++) {
            int port = i == 0 ? 0 : servers.getFirst().port();
            servers.add(loop.net()
                    .startServer(connection -> {}, "127.0.0.1", port, options)
                    .await());
        }
        return servers;
    }

    private static void close(List<Server> servers) throws Exception {
        for (var server : servers) {
            server.close();
            server.waitClosed().await();
        }
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

    /** Checks for each of two CPUs that all connections from it come to its server. */
    private static void check(EventLoop loop, List<Server> servers, int[] cpuOfServer) throws Exception {
        int port = servers.getFirst().port();
        for (int i = 0; i < cpuOfServer.length; i++) {
            var before = counts(servers);
            connectFrom(loop, cpuOfServer[i], port);
            var after = counts(servers);
            assertThat(after[i] - before[i]).as("from CPU %d", cpuOfServer[i]).isEqualTo(CONNECTS);
            assertThat(after[1 - i]).isEqualTo(before[1 - i]);
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
            var servers = bind(loop, 2);
            for (int i = 0; i < 2; i++) {
                ServerLinks.incomingCpu(servers.get(i), cpus[i]);
            }
            servers.forEach(Server::startServing);
            check(loop, servers, cpus);
            close(servers);
        });
    }

    @Tag("cells")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aProgramBringsEachListenerTheConnectionsOfItsCpu(boolean beforeTheyListen, EventLoop loop) throws Exception {
        assumeKernel(4, 19);
        var cpus = twoCpus();
        var serverOfCpu = new int[Math.max(cpus[0], cpus[1]) + 1];
        Arrays.fill(serverOfCpu, -1);
        for (int i = 0; i < 2; i++) {
            serverOfCpu[cpus[i]] = i;
        }
        loop.run(() -> {
            var servers = bind(loop, 2);
            if (beforeTheyListen) {
                ServerLinks.program(servers.getFirst(), serverOfCpu, 2);
            }
            servers.forEach(Server::startServing);
            if (!beforeTheyListen) {
                ServerLinks.program(servers.getLast(), serverOfCpu, 2);
            }
            check(loop, servers, cpus);
            close(servers);
        });
    }

    @Test
    void cpusWithoutAListenerAreSharedOutByTheirNumber(EventLoop loop) throws Exception {
        assumeKernel(4, 19);
        var cpus = twoCpus();
        loop.run(() -> {
            var servers = bind(loop, 2);
            ServerLinks.program(servers.getFirst(), new int[0], 2);
            servers.forEach(Server::startServing);
            connectFrom(loop, cpus[0], servers.getFirst().port());
            assertThat(servers.get(cpus[0] % 2).acceptedCount()).isEqualTo(CONNECTS);
            close(servers);
        });
    }

    @Test
    void theLongestProgramIsTakenOrRefusedByTheKernelWithAnIoException(EventLoop loop) throws Exception {
        var scattered = IntStream.range(0, 2046).map(cpu -> (cpu + 1) % 7).toArray();
        loop.run(() -> {
            var servers = bind(loop, 1);
            try {
                ServerLinks.program(servers.getFirst(), scattered, 7);
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("optmem_max");
            }
            close(servers);
        });
    }

    @Test
    void whatIsNoSocketIsAnIoException() {
        assertThatThrownBy(() -> Steering.incomingCpu(-1, 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Steering.program(-1, new int[0], 1)).isInstanceOf(IOException.class);
    }
}
