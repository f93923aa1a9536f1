package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands that end by themselves, run for what they print. */
final class Command {
    private static final long PROBE_SECONDS = 60;
    private static final long LIMIT_SECONDS = 1800;
    private static final int NOT_FOUND = 127;

    private Command() {}

    /** What a command printed, standard error included, and how it ended. */
    record Outcome(int status, String output) {
        boolean succeeded() {
            return status == 0;
        }

        /** The last line that says something: of a traceback or a compiler's output, mostly the reason. */
        String lastLine() {
            var lines = output.lines().filter(line -> !line.isBlank()).toList();
            return lines.isEmpty() ? "status " + status : lines.getLast().strip();
        }

        /** The first line that names an error, else the last line. */
        String reason() {
            return output.lines()
                    .filter(line -> line.contains("error:") || line.contains("No such file"))
                    .findFirst()
                    .map(String::strip)
                    .orElseGet(this::lastLine);
        }
    }

    /** Runs a probe with a limit of a minute; a program that is not there is an outcome too. */
    static Outcome probe(List<String> words) {
        try {
            return collect(words, PROBE_SECONDS);
        } catch (IOException e) {
            return new Outcome(NOT_FOUND, String.valueOf(e.getMessage()));
        }
    }

    /** Runs a longer command to its end. */
    static Outcome finish(List<String> words) throws IOException {
        return collect(words, LIMIT_SECONDS);
    }

    private static Outcome collect(List<String> words, long limitSeconds) throws IOException {
        var process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(Redirect.PIPE)
                .start();
        var _ = process.onExit().orTimeout(limitSeconds, TimeUnit.SECONDS).exceptionally(late -> {
            process.destroyForcibly();
            return process;
        });
        try (var reader = process.inputReader()) {
            var output = reader.readAllAsString();
            return new Outcome(process.waitFor(), output);
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a command on this process's own input and output; returns its exit status. */
    static int run(List<String> words) {
        try {
            var process = new ProcessBuilder(words).inheritIO().start();
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                process.destroy();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
