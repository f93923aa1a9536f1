package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.server.EchoMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EchoServerTest {
    private static Process start(EchoMode mode, String... more) throws IOException {
        var arguments = new ArrayList<>(List.of("echo-server", "--mode=" + mode, "--addr=127.0.0.1:0"));
        arguments.addAll(List.of(more));
        return new ProcessBuilder(Program.childJvm().command(List.of(), arguments)).start();
    }

    @ParameterizedTest
    @EnumSource(EchoMode.class)
    void echoesEveryByteUntilItsInputEnds(EchoMode mode) throws Exception {
        var server = start(mode);
        try (var output = server.inputReader()) {
            var line = output.readLine();
            assertThat(line).startsWith("listening on 127.0.0.1:");
            var address = line.substring("listening on ".length());
            for (var load : List.of(
                    "--msize=1000 --num=2000 --connections=20",
                    "--msize=64 --num=20000 --connections=3 --in-flight=100",
                    "--msize=200000 --num=60 --connections=3 --in-flight=4")) {
                var words = ("echo-client --json --addr=" + address + " " + load).split(" ", -1);
                var outcome = Outcome.of(words);
                assertThat(outcome.err()).isEmpty();
                assertThat(outcome.status()).isZero();
            }

            server.getOutputStream().close();

            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(server.errorReader().readAllAsString()).isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void endsOnTerm() throws Exception {
        var server = start(EchoMode.NIO, "--json");
        try (var output = server.inputReader()) {
            assertThat(JsonReader.object(output.readLine()))
                    .containsEntry("mode", "nio")
                    .containsKeys("host", "port");

            server.destroy();

            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void takenPortIsOneLine() throws IOException {
        try (var peer = EchoPeer.start(EchoPeer.Fault.NONE)) {
            var outcome = Outcome.of("echo-server", "--mode=nio", "--addr=" + peer.text());

            assertThat(outcome.errorLines()).singleElement().asString().contains(peer.text());
            assertThat(outcome.status()).isEqualTo(1);
        }
    }
}
