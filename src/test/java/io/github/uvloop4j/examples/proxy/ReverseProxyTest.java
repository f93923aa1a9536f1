package io.github.uvloop4j.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proxy between sockets that do what clients and servers should not. */
@Timeout(60)
class ReverseProxyTest {
    private static Socket client(RunningProxy proxy) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String readToEnd(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("cells")
    void aClientThatHasSaidAllStillListens() throws Exception {
        var server = Peers.server(socket -> {
            var heard = readToEnd(socket);
            say(socket, "heard " + heard);
            return heard;
        });
        try (var proxy = new RunningProxy(server.port());
                var client = client(proxy)) {
            say(client, "all");
            client.shutdownOutput();
            assertThat(readToEnd(client)).isEqualTo("heard all");
            assertThat(server.result().get(30, TimeUnit.SECONDS)).isEqualTo("all");
            proxy.awaitNoClients();
        }
    }

    @Test
    void aServerThatHasSaidAllStillListens() throws Exception {
        var server = Peers.server(socket -> {
            say(socket, "goodbye");
            socket.shutdownOutput();
            return readToEnd(socket);
        });
        try (var proxy = new RunningProxy(server.port());
                var client = client(proxy)) {
            assertThat(readToEnd(client)).isEqualTo("goodbye");
            say(client, "one more thing");
            client.shutdownOutput();
            assertThat(server.result().get(30, TimeUnit.SECONDS)).isEqualTo("one more thing");
            proxy.awaitNoClients();
        }
    }

    @Test
    void withoutAServerTheClientIsTold() throws Exception {
        int port;
        try (var free = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var proxy = new RunningProxy(port);
                var client = client(proxy)) {
            say(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000));
            assertThat(readToEnd(client)).startsWith("HTTP/1.1 502 ").endsWith("\r\n\r\n");
        }
    }

    @Test
    void aServerThatBreaksOffBreaksTheClientOff() throws Exception {
        var server = Peers.server(socket -> {
            assertThat(socket.getInputStream().read()).isEqualTo('x');
            socket.setSoLinger(true, 0);
            return null;
        });
        try (var proxy = new RunningProxy(server.port());
                var client = client(proxy)) {
            say(client, "x");
            assertThatThrownBy(() -> readToEnd(client)).isInstanceOf(SocketException.class);
            proxy.awaitNoClients();
        }
    }

    @Test
    void aClientThatBreaksOffBreaksTheServerOff() throws Exception {
        var server = Peers.server(socket -> {
            say(socket, "x");
            try {
                return readToEnd(socket);
            } catch (SocketException reset) {
                return "reset";
            }
        });
        try (var proxy = new RunningProxy(server.port())) {
            try (var client = client(proxy)) {
                assertThat(client.getInputStream().read()).isEqualTo('x');
                client.setSoLinger(true, 0);
            }
            assertThat(server.result().get(30, TimeUnit.SECONDS)).isEqualTo("reset");
            proxy.awaitNoClients();
        }
    }
}
