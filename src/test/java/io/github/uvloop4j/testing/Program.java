package io.github.uvloop4j.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of this machine, as the other side of a test. The test is skipped where it is not installed. */
public final class Program {
    private static final long LIMIT_SECONDS = 60;

    /** What it did. */
    public record Result(int exitCode, String output) {}

    private final Path file;

    private Program(Path file) {
        this.file = file;
    }

    /** The program with a name, or the first of several that is there. */
    public static Program needed(String... names) {
        for (var name : names) {
            for (var folder : (System.getenv("PATH") + ":/usr/sbin").split(File.pathSeparator)) {
                var file = Path.of(folder, name);
                if (Files.isExecutable(file)) {
                    return new Program(file);
                }
            }
        }
        assumeTrue(false, String.join(" or ", names) + " is not installed");
        throw new AssertionError();
    }

    /** Runs it to its end, which must come within a minute. Standard error is part of the output. */
    public Result run(String... arguments) throws IOException, InterruptedException {
        var output = Files.createTempFile("program", ".out");
        var process = builder(arguments).redirectOutput(output.toFile()).start();
        try {
            process.getOutputStream().close();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            var text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            if (!ended) {
                throw new AssertionError(file + " did not end: " + text);
            }
            return new Result(process.exitValue(), text);
        } finally {
            stop(process);
            Files.delete(output);
        }
    }

    /** Starts it; the caller stops it. Its output goes to a file. */
    public Process start(Path output, String... arguments) throws IOException {
        return builder(arguments).redirectOutput(output.toFile()).start();
    }

    private ProcessBuilder builder(String... arguments) {
        var command = new ArrayList<String>();
        command.add(file.toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /** Ends a process, with its children, and waits for its end. */
    public static void stop(Process process) throws InterruptedException {
        var children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        children.forEach(ProcessHandle::destroyForcibly);
        for (var child : children) {
            child.onExit().join();
        }
    }
}
