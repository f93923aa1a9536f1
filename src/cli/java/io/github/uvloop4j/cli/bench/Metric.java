package io.github.uvloop4j.cli.bench;

import java.util.Locale;

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
    MAX_US("max us");

    private final String label;

    Metric(String label) {
        this.label = label;
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
        var decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
