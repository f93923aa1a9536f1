package io.github.uvloop4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port checker against sockets that listen, that do not, and that never answer. */
@Timeout(120)
class PortCheckerTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    @Tag("cells")
    void findsTheOpenPorts() throws Exception {
        try (var first = new ServerSocket(0, 50, LOOPBACK);
                var second = new ServerSocket(0, 50, LOOPBACK);
                var closed = new Socket()) {
            closed.bind(new InetSocketAddress(LOOPBACK, 0)); // taken, but nobody listens
            var ports = first.getLocalPort() + "," + closed.getLocalPort() + "," + second.getLocalPort();
            var result = new ChildJvm().run(PortChecker.class, "127.0.0.1", ports, "--limit", "2");
            assertThat(result.output().lines())
                    .containsExactly(
                            first.getLocalPort() + " open",
                            second.getLocalPort() + " open",
                            "2 of 3 ports are open, 0 did not answer");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void waitsNoLongerThanTheTimeout() throws Exception {
        var waiting = new ArrayList<SocketChannel>();
        try (var full = new ServerSocket(0, 1, LOOPBACK)) {
            for (int i = 0; i < 4; i++) {
                var channel = SocketChannel.open();
                waiting.add(channel);
                channel.configureBlocking(false);
                channel.connect(full.getLocalSocketAddress());
            }
            var port = String.valueOf(full.getLocalPort());
            var result = new ChildJvm().run(PortChecker.class, "127.0.0.1", port, "--timeout", "100");
            assertThat(result.output().lines()).containsExactly("0 of 1 ports are open, 1 did not answer");
        } finally {
            for (var channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void saysHowItIsUsed() throws Exception {
        var result = new ChildJvm().run(PortChecker.class, "127.0.0.1");
        assertThat(result.output()).startsWith("usage: PortChecker HOST PORTS");
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
