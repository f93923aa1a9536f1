package io.github.uvloop4j.examples.redis;

import io.github.uvloop4j.testing.Program;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A real server on a free port, which it keeps when it is started again. */
final class RedisServer implements AutoCloseable {
    private final Program program = Program.needed("redis-server");
    private final Path folder;
    private final List<String> options;
    private final int port;
    private Process process;

    RedisServer(Path folder, String... options) throws IOException {
        this.folder = folder;
        this.options = Arrays.asList(options);
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        start();
    }

    int port() {
        return port;
    }

    void start() throws IOException {
        var arguments = new ArrayList<>(
                List.of("--port", "" + port, "--bind", "127.0.0.1", "--save", "", "--dir", folder.toString()));
        arguments.addAll(options);
        process = program.start(folder.resolve("redis.log"), arguments.toArray(new String[0]));
        Until.holds("redis-server answers", this::answers);
    }

    private boolean answers() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (IOException notYet) {
            return false;
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        try {
            Program.stop(process);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
