package io.github.uvloop4j.examples.proxy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.concurrent.TaskGroupException;
import io.github.uvloop4j.concurrent.Timeout;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.tls.ServerTls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Passes connections on to a server behind it, byte by byte. A side that is slow is waited for, so that nothing piles up
 * here; a side that has ended may still listen; a side that breaks off breaks the other off as well. Where there is no
 * server behind, a client is told so in the words of HTTP.
 */
public final class ReverseProxy {
    private static final String BAD_GATEWAY =
            "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final String host;
    private final int port;
    private final ConnectOptions options;

    /** A proxy for a server, which is connected to as the options say. */
    public ReverseProxy(EventLoop loop, String host, int port, ConnectOptions options) {
        this.loop = loop;
        this.host = host;
        this.port = port;
        this.options = options;
    }

    /** Starts to listen. */
    public LoopFuture<Server> start(String address, int listenPort, ServerOptions serverOptions) {
        return loop.net().startServer(this::serve, address, listenPort, serverOptions);
    }

    private void serve(Connection client) throws Exception {
        Connection server;
        try {
            server = loop.net().openConnection(host, port, options);
        } catch (IOException down) {
            refuse(client);
            return;
        }
        try (server) {
            relay(client, server);
        }
    }

    private static void relay(Connection client, Connection server) throws Exception {
        try {
            TaskGroup.run(group -> {
                group.spawn("to the server", () -> pump(client, server));
                group.spawn("to the client", () -> pump(server, client));
            });
        } catch (TaskGroupException broken) {
            client.reset();
            server.reset();
            if (!(broken.first() instanceof IOException)) {
                throw broken;
            }
        }
    }

    private static void pump(Connection from, Connection to) throws IOException {
        from.transferTo(to); // parks while the other side is slow
        to.shutdownOutput(); // the end is passed on; the other direction stays
    }

    /** Answers, and reads what the client still sends: otherwise the kernel takes the answer away from it. */
    private static void refuse(Connection client) throws Exception {
        client.write(BAD_GATEWAY);
        client.shutdownOutput();
        try {
            Timeout.after(FAREWELL).run(limit -> {
                var scrap = ByteBuffer.allocate(4096);
                while (client.read(scrap.clear()) >= 0) {}
            });
        } catch (TimeoutException | IOException over) {
            client.abort();
        }
    }

    /**
     * {@code ReverseProxy 8080 127.0.0.1 80}: the port to listen on, and the server; with two files in PEM, of a chain of
     * certificates and of the key, over TLS to its clients.
     */
    public static void main(String[] args) throws Exception {
        int listenPort = Integer.parseInt(args[0]);
        EventLoop.run(loop -> {
            var options = ConnectOptions.defaults().timeout(CONNECT);
            var proxy = new ReverseProxy(loop, args[1], Integer.parseInt(args[2]), options);
            var serving = ServerOptions.defaults().keepAliveSeconds(60); // finds clients that have vanished
            if (args.length == 5) {
                serving = serving.tls(ServerTls.of(Path.of(args[3]), Path.of(args[4])));
            }
            var server = proxy.start("127.0.0.1", listenPort, serving).await();
            System.out.println("listening on port " + server.port());
            server.serveForever().await();
        });
    }
}
