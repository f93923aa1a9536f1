package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.server.EchoMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EchoServerTest {
    private static final List<String> STREAM_LOADS = List.of(
            "--msize=1000 --num=2000 --connections=20",
            "--msize=64 --num=20000 --connections=3 --in-flight=100",
            "--msize=200000 --num=60 --connections=3 --in-flight=4");
    private static final List<String> DATAGRAM_LOADS = List.of(
            "--udp --msize=1000 --num=2000 --connections=20",
            "--udp --msize=64 --num=5000 --connections=3 --in-flight=20",
            "--udp --msize=20000 --num=60 --connections=3");

    private static Process start(EchoMode mode, String... more) throws IOException {
        return startAt("127.0.0.1:0", mode, more);
    }

    private static Process startAt(String address, EchoMode mode, String... more) throws IOException {
        var arguments = new ArrayList<>(List.of("echo-server", "--mode=" + mode, "--addr=" + address));
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
            for (var load : mode.hasDatagrams() ? DATAGRAM_LOADS : STREAM_LOADS) {
                exchanges("--addr=" + address + " " + load);
            }

            server.getOutputStream().close();

            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(server.errorReader().readAllAsString()).isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    private static void exchanges(String load) {
        var outcome = Outcome.of(("echo-client --json " + load).split(" ", -1));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
    }

    @Test
    void servesUnixSockets(@TempDir Path directory) throws Exception {
        var server = startAt("unix:" + directory.resolve("echo"), EchoMode.SOCKETS);
        try (var output = server.inputReader()) {
            assertThat(output.readLine()).isEqualTo("listening on unix:" + directory.resolve("echo"));

            exchanges("--addr=unix:" + directory.resolve("echo") + " --msize=1000 --num=500 --connections=5");
            exchanges("--addr=unix:" + directory.resolve("echo") + " --msize=1000 --num=100 --workers=1");
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"STREAMS", "VIRTUAL_THREADS"})
    void servesTlsWithACertificateMadeForTheRun(EchoMode mode) throws Exception {
        var server = start(mode, "--tls");
        try (var output = server.inputReader()) {
            var certificate = output.readLine().substring("certificate ".length());
            var address = output.readLine().substring("listening on ".length());

            exchanges(
                    "--tls --cert=" + certificate + " --addr=" + address + " --msize=20000 --num=100 --connections=3");
            exchanges("--tls --cert=" + certificate + " --addr=" + address + " --msize=1000 --num=100 --workers=1");

            server.getOutputStream().close();
            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Path.of(certificate)).doesNotExist();
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--mode=nio --tls,mode nio has no TLS",
        "--mode=datagram --addr=unix:/nowhere,mode datagram has no Unix sockets",
        "--mode=nio --debug,no debug mode",
        "--mode=protocol --tls --cert=cert.pem,give both or none",
        "--mode=protocol --cert=cert.pem --key=key.pem,need --tls",
        "--mode=protocol --addr=unix:,has no path"
    })
    void refusesWhatAModeHasNot(String arguments, String reason) {
        var outcome = Outcome.of(("echo-server " + arguments).split(" ", -1));

        assertThat(outcome.errorLines()).singleElement().asString().contains(reason);
        assertThat(outcome.status()).isEqualTo(2);
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
