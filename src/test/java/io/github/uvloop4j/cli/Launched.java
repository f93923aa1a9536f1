package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.Until;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of this program in a process of its own, for a test. */
final class Launched implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Launched(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static Launched start(String... arguments) throws IOException {
        var flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        for (var property : List.of("uvloop4j.libuv", "uvloop4j.tasks", "uvloop4j.debug")) {
            var value = System.getProperty(property);
            if (value != null) {
                flags.add("-D" + property + '=' + value);
            }
        }
        return new Launched(new ProcessBuilder(Program.childJvm().command(flags, List.of(arguments))).start());
    }

    /** {@code launch} with a class of the tests, which options go before. */
    static Launched application(Class<?> type, List<String> options, String... arguments) throws Exception {
        var words = new ArrayList<>(List.of("launch", "-cp", classes(type).toString()));
        words.addAll(options);
        words.add(type.getName());
        words.addAll(List.of(arguments));
        return start(words.toArray(String[]::new));
    }

    static Path classes(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    Process process() {
        return process;
    }

    /** The next line of its output. */
    String line() throws IOException {
        var line = output.readLine();
        return line == null ? "(ended: " + process.errorReader().readAllAsString() + ')' : line;
    }

    /** The first line that begins so; returns what follows. */
    String after(String start) throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
        throw new AssertionError(
                "no line " + start + ": " + process.errorReader().readAllAsString());
    }

    /** All lines to the end. */
    List<String> lines() {
        return output.lines().toList();
    }

    /** All of its errors, to the end. */
    String errors() throws IOException {
        return process.errorReader().readAllAsString();
    }

    void signal(String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** The JVM of the application. */
    ProcessHandle child() {
        Until.holds("a child", () -> process.children().findAny().isPresent());
        return process.children().findAny().orElseThrow();
    }

    /** Waits until a process has ended, also where nobody waits for orphans, so that it stays a zombie. */
    static void awaitEnd(ProcessHandle process) {
        var stat = Path.of("/proc", String.valueOf(process.pid()), "stat");
        Until.holds("no child", () -> {
            try {
                return Files.readString(stat).contains(") Z ");
            } catch (IOException gone) {
                return true;
            }
        });
    }

    int status() throws InterruptedException {
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).as("ended").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        var family = process.descendants().toList();
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
    }
}
