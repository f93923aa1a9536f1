package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Placement;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The system properties by which a group's options can be set from the command line. */
final class GroupProperties {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private GroupProperties() {}

    static GroupOptions read(Function<String, @Nullable String> source) {
        return new GroupOptions(
                value(source, "uvloop4j.loops", 0, Integer::parseInt),
                value(source, "uvloop4j.placement", Placement.unbound(), Placement::parse),
                value(source, "uvloop4j.cpus", CpuSet.empty(), CpuSet::parse),
                value(source, "uvloop4j.pinning", true, GroupProperties::isRequired),
                value(source, "uvloop4j.localMemory", false, GroupProperties::truth),
                value(source, "uvloop4j.steering", Steering.HASH, Steering::parse),
                value(source, "uvloop4j.rebalance", false, GroupProperties::truth),
                value(source, "uvloop4j.shutdownSeconds", TIMEOUT, text -> Duration.ofSeconds(Long.parseLong(text))),
                value(source, "uvloop4j.shutdownHook", false, GroupProperties::truth),
                LoopOptions.defaults(),
                null);
    }

    private static <T> T value(
            Function<String, @Nullable String> source, String name, T standard, Function<String, T> parse) {
        var text = source.apply(name);
        if (text == null || text.isBlank()) {
            return standard;
        }
        try {
            return parse.apply(text.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException("system property " + name + '=' + text + ": " + e.getMessage(), e);
        }
    }

    private static boolean isRequired(String text) {
        return switch (text) {
            case "required" -> true;
            case "optional" -> false;
            default -> throw new IllegalArgumentException("neither required nor optional");
        };
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }
}
