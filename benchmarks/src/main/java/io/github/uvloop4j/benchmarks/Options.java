package io.github.uvloop4j.benchmarks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the comparison was asked for; options of the harness are passed on as they are. */
final class Options {
    static final String USAGE = """
            Compare [--cli JAR] [--only NAME,NAME...] [option of echo-bench]...
            Compare --seed [--cli JAR] [--only NAME,NAME...] [--rounds N] [--num N] [--json FILE] [--pin-server CPUS] \
            [--pin-client CPUS]
            """;

    /** The servers that the harness has built in, by its names. */
    static final List<String> BUILT_IN =
            List.of("protocol", "buffered", "streams", "sockets", "nio", "virtual-threads");

    private static final Set<String> HARNESS = Set.of(
            "--sizes",
            "--connections",
            "--in-flight",
            "--rounds",
            "--duration",
            "--warmup-messages",
            "--jvm-options",
            "--reference",
            "--json",
            "--html",
            "--pin-server",
            "--pin-client",
            "--num");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> flags = new ArrayList<>();

    private Options() {}

    static Options parse(List<String> args) {
        var options = new Options();
        for (var remaining = new ArrayList<>(args); !remaining.isEmpty(); ) {
            var name = remaining.removeFirst();
            if (name.equals("--seed") || name.equals("--quick") || name.equals("--cold")) {
                options.flags.add(name);
            } else if (!HARNESS.contains(name) && !name.equals("--cli") && !name.equals("--only")) {
                throw new IllegalArgumentException("unknown option " + name + "\n" + USAGE);
            } else if (remaining.isEmpty()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            } else {
                options.values.put(name, remaining.removeFirst());
            }
        }
        var cpus = Cpus.allowed();
        if (cpus.size() > 1) {
            options.values.putIfAbsent("--pin-server", cpus.get(0).toString());
            options.values.putIfAbsent("--pin-client", cpus.get(1).toString());
        }
        return options;
    }

    Path cli() {
        return Path.of(values.getOrDefault("--cli", "target/uvloop4j-cli.jar"));
    }

    boolean seed() {
        return flags.contains("--seed");
    }

    /** Whether {@code --only} is there. */
    boolean hasNames() {
        return values.containsKey("--only");
    }

    /** Whether {@code --only} names it, or is not there. A name stands for all that begin with it and a dash, too. */
    boolean wants(String name) {
        var only = values.get("--only");
        return only == null
                || List.of(only.split(",", -1)).stream()
                        .anyMatch(word -> name.equals(word) || name.startsWith(word + "-"));
    }

    @Nullable
    String harnessOption(String name) {
        return values.get(name);
    }

    int number(String name, int fallback) {
        var value = values.get(name);
        return value == null ? fallback : Integer.parseInt(value);
    }

    /** The harness's options as given, and those of {@code defaults} that were not. */
    List<String> harnessArguments(Map<String, String> defaults) {
        var arguments = new ArrayList<String>();
        var all = new LinkedHashMap<>(defaults);
        all.putAll(values);
        all.forEach((name, value) -> {
            if (HARNESS.contains(name)) {
                arguments.add(name);
                arguments.add(value);
            }
        });
        flags.stream().filter(flag -> !flag.equals("--seed")).forEach(arguments::add);
        return arguments;
    }
}
