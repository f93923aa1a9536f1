package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.Fuzz;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Garbage in place of a handshake: the connection ends, and nobody else is harmed. */
@Timeout(120)
@Tag("fuzz")
@ExtendWith(LoopExtension.class)
class TlsGarbageTest {
    private static final List<byte[]> WORDS = List.of(
            new byte[] {22, 3, 1},
            new byte[] {22, 3, 3, 0, 0},
            new byte[] {21, 3, 3, 0, 2, 2, 0},
            new byte[] {20, 3, 3, 0, 1, 1},
            new byte[] {23, 3, 3, 0x40, 0},
            new byte[] {(byte) 0x80, 46, 1, 3, 1}, // a hello as it was before TLS
            new byte[] {0, 0},
            new byte[] {(byte) 0xff, (byte) 0xff},
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    private static byte[] hello() throws IOException {
        var record = ByteBuffer.allocate(20_000);
        var engine = TestTls.client().engine("localhost", 443);
        engine.beginHandshake();
        engine.wrap(ByteBuffer.allocate(0), record);
        return Arrays.copyOf(record.array(), record.position());
    }

    @Test
    void harmsNobody(EventLoop loop) throws Exception {
        var hello = hello();
        loop.run(() -> {
            var options = ServerOptions.defaults().tls(TestTls.server());
            var server = loop.net()
                    .startServer(connection -> connection.transferTo(connection), "127.0.0.1", 0, options)
                    .await();
            var address = server.address();
            var attack = Peers.client(address, other -> {
                try (var secured = TlsPeers.client(other, "localhost")) {
                    Fuzz.run(5_000, random -> {
                        send(other.getPort(), Fuzz.mutate(random, List.of(hello), WORDS));
                        if (random.nextInt(20) == 0) {
                            assertEchoes(secured);
                        }
                    });
                    assertEchoes(secured);
                }
                return true;
            });
            assertThat(LoopFuture.from(attack).await()).isTrue();
            server.close();
            server.waitClosed().await();
        });
    }

    private static void assertEchoes(Socket other) throws IOException {
        other.getOutputStream().write('x');
        assertThat(other.getInputStream().read()).isEqualTo('x');
    }

    /** What comes back is an alert, half a handshake or nothing, and then the end. */
    private static void send(int port, byte[] garbage) {
        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(garbage);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException reset) {
            assertThat(reset).hasMessageNotContaining("timed out");
        }
    }
}
