package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running echo server; it sees the end of its standard input if this process is killed. */
final class ServerProcess implements AutoCloseable {
    private static final String FIRST_LINE = "listening on ";
    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final String address;

    private ServerProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Starts it on a free port, pinned where {@code cpus} is not null, and waits until it listens. */
    static ServerProcess start(Peer peer, @Nullable String cpus) throws IOException {
        var words = new ArrayList<>(cpus == null ? List.<String>of() : List.of("taskset", "-c", cpus));
        words.addAll(peer.commandAt("127.0.0.1:0"));
        var process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var line = process.inputReader().readLine();
        if (line == null || !line.startsWith(FIRST_LINE)) {
            process.destroyForcibly();
            throw new IOException(peer.name() + " did not start: " + line);
        }
        return new ServerProcess(process, line.substring(FIRST_LINE.length()));
    }

    String address() {
        return address;
    }

    /** CPU time so far in microseconds, of all its threads. */
    double cpuMicros() throws IOException {
        var nanos = 0L;
        try (var threads = Files.newDirectoryStream(Path.of("/proc/" + process.pid() + "/task"))) {
            for (var thread : threads) {
                nanos += Long.parseLong(
                        Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
            }
        }
        return nanos / 1e3;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
