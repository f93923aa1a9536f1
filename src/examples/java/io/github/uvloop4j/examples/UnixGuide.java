package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.AbstractAddress;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.ServerOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** What the guide "Network" shows of Unix sockets and of sending files, as a program that runs. */
public final class UnixGuide {
    private UnixGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        var directory = Files.createTempDirectory("uvloop4j");
        try {
            EventLoop.run(loop -> {
                path(loop, directory.resolve("socket"));
                abstractName(loop);
                file(loop, Files.writeString(directory.resolve("page"), "a page"));
            });
        } finally {
            Files.delete(directory.resolve("page"));
            Files.delete(directory);
        }
    }

    private static void path(EventLoop loop, Path path) throws Exception {
        var address = UnixDomainSocketAddress.of(path);
        var options = ServerOptions.defaults().permissions(PosixFilePermissions.fromString("rw-rw----"));
        var server = loop.net()
                .startServer(connection -> connection.transferTo(connection), address, options)
                .await();
        try (server;
                var client = loop.net().openConnection(address)) {
            client.write("hello\n");
            System.out.println(client.readLine());
        }
    }

    private static void abstractName(EventLoop loop) throws Exception {
        var address =
                AbstractAddress.of("uvloop4j-guide-" + ProcessHandle.current().pid());
        var patient = ConnectOptions.defaults().timeout(Duration.ofSeconds(5));
        try (var listener = loop.net().listen(address);
                var client = loop.net().openConnection(address, patient);
                var accepted = listener.accept()) {
            System.out.println(client.peerAddress() + " " + accepted.localAddress());
        }
    }

    private static void file(EventLoop loop, Path page) throws Exception {
        var server = loop.net()
                .startServer(
                        connection -> {
                            connection.write("size " + Files.size(page) + "\n");
                            connection.sendFile(page);
                        },
                        "127.0.0.1",
                        0)
                .await();
        try (server;
                var client = loop.net().openConnection(server.address())) {
            System.out.println(new String(client.readAll()));
        }
    }
}
