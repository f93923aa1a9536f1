package io.github.uvloop4j.testing;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, for what may end a JVM, with the flags of this one. */
public final class ChildJvm {
    /** What the child did. */
    public record Result(int exitCode, String output) {}

    private final List<String> flags = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private boolean nativeAccess = true;
    private boolean addOpens = true;
    private int descriptors;
    private List<String> prefix = List.of();

    /** Adds a JVM flag. */
    public ChildJvm flag(String flag) {
        flags.add(flag);
        return this;
    }

    /** Sets a variable of the environment. */
    public ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Leaves out the flag for native access. */
    public ChildJvm withoutNativeAccess() {
        nativeAccess = false;
        return this;
    }

    /** Leaves out the flag that lets tasks ride on the loop thread. */
    public ChildJvm withoutAddOpens() {
        addOpens = false;
        return this;
    }

    /** Sets the hard limit of open descriptors, which the JVM cannot raise. */
    public ChildJvm limitDescriptors(int limit) {
        descriptors = limit;
        return this;
    }

    /** Starts the JVM by another program, which gets its command as arguments. */
    public ChildJvm prefix(String... command) {
        prefix = List.of(command);
        return this;
    }

    /** Runs a class; kills it after a minute. Standard error follows the output. */
    public Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        var process = builder(main, arguments).start();
        process.getOutputStream().close();
        var output = new Pump(process.inputReader(StandardCharsets.UTF_8));
        var errors = new Pump(process.errorReader(StandardCharsets.UTF_8));
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        return new Result(ended ? process.exitValue() : -1, output.text() + errors.text());
    }

    /** Reads a stream to its end, apart from the other one: lines of both never mix. */
    private static final class Pump {
        private final StringBuilder text = new StringBuilder();
        private final Thread thread;

        Pump(Reader from) {
            thread = Thread.ofPlatform().daemon().start(() -> {
                try (from) {
                    for (int c = from.read(); c >= 0; c = from.read()) {
                        synchronized (text) {
                            text.append((char) c);
                        }
                    }
                } catch (IOException ended) {
                    // The child is gone.
                }
            });
        }

        String text() throws InterruptedException {
            thread.join(5_000);
            synchronized (text) {
                return text.toString();
            }
        }
    }

    /** Starts a class; the caller ends it. */
    public Process start(Class<?> main, String... arguments) throws IOException {
        return builder(main, arguments).redirectErrorStream(true).start();
    }

    private ProcessBuilder builder(Class<?> main, String... arguments) {
        var command = new ArrayList<>(prefix);
        if (descriptors > 0) {
            command.addAll(List.of("sh", "-c", "ulimit -n " + descriptors + " && exec \"$0\" \"$@\""));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (nativeAccess) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        if (addOpens) {
            command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        }
        for (var property : List.of("uvloop4j.libuv", "uvloop4j.tasks", "uvloop4j.debug")) {
            var value = System.getProperty(property);
            if (value != null && flags.stream().noneMatch(flag -> flag.startsWith("-D" + property))) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }
}
