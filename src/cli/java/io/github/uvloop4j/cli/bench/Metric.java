package io.github.uvloop4j.cli.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is measured in a run, under its JSON key. */
public enum Metric {
    /** Verified messages a second. */
    MESSAGES_PER_SECOND("messages/s"),
    /** CPU time of the server's process. */
    SERVER_CPU_US_PER_MESSAGE("CPU us/msg"),
    /** The part of it that was not spent in the kernel. */
    SERVER_USER_CPU_US_PER_MESSAGE("user us/msg"),
    /** Median latency. */
    P50_US("p50 us"),
    /** Latency that 90 % of the messages keep below. */
    P90_US("p90 us"),
    /** Latency that 99 % of the messages keep below. */
    P99_US("p99 us"),
    /** Latency that 99.9 % of the messages keep below. */
    P999_US("p99.9 us"),
    /** Greatest latency. */
    MAX_US("max us"),
    /** How often the server's loop threads went on another CPU than before. */
    LOOP_MIGRATIONS_PER_SECOND("migrations/s"),
    /** How often the server's loop threads gave their CPU away, to wait. */
    LOOP_VOLUNTARY_SWITCHES_PER_SECOND("waits/s"),
    /** How often the CPU was taken away from the server's loop threads. */
    LOOP_INVOLUNTARY_SWITCHES_PER_SECOND("preempted/s");

    private static final List<Metric> WITH_LOOPS = List.of(values());
    private static final List<Metric> WITHOUT_LOOPS =
            Stream.of(values()).filter(metric -> !metric.isOfLoops()).toList();

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    /** All of them, with those of the server's loop threads or without. */
    static List<Metric> all(boolean loops) {
        return loops ? WITH_LOOPS : WITHOUT_LOOPS;
    }

    private boolean isOfLoops() {
        return compareTo(MAX_US) > 0;
    }

    /** The key in JSON. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The head of a column. */
    public String label() {
        return label;
    }

    /** The value for people: three significant digits, or a whole number. */
    public String format(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        var decimals = value >= 100 || value == 0 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
