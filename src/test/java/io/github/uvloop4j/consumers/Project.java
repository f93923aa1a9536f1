package io.github.uvloop4j.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A project of src/test/consumers, compiled and run with the tools of this JDK and the packed jars alone. */
record Project(String name, Path scratch) {
    static final Path LIBRARY = packed("uvloop4j.jar");
    static final Path RUNNABLE = packed("uvloop4j.cli.jar");
    static final Path NATIVES = packed("uvloop4j.natives.jar");

    private static final Path HOME = Path.of(System.getProperty("basedir", ""));
    private static final Path TOOLS = Path.of(System.getProperty("java.home"), "bin");
    private static final int LIMIT_SECONDS = 60;

    /** How a JVM ended. */
    record Outcome(int status, String out, String err) {}

    Path classes() {
        return scratch.resolve(name);
    }

    /** Compiles with every lint check; a warning of the library's own making fails. */
    void compile(String pathOption, Path... more) throws IOException, InterruptedException {
        var entries = path(Stream.concat(Stream.of(LIBRARY), Stream.of(more)));
        var command = new ArrayList<>(List.of("-Xlint:all", "-Werror", pathOption, entries, "-d"));
        command.add(classes().toString());
        try (var files = Files.walk(HOME.resolve("src/test/consumers").resolve(name))) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
        }
        var outcome = run("javac", command);
        assertThat(outcome.status()).as(outcome.toString()).isZero();
    }

    Outcome java(List<String> arguments) throws IOException, InterruptedException {
        return run("java", arguments);
    }

    /** The natives jar where one was packed; without it the system's libuv serves. */
    static Optional<Path> natives() {
        return Optional.of(NATIVES).filter(Files::exists);
    }

    static String path(Stream<Path> entries) {
        return entries.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private Outcome run(String tool, List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(TOOLS.resolve(tool).toString()));
        command.addAll(arguments);
        var out = Files.createTempFile(scratch, "out", ".txt");
        var err = Files.createTempFile(scratch, "err", ".txt");
        var process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended within %d s", command, LIMIT_SECONDS)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static Path packed(String property) {
        return Path.of(System.getProperty(property)).toAbsolutePath();
    }
}
