package io.github.uvloop4j.cli.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A child process that cannot outlive this one: it is killed with its descendants on close and at the exit of this
 * JVM, and sees the end of its standard input if this JVM is killed. Its output is always read, so it never blocks.
 * Any thread.
 */
public final class Child implements AutoCloseable {
    private static final int ERROR_LINES = 20;
    private static final int LINE_QUEUE = 256;
    private static final String END = new String("end");
    private static final Set<Child> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Child::killAll, "end-children"));
    }

    private final String name;
    private final Process process;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINE_QUEUE);
    private final BlockingQueue<String> errors = new ArrayBlockingQueue<>(ERROR_LINES);
    private final Thread errorReader;

    private Child(String name, Process process) {
        this.name = name;
        this.process = process;
        var threads = Thread.ofPlatform().daemon().name(name + "-output-", 0);
        threads.start(() -> pump(process.inputReader(), this::keepLine));
        errorReader = threads.start(() -> pump(process.errorReader(), this::keepError));
    }

    /**
     * Starts a command.
     *
     * @param name what failures call it
     * @throws IOException if it cannot be started
     */
    public static Child start(String name, List<String> command) throws IOException {
        var child = new Child(name, new ProcessBuilder(command).start());
        LIVE.add(child);
        return child;
    }

    private static void killAll() {
        LIVE.forEach(Child::kill);
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The last lines of its standard error, once it has ended; what came so far if it has not. */
    public List<String> errorLines() {
        if (!process.isAlive()) {
            try {
                errorReader.join(Duration.ofSeconds(2));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        return List.copyOf(errors);
    }

    /** Writes a line to its standard input. */
    public void send(String line) throws IOException {
        Writer input = process.outputWriter();
        input.write(line + "\n");
        input.flush();
    }

    /**
     * Waits for its next line on standard output.
     *
     * @return the line, or null if it closed its output or ended
     * @throws IOException if no line comes in time
     */
    public @Nullable String nextLine(Duration limit) throws IOException, InterruptedException {
        var line = lines.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (line == null) {
            throw new IOException(name + " printed nothing for " + limit.toSeconds() + " s");
        }
        if (isEnd(line)) {
            lines.offer(END);
            return null;
        }
        return line;
    }

    @SuppressWarnings("ReferenceEquality") // The end is that one object, whatever a child prints.
    private static boolean isEnd(String line) {
        return line == END;
    }

    /** Waits for its end; returns the exit status, or -1 when it still runs after the limit. */
    public int exitStatus(Duration limit) throws InterruptedException {
        return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS) ? process.exitValue() : -1;
    }

    /** What to say when it failed: its name, its exit status and the last lines of its standard error. */
    public String describeFailure() throws InterruptedException {
        var status = exitStatus(Duration.ofSeconds(5));
        var end = name + (status < 0 ? " closed its output but does not end" : " ended with status " + status);
        var lines = errorLines();
        return lines.isEmpty() ? end : end + ": " + String.join(" | ", lines);
    }

    /** Asks it to end (SIGTERM); kills it and its descendants if it has not ended within two seconds. */
    @Override
    public void close() {
        var family = process.descendants().toList();
        try {
            process.destroy();
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                kill();
                process.waitFor(5, TimeUnit.SECONDS);
            }
            family.forEach(ProcessHandle::destroyForcibly);
        } catch (InterruptedException _) {
            kill();
            Thread.currentThread().interrupt();
        } finally {
            LIVE.remove(this);
        }
    }

    private void kill() {
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
    }

    private void keepLine(String line) {
        while (!lines.offer(line)) {
            lines.poll();
        }
    }

    private void keepError(String line) {
        if (isEnd(line)) {
            return;
        }
        while (!errors.offer(line)) {
            errors.poll();
        }
    }

    private static void pump(BufferedReader reader, Consumer<String> sink) {
        try (reader) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } catch (IOException _) {
            // The stream was closed under the reader: the process was destroyed, which is its end too.
        }
        sink.accept(END);
    }
}
