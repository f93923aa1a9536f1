package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.cli.json.JsonReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code echo-server} on a group of loops. */
@Timeout(60)
class PlacedServerTest {
    @ParameterizedTest
    @ValueSource(strings = {"protocol --steer=acceptor", "buffered --rebalance", "streams", "readline", "sockets"})
    void echoesEveryByteOnSeveralLoops(String line) throws Exception {
        var words = ("echo-server --addr=127.0.0.1:0 --loops=2 --deadline=1 --mode=" + line).split(" ", -1);
        try (var server = Launched.start(words)) {
            assertThat(server.line()).matches("loop +cpus +node +thread");
            assertThat(server.line()).matches("0 +any +- +[0-9]+");
            assertThat(server.line()).matches("1 +any +- +[0-9]+");
            var address = server.after("listening on ");
            for (var load : List.of(
                    "--msize=1000 --num=1000 --connections=20",
                    "--msize=200000 --num=60 --connections=3 --in-flight=4")) {
                var outcome = Outcome.of(("echo-client --json --addr=" + address + ' ' + load).split(" ", -1));
                assertThat(outcome.err()).isEmpty();
                assertThat(outcome.status()).isZero();
            }

            server.signal("TERM");

            assertThat(server.status()).isZero();
            assertThat(server.errors()).isEmpty();
        }
    }

    @Test
    void theLayoutIsInTheOneLineOfJson() throws Exception {
        var cpu = String.valueOf(Affinity.allowed().first());
        try (var server = Launched.start(
                "echo-server", "--mode=protocol", "--addr=127.0.0.1:0", "--pin", cpu, "--json", "--deadline=0")) {
            var fields = JsonReader.object(server.line());
            assertThat(fields).containsEntry("mode", "protocol").containsKeys("host", "port");
            assertThat((List<?>) fields.get("loops"))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Map.class, loop -> assertThat(loop.get("cpus")).isEqualTo(cpu));

            server.process().getOutputStream().close();

            assertThat(server.status()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nio --loops=2",
                "virtual-threads --pin=0",
                "sockets --loops=2 --steer=acceptor",
                "sockets --loops=2 --rebalance",
                "protocol --steer=cpu",
                "protocol --pin=65000",
                "protocol --placement=fixed --loops=60000"
            })
    void whatCannotBeIsOneLineAndStatus2(String line) {
        var outcome = Outcome.of(("echo-server --addr=127.0.0.1:0 --mode=" + line).split(" ", -1));

        assertThat(outcome.errorLines()).singleElement().asString().startsWith("uvloop4j echo-server: ");
        assertThat(outcome.status()).isEqualTo(2);
    }
}
