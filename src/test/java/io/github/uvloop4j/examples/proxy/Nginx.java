package io.github.uvloop4j.examples.proxy;

import io.github.uvloop4j.testing.Program;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A real nginx on a free port, which serves the files of a folder; in the foreground, as the current user. */
final class Nginx implements AutoCloseable {
    private static final String CONFIGURATION = """
            daemon off;
            %1$s
            worker_processes 1;
            pid %2$s/nginx.pid;
            error_log %2$s/error.log;
            events {}
            http {
                access_log off;
                client_body_temp_path %2$s/body;
                proxy_temp_path %2$s/proxy;
                fastcgi_temp_path %2$s/fastcgi;
                uwsgi_temp_path %2$s/uwsgi;
                scgi_temp_path %2$s/scgi;
                server {
                    listen 127.0.0.1:%3$d %4$s;
                    root %2$s/files;
                }
            }
            """;

    private final Process process;
    private final int port;

    Nginx(Path folder) throws IOException {
        this(folder, "");
    }

    /** With what follows the port in the configuration, and further directives. */
    Nginx(Path folder, String listening) throws IOException {
        var program = Program.needed("nginx");
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.createDirectories(folder.resolve("files"));
        var user = System.getProperty("user.name").equals("root") ? "user root;" : "";
        var configuration =
                Files.writeString(folder.resolve("nginx.conf"), CONFIGURATION.formatted(user, folder, port, listening));
        process = program.start(
                folder.resolve("nginx.log"),
                "-p",
                folder.toString(),
                "-c",
                configuration.toString(),
                "-e",
                folder.resolve("error.log").toString());
        Until.holds("nginx listens", this::listens);
    }

    private boolean listens() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** Ends it; a second call does nothing. */
    void stop() throws IOException {
        try {
            Program.stop(process);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
