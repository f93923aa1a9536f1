package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.tls.ClientAuth;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** What the guide "TLS" shows, as a program that runs in a directory with {@code server.pem} and so on. */
public final class TlsGuide {
    private TlsGuide() {}

    /** Runs all of it with the files of a directory. */
    public static void main(String[] args) throws Exception {
        var directory = Path.of(args.length > 0 ? args[0] : ".");
        EventLoop.run(loop -> {
            tasks(loop, directory);
            protocols(loop, directory);
            upgrade(loop, directory);
            System.out.println(choosing(directory));
        });
    }

    private static void tasks(EventLoop loop, Path directory) throws Exception {
        var tls = ServerTls.of(directory.resolve("server.pem"), directory.resolve("server.key"));
        var server = loop.net()
                .startServer(
                        connection -> connection.write("hello " + connection.readLine() + "\n"),
                        "localhost",
                        0,
                        ServerOptions.defaults().tls(tls))
                .await();
        var trusting = ClientTls.defaults().trust(directory.resolve("root.pem"));
        var options = ConnectOptions.defaults().tls(trusting);
        try (var connection = loop.net().openConnection("localhost", server.port(), options)) {
            connection.write("world\n");
            System.out.println(connection.readLine());
            var agreed = connection.tls();
            System.out.println(agreed.protocol() + " with " + agreed.cipher());
        }
        server.close();
    }

    /** Sends back what comes. */
    public static final class Echo implements Protocol {
        private Transport transport;

        @Override
        public void connectionMade(Transport made) { // after the handshake
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            transport.write(data);
        }
    }

    private static void protocols(EventLoop loop, Path directory) throws Exception {
        var tls = ServerTls.of(directory.resolve("server.pem"), directory.resolve("server.key"))
                .applicationProtocols("h2", "http/1.1")
                .handshakeTimeout(Duration.ofSeconds(10));
        var server = loop.net()
                .createServer(
                        Echo::new, "localhost", 0, ServerOptions.defaults().tls(tls))
                .await();
        server.close();
    }

    private static void upgrade(EventLoop loop, Path directory) throws Exception {
        var tls = ServerTls.of(directory.resolve("server.pem"), directory.resolve("server.key"));
        var server = loop.net()
                .startServer(
                        connection -> {
                            if ("STARTTLS".equals(connection.readLine())) {
                                connection.write("go ahead\n");
                                var secured = connection.startTls(tls);
                                secured.write("secret\n");
                                secured.close();
                            }
                        },
                        "localhost",
                        0)
                .await();
        var trusting = ClientTls.defaults().trust(directory.resolve("root.pem"));
        try (var connection = loop.net().openConnection("localhost", server.port())) {
            connection.write("STARTTLS\n");
            System.out.println(connection.readLine());
            var secured = connection.startTls(trusting);
            System.out.println(secured.readLine());
            secured.close();
        }
        server.close();
    }

    private static ServerTls choosing(Path directory) {
        var server = ServerTls.of(directory.resolve("server.pem"), directory.resolve("server.key"));
        var other = ServerTls.of(directory.resolve("other.pem"), directory.resolve("other.key"));
        return server.forName("other.example", other)
                .forName("*.wild.example", other)
                .clientAuth(ClientAuth.WANTED)
                .trust(directory.resolve("root.pem"));
    }

    /** A protocol that starts TLS when its peer asks for it. */
    public static final class Upgrading implements Protocol {
        private final EventLoop loop;
        private final ServerTls tls;
        private Transport transport;

        /** One for a connection of a loop. */
        public Upgrading(EventLoop loop, ServerTls tls) {
            this.loop = loop;
            this.tls = tls;
        }

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            if (transport.tls() == null) {
                transport.write("go ahead\n".getBytes(StandardCharsets.UTF_8));
                loop.net().startTls(transport, tls).whenDone((secured, error) -> {
                    if (error == null) {
                        transport = secured; // the same protocol goes on
                    }
                });
            } else {
                transport.write(data);
            }
        }
    }
}
