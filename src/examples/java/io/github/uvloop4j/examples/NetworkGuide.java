package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.DatagramOptions;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.DatagramTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What the guide "Network" shows, as a program that runs. */
public final class NetworkGuide {
    private NetworkGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            tasks(loop);
            protocols(loop);
            raw(loop);
        });
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void tasks(EventLoop loop) throws Exception {
        try (var server = loop.net().openDatagramEndpoint(DatagramOptions.bound("127.0.0.1", 0))) {
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            loop.spawn(() -> {
                var question = server.receive();
                server.sendTo(question.data(), question.sender());
            });
            try (var client = loop.net().openDatagramEndpoint(DatagramOptions.connected("127.0.0.1", port))) {
                client.sendTo(text("hello"));
                var answer = client.receive();
                System.out.println(StandardCharsets.UTF_8.decode(answer.data()));
            }
        }
    }

    /** Sends back what it gets. */
    public static final class EchoDatagrams implements DatagramProtocol {
        private DatagramTransport transport;

        @Override
        public void connectionMade(DatagramTransport made) {
            transport = made;
        }

        @Override
        public void datagramReceived(ByteBuffer data, SocketAddress sender) { // borrowed: valid during this call only
            transport.sendTo(data, sender);
        }
    }

    private static void protocols(EventLoop loop) throws Exception {
        var options = DatagramOptions.bound("127.0.0.1", 0).batch(true);
        var echo =
                loop.net().createDatagramEndpoint(EchoDatagrams::new, options).await();
        System.out.println("echo at " + echo.transport().localAddress());
        echo.transport().close();
    }

    private static void raw(EventLoop loop) throws Exception {
        var anywhere = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
        try (var socket = loop.sockets().openUdp(StandardProtocolFamily.INET)) {
            socket.bind(anywhere);
            var sending = loop.sockets().sockSendTo(socket, text("to myself"), socket.localAddress());
            sending.await();
            var got = loop.sockets().sockRecvFrom(socket, 1500).await();
            System.out.println(got.data().remaining() + " bytes from " + got.sender());
        }
    }
}
