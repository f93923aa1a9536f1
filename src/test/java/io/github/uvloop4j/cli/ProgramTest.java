package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTest {
    static Stream<List<String>> badArguments() {
        return Stream.of(
                        "",
                        "no-such-command",
                        "--no-such-option",
                        "echo-server --mode no-such-mode",
                        "echo-server",
                        "echo-server --mode nio --addr 127.0.0.1",
                        "echo-server --mode nio --addr 127.0.0.1:65536",
                        "echo-server --mode nio --addr 192.0.2.1:0",
                        "echo-client --msize 0",
                        "echo-client --msize many",
                        "echo-client --mpr 0",
                        "echo-client --num 2 --mpr 3",
                        "echo-client --msize 100000 --mpr 100000",
                        "echo-client --workers 0",
                        "echo-client --workers 2 --connections 2",
                        "echo-client --times 2 --duration 1",
                        "echo-client --in-flight 2",
                        "echo-client --warmup 2",
                        "echo-client --connections 0",
                        "echo-client --duration 0",
                        "echo-client --server-pid 1",
                        "echo-client --timeout 0",
                        "echo-client --pin-client x",
                        "echo-client --pin-client=",
                        "topology --no-such-option",
                        "topology 1",
                        "top",
                        "top x",
                        "top -1",
                        "top 1 2",
                        "top 1 --interval 10ms",
                        "top 1 --interval often",
                        "top 1 --interval 2h",
                        "top 1 --count 0",
                        "top 1 --duration 3s",
                        "doctor",
                        "doctor no-such-file.jfr",
                        "doctor /",
                        "doctor 1 --duration 0",
                        "doctor 1 --duration 1x",
                        "doctor 1 --duration 25h",
                        "doctor pom.xml --duration 3s",
                        "doctor 1 --html /",
                        "doctor 1 --html no-such-folder/report.html",
                        "doctor 1 2",
                        "echo-client --addr :1",
                        "echo-bench --servers no-such-server",
                        "echo-bench --servers nio,nio",
                        "echo-bench --server nameless",
                        "echo-bench --server name=",
                        "echo-bench --reference protocolx",
                        "echo-bench --rounds 0",
                        "echo-bench --duration 0",
                        "echo-bench --sizes 0",
                        "echo-bench --connections 1,0",
                        "echo-bench --cold --warmup-messages 5",
                        "echo-bench --pin-server 1-0",
                        "echo-bench --pin-client 65000",
                        "echo-bench --pin-client=",
                        "echo-bench --loops 1",
                        "echo-bench --neighbour",
                        "echo-bench --pinning --loops 0",
                        "echo-bench --pinning --loops 1,many",
                        "echo-bench --pinning --loops 65000",
                        "echo-bench --pinning --pin-server 0",
                        "echo-bench --pinning --pin-server any",
                        "echo-bench --pinning --pin-client 65000",
                        "echo-bench --pinning --servers nio",
                        "echo-bench --pinning --servers no-such-server",
                        "echo-bench --pinning --servers streams,streams",
                        "echo-bench --pinning --server x=y",
                        "echo-bench --pinning --reference protocol")
                .map(line -> line.isEmpty() ? List.<String>of() : List.of(line.split(" ", -1)));
    }

    @ParameterizedTest
    @MethodSource("badArguments")
    void badArgumentsGiveOneLineAndStatus2(List<String> arguments) {
        var outcome = Outcome.of(arguments.toArray(String[]::new));

        assertThat(outcome.errorLines())
                .singleElement()
                .asString()
                .startsWith("uvloop4j")
                .contains("(see --help)");
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.status()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "topology", "launch", "top", "doctor", "echo-server", "echo-client", "echo-bench"})
    void everyCommandHasHelp(String command) {
        var outcome = Outcome.of(command, "--help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("Usage: uvloop4j " + command, "--json");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void helpListsTheCommandsForPeopleOnly() {
        var outcome = Outcome.of("--help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out())
                .contains("info", "topology", "launch", "top", "doctor", "echo-server", "echo-client", "echo-bench");
        assertThat(outcome.out()).doesNotContain("echo-worker", "echo-load");
    }
}
