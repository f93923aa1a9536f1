package io.github.uvloop4j.cli.launch;

import io.github.uvloop4j.cli.process.Foreground;
import io.github.uvloop4j.cli.process.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JVM of an application, which has the standard streams of this one and gets its signals. */
public final class LaunchedJvm {
    /** What one who stops a whole group of processes sends comes twice, and is one request all the same. */
    private static final long SAME_REQUEST_NANOS = Duration.ofMillis(500).toNanos();

    private final List<String> command;
    private @Nullable Process process;
    private @Nullable Signals early;
    private boolean asked;
    private long askedNanos;

    /** One that does not run yet. */
    public LaunchedJvm(List<String> command) {
        this.command = List.copyOf(command);
    }

    /**
     * Starts it and waits for its end. From then on this JVM passes SIGTERM, SIGINT and SIGHUP on; the second SIGTERM or
     * SIGINT kills the other JVM.
     *
     * @return its exit status; 128 and the number of the signal that killed it
     * @throws IOException when it cannot be started
     */
    public int run() throws IOException, InterruptedException {
        for (var signal : Signals.values()) {
            signal.handle(() -> received(signal));
        }
        var started = start();
        if (started == null) {
            return stopped();
        }
        // Also where signals cannot be handled, or this JVM ends in another way.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started), "launch-end"));
        return started.waitFor();
    }

    /** Null when it was told to end before. */
    private synchronized @Nullable Process start() throws IOException {
        if (early != null) {
            return null;
        }
        var started = new ProcessBuilder(command).inheritIO().start();
        process = started;
        return started;
    }

    private synchronized int stopped() {
        return early == null ? 0 : early.exitStatus();
    }

    private static void end(Process process) {
        if (process.isAlive()) {
            process.destroy();
            try {
                process.waitFor();
            } catch (InterruptedException _) {
                process.destroyForcibly();
            }
        }
    }

    private synchronized void received(Signals signal) {
        var running = process;
        if (running == null) {
            early = signal;
            return;
        }
        long now = System.nanoTime();
        if (signal != Signals.HUP) {
            if (asked && now - askedNanos > SAME_REQUEST_NANOS) {
                running.destroyForcibly();
                return;
            }
            if (!asked) {
                asked = true;
                askedNanos = now;
            }
        }
        if (signal != Signals.INT || !Foreground.isOurs()) {
            signal.send(running);
        }
    }
}
