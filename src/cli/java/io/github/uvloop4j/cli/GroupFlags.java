package io.github.uvloop4j.cli;

import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.Steering;
import io.github.uvloop4j.affinity.AffinityException;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Placement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a group of loops, the same for each command that makes one. */
final class GroupFlags {
    private static final int MOST_LOOPS = 65_536;
    private static final int LONGEST_SECONDS = 86_400;
    private static final String REQUIRED = "required";
    private static final String OPTIONAL = "optional";

    @Option(
            names = "--loops",
            paramLabel = "N",
            converter = LoopsConverter.class,
            description = "How many loops (as many as the placement has room for; without one, one for each CPU).")
    private @Nullable Integer loops;

    @Option(
            names = {"--cpus", "--pin"},
            paramLabel = "LIST",
            converter = CpusConverter.class,
            description = "The CPUs to place the loops on, as in 0-3,8 (all that this process may use).")
    private @Nullable CpuSet cpus;

    @Option(
            names = "--placement",
            paramLabel = "NAME",
            converter = PlacementConverter.class,
            description =
                    "Which CPUs each loop gets: none, fixed, fenced, core, cache, node, spread or pack (fixed with"
                            + " --cpus, else none).")
    private @Nullable Placement placement;

    @Option(
            names = "--steer",
            paramLabel = "NAME",
            converter = SteeringConverter.class,
            description = "How connections come to the loops: hash, cpu, incoming-cpu, cbpf or acceptor (hash).")
    private @Nullable Steering steering;

    @Option(names = "--rebalance", description = "Loops with clearly more connections than others pass new ones on.")
    private boolean rebalance;

    @Option(
            names = "--pinning",
            paramLabel = "NEED",
            converter = PinningConverter.class,
            description = "Whether a loop that cannot be pinned is a failure: required or optional (required).")
    private @Nullable String pinning;

    @Option(names = "--local-memory", description = "Pinned loops prefer memory of their NUMA node.")
    private boolean localMemory;

    @Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            converter = SecondsConverter.class,
            description = "How long open connections may go on when it is stopped (10).")
    private @Nullable Duration deadline;

    /** Whether any of them was given. */
    boolean areGiven() {
        return loops != null
                || cpus != null
                || placement != null
                || steering != null
                || pinning != null
                || deadline != null
                || rebalance
                || localMemory;
    }

    private @Nullable Placement chosenPlacement() {
        return placement == null && cpus != null ? Placement.fixed() : placement;
    }

    /** The default options of groups, changed by what was given. */
    GroupOptions options() {
        var options = GroupOptions.defaults();
        options = changed(options, loops, options::loops);
        options = changed(options, cpus, options::cpus);
        options = changed(options, chosenPlacement(), options::placement);
        options = changed(options, steering, options::steering);
        options = pinning == null ? options : options.required(pinning.equals(REQUIRED));
        options = changed(options, deadline, options::shutdownTimeout);
        options = rebalance ? options.rebalance(true) : options;
        return localMemory ? options.localMemory(true) : options;
    }

    private static <T> GroupOptions changed(GroupOptions options, @Nullable T value, Function<T, GroupOptions> change) {
        return value == null ? options : change.apply(value);
    }

    /** What was given as system properties, which another JVM's groups follow. */
    Map<String, String> properties() {
        var properties = new LinkedHashMap<String, String>();
        put(properties, "uvloop4j.loops", loops);
        put(properties, "uvloop4j.cpus", cpus);
        put(properties, "uvloop4j.placement", chosenPlacement());
        put(properties, "uvloop4j.steering", steering);
        put(properties, "uvloop4j.pinning", pinning);
        put(properties, "uvloop4j.shutdownSeconds", deadline == null ? null : deadline.toSeconds());
        put(properties, "uvloop4j.rebalance", rebalance ? "true" : null);
        put(properties, "uvloop4j.localMemory", localMemory ? "true" : null);
        return properties;
    }

    private static void put(Map<String, String> properties, String name, @Nullable Object value) {
        if (value != null) {
            properties.put(name, value.toString());
        }
    }

    /**
     * The options if a group can be made with them here.
     *
     * @throws IllegalArgumentException in one line, when it cannot
     */
    GroupOptions checked() {
        var options = options();
        try {
            options.check();
        } catch (AffinityException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return options;
    }

    private static <T> T read(String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    private static int number(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Told in the same words.
        }
        throw new TypeConversionException("'" + text + "' is not a number from " + least + " to " + most);
    }

    private static final class LoopsConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return number(text, 1, MOST_LOOPS);
        }
    }

    private static final class SecondsConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Duration.ofSeconds(number(text, 0, LONGEST_SECONDS));
        }
    }

    private static final class CpusConverter implements ITypeConverter<CpuSet> {
        @Override
        public CpuSet convert(String text) {
            var cpus = read(text, CpuSet::parse);
            if (cpus.isEmpty()) {
                throw new TypeConversionException("an empty set of CPUs");
            }
            return cpus;
        }
    }

    private static final class PlacementConverter implements ITypeConverter<Placement> {
        @Override
        public Placement convert(String text) {
            return read(text, Placement::parse);
        }
    }

    private static final class SteeringConverter implements ITypeConverter<Steering> {
        @Override
        public Steering convert(String text) {
            return read(text, Steering::parse);
        }
    }

    private static final class PinningConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (!text.equals(REQUIRED) && !text.equals(OPTIONAL)) {
                throw new TypeConversionException("'" + text + "' is neither required nor optional");
            }
            return text;
        }
    }
}
