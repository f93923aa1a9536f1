package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.process.ChildJvm;
import io.github.uvloop4j.cli.process.Taskset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoBenchTest {
    private static final String[] KEYS = {
        "server",
        "size_bytes",
        "connections",
        "messages_in_flight",
        "messages_per_second",
        "server_cpu_us_per_message",
        "server_user_cpu_us_per_message",
        "p50_us",
        "p99_us",
        "p999_us"
    };

    private static String peer(String name, EchoPeer.Fault fault) {
        var command = new ChildJvm(EchoPeer.class, List.of()).command(List.of(), List.of(fault.name()));
        return name + "=" + String.join(" ", command) + " --addr {addr}";
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, ?> report, String key) {
        return (List<Map<String, Object>>) report.get(key);
    }

    @Test
    void comparesServersAndReports(@TempDir Path directory) throws IOException {
        var json = directory.resolve("report.json");
        var html = directory.resolve("report.html");

        var outcome = Outcome.of(
                "echo-bench",
                "--servers=nio,virtual-threads",
                "--rounds=2",
                "--duration=0.3",
                "--warmup-messages=500",
                "--connections=5",
                "--json=" + json,
                "--html=" + html);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("1024 B, 5 connections, 1 in flight", "virtual-threads", "Ratios to nio");
        var report = JsonReader.object(Files.readString(json));
        assertThat(report).containsKeys("machine", "kernel", "jdk", "cpu_model", "versions", "settings");
        assertThat(list(report, "failures")).isEmpty();
        assertThat(list(report, "runs"))
                .hasSize(4)
                .allSatisfy(run -> assertThat(run).containsKeys(KEYS));
        assertThat(list(report, "runs"))
                .extracting(run -> run.get("server"))
                .containsExactly("nio", "virtual-threads", "virtual-threads", "nio");
        assertThat(list(report, "medians"))
                .hasSize(2)
                .allSatisfy(median -> assertThat(median)
                        .containsKeys(KEYS)
                        .containsKeys("messages_per_second_ratio", "server_cpu_us_per_message_ratio_low"));
        assertThat(Files.readString(html)).contains("<svg", "virtual-threads");
    }

    @ParameterizedTest
    @CsvSource({"unix,virtual-threads", "udp,debug", "tls,protocol"})
    void comparesOverOtherTransports(String over, String server) {
        var outcome = Outcome.of(
                "echo-bench",
                "--over=" + over,
                "--servers=" + server,
                "--rounds=1",
                "--duration=0.2",
                "--warmup-messages=50",
                "--connections=2",
                "--json");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.json().get("settings"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("over", over);
        assertThat(list(outcome.json(), "runs"))
                .singleElement()
                .satisfies(run -> assertThat(run).containsKeys(KEYS));
    }

    @ParameterizedTest
    @CsvSource({
        "--over=sctp,not one of",
        "--over=udp --servers=protocol,server protocol has no UDP",
        "--over=tls --servers=nio,server nio has no TLS",
        "--over=udp --sizes=70000,--sizes must be 1 to 65507",
        "--over=unix --pinning,--pinning is for --over tcp"
    })
    void refusesWhatDoesNotGoTogether(String arguments, String reason) {
        var outcome = Outcome.of(("echo-bench " + arguments).split(" ", -1));

        assertThat(outcome.errorLines()).singleElement().asString().contains(reason);
        assertThat(outcome.status()).isEqualTo(2);
    }

    @Test
    void coldRunCountsFromTheStartOfTheServer() {
        var outcome = Outcome.of(
                "echo-bench", "--servers=nio", "--cold", "--rounds=1", "--duration=0.3", "--connections=2", "--json");

        assertThat(outcome.err()).isEmpty();
        assertThat(list(outcome.json(), "runs"))
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasEntrySatisfying(
                        "first_reply_ms", millis -> assertThat((Double) millis).isPositive());
    }

    @Test
    @Timeout(120)
    void comparesPinnedAndUnpinnedLoopsBesideANoisyNeighbour() {
        assumeThat(Affinity.allowed().size())
                .as("CPUs that this process may use")
                .isGreaterThan(1);
        assumeThat(Taskset.program()).as("taskset, which pins the neighbour").isPresent();

        var outcome = Outcome.of(
                "echo-bench",
                "--pinning",
                "--neighbour",
                "--servers=protocol",
                "--rounds=1",
                "--duration=0.3",
                "--warmup-messages=100",
                "--connections=2",
                "--json");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(list(outcome.json(), "runs"))
                .extracting(run -> run.get("server") + " " + run.get("noisy_neighbour"))
                .containsExactly("protocol false", "protocol-pinned false", "protocol true", "protocol-pinned true");
        assertThat(list(outcome.json(), "runs"))
                .allSatisfy(run -> assertThat(run)
                        .containsKeys(KEYS)
                        .containsKeys("loop_migrations_per_second", "loop_involuntary_switches_per_second")
                        .hasEntrySatisfying(
                                "loop_voluntary_switches_per_second",
                                waits -> assertThat((Double) waits).isNotNegative()));
        assertThat(list(outcome.json(), "runs"))
                .filteredOn(run -> "protocol-pinned".equals(run.get("server")))
                .extracting(run -> run.get("loop_migrations_per_second"))
                .as("a loop with one CPU stays there, if the kernel tells")
                .isSubsetOf(0.0, null);
    }

    @Test
    void faultyServerNeverCounts() {
        var outcome = Outcome.of(
                "echo-bench",
                "--server",
                peer("good", EchoPeer.Fault.NONE),
                "--server",
                peer("bad", EchoPeer.Fault.CORRUPT),
                "--server",
                peer("dead", EchoPeer.Fault.DIE),
                "--rounds=1",
                "--duration=0.2",
                "--warmup-messages=50",
                "--connections=2",
                "--json");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.errorLines()).singleElement().asString().contains("2 of 3 runs failed");
        var report = outcome.json();
        assertThat(list(report, "runs")).extracting(run -> run.get("server")).containsExactly("good");
        assertThat(list(report, "medians")).extracting(run -> run.get("server")).containsExactly("good");
        assertThat(list(report, "failures"))
                .extracting(run -> run.get("server"))
                .containsExactly("bad", "dead");
        assertThat(list(report, "failures"))
                .extracting(run -> String.valueOf(run.get("failure")))
                .satisfiesExactly(
                        bad -> assertThat(bad).contains("wrong byte"),
                        dead -> assertThat(dead).contains("status 3", "no peer today"));
        assertThat(report.get("versions"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasEntrySatisfying(
                        "good",
                        pid -> assertThat(ProcessHandle.of(Long.parseLong((String) pid)))
                                .isEmpty());
    }

    @Test
    @Timeout(60)
    void killedBenchLeavesNoProcessBehind() throws Exception {
        var bench = new ProcessBuilder(Program.childJvm()
                        .command(
                                List.of(),
                                List.of(
                                        "echo-bench",
                                        "--servers=nio",
                                        "--duration=60",
                                        "--warmup-messages=0",
                                        "--rounds=1")))
                .redirectErrorStream(true)
                .start();
        try {
            var children = List.<ProcessHandle>of();
            while (bench.isAlive() && children.size() < 2) {
                children = bench.descendants().toList();
                Thread.onSpinWait();
            }
            assertThat(children).hasSize(2);

            bench.destroy();

            assertThat(bench.waitFor(20, TimeUnit.SECONDS)).isTrue();
            for (var child : children) {
                child.onExit().get(20, TimeUnit.SECONDS);
            }
        } finally {
            bench.descendants().forEach(ProcessHandle::destroyForcibly);
            bench.destroyForcibly();
        }
    }
}
