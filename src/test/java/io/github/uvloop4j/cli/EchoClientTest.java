package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.cli.EchoPeer.Fault;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EchoClientTest {
    @Test
    void workersPrintTotalSecondsAndRates() throws IOException {
        try (var peer = EchoPeer.start(Fault.NONE)) {
            var outcome = Outcome.of("echo-client", "--addr", peer.text(), "--num=301", "--mpr=2", "--workers=2");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            assertThat(outcome.out().lines().toList().get(0)).matches("600 in \\d+\\.\\d+");
            assertThat(outcome.out().lines().toList().get(1)).matches("\\d+\\.\\d requests/sec");
            assertThat(outcome.out()).containsPattern("\\d+\\.\\d messages/sec without start-up");
        }
    }

    @Test
    void workersReportAsJson() throws IOException {
        try (var peer = EchoPeer.start(Fault.NONE)) {
            var outcome =
                    Outcome.of("echo-client", "--addr", peer.text(), "--num=50", "--workers=1", "--times=2", "--json");

            assertThat(outcome.json()).containsEntry("messages", 100.0).containsEntry("size_bytes", 1000.0);
            assertThat(outcome.json())
                    .containsKeys("messages_per_second", "traffic_messages_per_second", "p50_us", "p999_us", "max_us");
        }
    }

    @ParameterizedTest
    @CsvSource({"CORRUPT,wrong byte", "CLOSE,closed by the server", "SILENT,no reply"})
    void failingWorkerFailsTheRunAndCountsNothing(Fault fault, String reason) throws IOException {
        try (var peer = EchoPeer.start(fault)) {
            var outcome = Outcome.of("echo-client", "--addr", peer.text(), "--num=50", "--workers=2", "--timeout=0.5");

            assertThat(outcome.errorLines()).singleElement().asString().contains("worker", reason);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.status()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"CORRUPT,wrong byte", "CLOSE,closed by the server", "SILENT,no reply", "TWICE,got more bytes"})
    void failingConnectionFailsTheLoad(Fault fault, String reason) throws IOException {
        try (var peer = EchoPeer.start(fault)) {
            var outcome = Outcome.of("echo-client", "--addr", peer.text(), "--connections=3", "--timeout=0.5");

            assertThat(outcome.errorLines()).singleElement().asString().contains(reason);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.status()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"--connections=2", "--workers=1"})
    void refusedConnectionIsOneLine(String mode) throws IOException {
        int port;
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        var outcome = Outcome.of("echo-client", "--addr=127.0.0.1:" + port, "--num=50", mode);

        assertThat(outcome.errorLines()).singleElement().asString().contains("127.0.0.1:" + port);
        assertThat(outcome.status()).isEqualTo(1);
    }

    @Test
    void loadCountsExactlyWhatWasAskedFor() throws IOException {
        try (var peer = EchoPeer.start(Fault.NONE)) {
            var outcome = Outcome.of(
                    "echo-client",
                    "--addr=" + peer.text(),
                    "--msize=7",
                    "--mpr=3",
                    "--num=1000",
                    "--connections=4",
                    "--in-flight=5",
                    "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.json())
                    .containsEntry("messages", 999.0)
                    .containsEntry("size_bytes", 7.0)
                    .containsEntry("connections", 4.0)
                    .containsEntry("messages_in_flight", 15.0)
                    .containsKeys(
                            "messages_per_second", "duration_s", "p50_us", "p90_us", "p99_us", "p999_us", "max_us");
        }
    }

    @Test
    void messagesLargerThanSocketBuffersComeBackWhole() throws IOException {
        try (var peer = EchoPeer.start(Fault.NONE)) {
            var outcome = Outcome.of(
                    "echo-client", "--addr=" + peer.text(), "--msize=20000000", "--num=4", "--connections=2", "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.json()).containsEntry("messages", 4.0);
        }
    }

    @Test
    void lostDatagramFailsTheLoad() throws IOException {
        try (var peer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> echoAllBut(peer, 10));

            var outcome = Outcome.of(
                    "echo-client",
                    "--udp",
                    "--addr=127.0.0.1:" + peer.getLocalPort(),
                    "--connections=2",
                    "--duration=1.2",
                    "--timeout=0.3");

            assertThat(outcome.errorLines()).singleElement().asString().contains("datagrams lost: 1");
            assertThat(outcome.status()).isEqualTo(1);
        }
    }

    private static void echoAllBut(DatagramSocket peer, int lost) {
        var datagram = new DatagramPacket(new byte[2000], 2000);
        try {
            for (var number = 1; ; number++) {
                peer.receive(datagram);
                if (number != lost) {
                    peer.send(datagram);
                }
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    @Test
    void nobodyAtADatagramsPortIsOneLine() throws IOException {
        int port;
        try (var closed = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        var outcome = Outcome.of("echo-client", "--udp", "--addr=127.0.0.1:" + port, "--num=50", "--connections=2");

        assertThat(outcome.errorLines()).singleElement().asString().contains("nobody receives datagrams at");
        assertThat(outcome.status()).isEqualTo(1);
    }

    @Test
    void serverCpuIsReportedPerMessage() throws IOException {
        try (var peer = EchoPeer.start(Fault.NONE)) {
            var pid = ProcessHandle.current().pid();
            var outcome = Outcome.of(
                    "echo-client",
                    "--addr=" + peer.text(),
                    "--duration=0.3",
                    "--warmup=100",
                    "--server-pid=" + pid,
                    "--json");

            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.json()).containsKey("server_user_cpu_us_per_message");
            assertThat((Double) outcome.json().get("server_cpu_us_per_message")).isPositive();
        }
    }
}
