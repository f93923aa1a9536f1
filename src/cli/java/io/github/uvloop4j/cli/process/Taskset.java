package io.github.uvloop4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Pins processes with the program {@code taskset}, so that the pinning reaches every thread of the child only. */
public final class Taskset {
    private Taskset() {}

    /** Where the program is, if it is installed. */
    public static Optional<Path> program() {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Arrays.stream(path.split(":", -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "taskset"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * The words that go before a command to pin it.
     *
     * @throws IOException if taskset is not installed
     */
    public static List<String> prefix(String cpus) throws IOException {
        return List.of(required(), "-c", cpus);
    }

    /**
     * Pins every thread that this process has; threads and children started from now on inherit it.
     *
     * @throws IOException if taskset is not installed or refuses
     */
    public static void pinThisProcess(String cpus) throws IOException, InterruptedException {
        var pid = String.valueOf(ProcessHandle.current().pid());
        var process = new ProcessBuilder(required(), "-a", "-c", "-p", cpus, pid)
                .redirectErrorStream(true)
                .start();
        try (var output = process.inputReader()) {
            var text = output.readAllAsString().strip();
            if (process.waitFor() != 0) {
                throw new IOException("taskset: " + text.lines().findFirst().orElse("failed"));
            }
        }
    }

    private static String required() throws IOException {
        return program()
                .map(Path::toString)
                .orElseThrow(() -> new IOException("pinning needs the program taskset (package util-linux)"));
    }
}
