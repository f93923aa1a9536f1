package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.concurrent.Histogram;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/**
 * A loop at one moment: what it is now, and what it has counted since it was made. Histograms stay in their short form
 * until they are asked for, since a recording holds many. Immutable. Any thread.
 */
public final class LoopSnapshot {
    private final Instant at;
    private final boolean running;
    private final int tasks;
    private final int connections;
    private final String handles;
    private final Map<Counter, Long> counters;
    private final Map<Distribution, Encoded> histograms;

    private LoopSnapshot(Builder made) {
        at = made.at;
        running = made.running;
        tasks = made.tasks;
        connections = made.connections;
        handles = made.handles;
        counters = new EnumMap<>(made.counters);
        histograms = new EnumMap<>(made.histograms);
    }

    /** When. */
    public Instant at() {
        return at;
    }

    /** Whether it ran. */
    public boolean running() {
        return running;
    }

    /** How many tasks have not ended. */
    public int tasks() {
        return tasks;
    }

    /** How many connections are open. */
    public int connections() {
        return connections;
    }

    /** How many handles of libuv are open, such as {@code tcp=3,timer=1}. */
    public String handles() {
        return handles;
    }

    /** What it has counted so far. */
    public long count(Counter counter) {
        return counters.getOrDefault(counter, 0L);
    }

    /** Whether it has counted nothing at all, as a loop whose metrics are off. */
    public boolean isBlank() {
        return count(Counter.TURNS) == 0 && count(Counter.BUSY) == 0 && count(Counter.POLLED) == 0;
    }

    /** What it has seen so far; empty where the recording holds something else. */
    public Histogram histogram(Distribution distribution) {
        var encoded = histograms.getOrDefault(distribution, Encoded.NOTHING);
        try {
            return Histogram.decoded(encoded.buckets(), encoded.max());
        } catch (IllegalArgumentException _) {
            return Histogram.empty();
        }
    }

    /** A histogram in its short form. */
    private record Encoded(String buckets, long max) {
        static final Encoded NOTHING = new Encoded("", 0);
    }

    /** Collects what makes a snapshot. One thread. */
    public static final class Builder {
        private final Instant at;
        private boolean running = true;
        private int tasks;
        private int connections;
        private String handles = "";
        private final Map<Counter, Long> counters = new EnumMap<>(Counter.class);
        private final Map<Distribution, Encoded> histograms = new EnumMap<>(Distribution.class);

        /** A snapshot of a loop that runs and has counted nothing. */
        public Builder(Instant at) {
            this.at = at;
        }

        /** Whether it runs. */
        public Builder running(boolean value) {
            running = value;
            return this;
        }

        /** Tasks and connections of now. */
        public Builder open(int openTasks, int openConnections) {
            tasks = openTasks;
            connections = openConnections;
            return this;
        }

        /** Handles of now. */
        public Builder handles(String value) {
            handles = value;
            return this;
        }

        /** A counter. */
        public Builder count(Counter counter, long value) {
            counters.put(counter, value);
            return this;
        }

        /** A histogram, in its short form and with its greatest value. */
        public Builder histogram(Distribution distribution, String buckets, long max) {
            if (!buckets.isEmpty()) {
                histograms.put(distribution, new Encoded(buckets, max));
            }
            return this;
        }

        /** The snapshot. */
        public LoopSnapshot build() {
            return new LoopSnapshot(this);
        }
    }
}
