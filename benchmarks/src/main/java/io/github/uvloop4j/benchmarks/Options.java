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
            Compare --pinning [--cli JAR] [--only NAME,NAME...] [--loops N,N...] [--neighbour] [option of echo-bench]...
            Compare --seed [--cli JAR] [--only NAME,NAME...] [--rounds N] [--num N] [--json FILE] [--pin-server CPUS] \
            [--pin-client CPUS]
            """;

    /** The servers that the harness has built in, by its names, and by what they can be reached over. */
    private static final Map<String, List<String>> BUILT_IN = Map.of(
            "tcp", List.of("protocol", "buffered", "streams", "sockets", "debug", "nio", "virtual-threads"),
            "unix", List.of("protocol", "buffered", "streams", "sockets", "debug", "nio", "virtual-threads"),
            "udp", List.of("datagram", "datagram-batch", "debug", "nio-datagram", "virtual-threads-datagram"),
            "tls", List.of("protocol", "buffered", "streams", "debug", "virtual-threads"));

    private static final Set<String> HARNESS = Set.of(
            "--over",
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
            "--loops",
            "--num");

    private static final Set<String> FILES = Set.of("--json", "--html");
    private static final String SECOND_PART_SECONDS = "5";

    private static final Set<String> FLAGS = Set.of("--seed", "--quick", "--cold", "--pinning", "--neighbour");

    /** What the comparison of pinned and unpinned loops does not have: it pins and refers in its own way. */
    private static final Set<String> NOT_FOR_PINNING = Set.of("--pin-server", "--reference", "--num");

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> flags = new ArrayList<>();

    private Options() {}

    static Options parse(List<String> args) {
        var options = new Options();
        for (var remaining = new ArrayList<>(args); !remaining.isEmpty(); ) {
            var name = remaining.removeFirst();
            if (FLAGS.contains(name)) {
                options.flags.add(name);
            } else if (!HARNESS.contains(name) && !name.equals("--cli") && !name.equals("--only")) {
                throw new IllegalArgumentException("unknown option " + name + "\n" + USAGE);
            } else if (remaining.isEmpty()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            } else {
                options.values.put(name, remaining.removeFirst());
            }
        }
        options.check();
        var cpus = Cpus.allowed();
        if (cpus.size() > 1 && !options.pinningOnly()) {
            options.values.putIfAbsent("--pin-server", cpus.get(0).toString());
            options.values.putIfAbsent("--pin-client", cpus.get(1).toString());
        }
        return options;
    }

    private void check() {
        var about = List.of("--loops", "--neighbour").stream()
                .filter(name -> values.containsKey(name) || flags.contains(name))
                .findFirst();
        if (about.isPresent() && !pinningOnly()) {
            throw new IllegalArgumentException(about.get() + " needs --pinning\n" + USAGE);
        }
        if (!BUILT_IN.containsKey(over())) {
            throw new IllegalArgumentException("--over must be tcp, unix, udp or tls\n" + USAGE);
        }
        if (!over().equals("tcp") && (pinningOnly() || seed())) {
            throw new IllegalArgumentException("--over does not go with --pinning or --seed\n" + USAGE);
        }
        if (pinningOnly() && seed()) {
            throw new IllegalArgumentException("--pinning does not go with --seed\n" + USAGE);
        }
        var refused = NOT_FOR_PINNING.stream().filter(values::containsKey).findFirst();
        if (pinningOnly() && refused.isPresent()) {
            throw new IllegalArgumentException("--pinning does not go with " + refused.get() + "\n" + USAGE);
        }
    }

    Path cli() {
        return Path.of(values.getOrDefault("--cli", "target/uvloop4j-cli.jar"));
    }

    /** What messages travel over: tcp, unix, udp or tls. */
    String over() {
        return values.getOrDefault("--over", "tcp");
    }

    /** The servers of the harness that are wanted, and can be reached over that. */
    List<String> builtIn() {
        return BUILT_IN.get(over()).stream().filter(this::wants).toList();
    }

    boolean seed() {
        return flags.contains("--seed");
    }

    /** Whether pinned and unpinned loops are compared, and nothing else. */
    boolean pinningOnly() {
        return flags.contains("--pinning");
    }

    /** Whether {@code --only} is there. */
    boolean hasNames() {
        return values.containsKey("--only");
    }

    /** What {@code --only} names, as it is written; empty when it is not there. */
    String names() {
        return values.getOrDefault("--only", "");
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

    /**
     * The harness's options for the comparison of pinned and unpinned loops. As a second part it takes what fits of the
     * first part's, writes files of its own, beside the first part's, and has the noisy neighbour always.
     */
    List<String> pinningArguments() {
        var arguments = new ArrayList<>(List.of("--pinning"));
        values.forEach((name, value) -> {
            var fits = !NOT_FOR_PINNING.contains(name) && (pinningOnly() || !name.equals("--pin-client"));
            if (HARNESS.contains(name) && fits) {
                arguments.add(name);
                arguments.add(pinningOnly() || !FILES.contains(name) ? value : besides(value));
            }
        });
        if (!pinningOnly()) {
            arguments.add("--neighbour");
            if (!values.containsKey("--duration") && !flags.contains("--quick")) {
                arguments.addAll(List.of("--duration", SECOND_PART_SECONDS));
            }
        }
        flags.stream().filter(flag -> !arguments.contains(flag)).forEach(arguments::add);
        return arguments;
    }

    /** {@code results.json} becomes {@code results-pinning.json}. */
    static String besides(String file) {
        int name = file.lastIndexOf('/') + 1;
        int dot = file.lastIndexOf('.');
        return dot > name ? file.substring(0, dot) + "-pinning" + file.substring(dot) : file + "-pinning";
    }
}
