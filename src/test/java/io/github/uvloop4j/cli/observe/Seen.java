package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.util.Counts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Observations for tests: of ten seconds, in which a loop does nothing that it is not told to. */
public final class Seen {
    /** When they begin. */
    public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    /** How long they are. */
    public static final int SECONDS = 10;

    private Seen() {}

    /** A moment of it. */
    public static Instant at(double seconds) {
        return BEGIN.plusNanos((long) (seconds * 1e9));
    }

    /** Some loops. */
    public static Observation of(Loop... loops) {
        return with(List.of(), List.of(), loops);
    }

    /** Some loops, pauses and loads. */
    public static Observation with(List<Pause> pauses, List<CpuLoad> loads, Loop... loops) {
        return new Observation(
                "a test",
                BEGIN,
                at(SECONDS),
                Arrays.stream(loops).map(Loop::report).toList(),
                pauses,
                loads,
                "a JVM",
                Activity.NONE,
                List.of());
    }

    /** A loop that runs and is busy for a tenth of the time. */
    public static Loop loop(String name) {
        return new Loop(name).count(Counter.BUSY, 1_000_000_000L).count(Counter.POLLED, 9_000_000_000L);
    }

    /** A stack of one frame of a program. */
    public static Stall stall(double second, long millis, String frame) {
        return new Stall(
                at(second),
                "task work",
                millis * 1_000_000,
                true,
                List.of("java.lang.Math.abs(Math.java:1)", frame),
                null);
    }

    /** A loop in the making. One thread. */
    public static final class Loop {
        private final String name;
        private String cpus = "";
        private String tasksRide = "carrier";
        private boolean running = true;
        private final Map<Counter, Long> counters = new EnumMap<>(Counter.class);
        private final Map<Distribution, Counts> histograms = new EnumMap<>(Distribution.class);
        private int[] tasks = {0, 0};
        private int[] connections = {0, 0};
        private List<Stall> stalls = List.of();
        private List<Turn> turns = List.of();
        private List<Oversleep> oversleeps = List.of();
        private List<Wait> waits = List.of();
        private List<TaskOutcomes> outcomes = List.of();
        private List<Lookup> lookups = List.of();
        private List<BlockingCall> blockingCalls = List.of();
        private List<Share> lost = List.of();
        private Activity activity = Activity.NONE;
        private LoopReport.@Nullable Schedule schedule;
        private List<String> stuckAt = List.of();

        private Loop(String name) {
            this.name = name;
        }

        /** Where it may run. */
        public Loop cpus(String list) {
            cpus = list;
            return this;
        }

        /** On what tasks ride. */
        public Loop tasksRide(String what) {
            tasksRide = what;
            return this;
        }

        /** It was stopped. */
        public Loop stopped() {
            running = false;
            return this;
        }

        /** What it has counted in the ten seconds. */
        public Loop count(Counter counter, long value) {
            counters.put(counter, value);
            return this;
        }

        /** So many values of ns in a histogram. */
        public Loop times(Distribution distribution, long nanos, int often) {
            var counts = histograms.computeIfAbsent(distribution, _ -> new Counts());
            for (var i = 0; i < often; i++) {
                counts.record(nanos);
            }
            return this;
        }

        /** How many tasks there were, in equal steps of time. */
        public Loop tasks(int... open) {
            tasks = open;
            return this;
        }

        /** How many connections there were, as many numbers as for tasks. */
        public Loop connections(int... open) {
            connections = open;
            return this;
        }

        /** Stalls. */
        public Loop stalls(Stall... all) {
            stalls = List.of(all);
            return this;
        }

        /** Long turns. */
        public Loop turns(Turn... all) {
            turns = List.of(all);
            return this;
        }

        /** Polls that outlasted their limit. */
        public Loop oversleeps(Oversleep... all) {
            oversleeps = List.of(all);
            return this;
        }

        /** Waits. */
        public Loop waits(Wait... all) {
            waits = List.of(all);
            return this;
        }

        /** Ends of tasks. */
        public Loop outcomes(TaskOutcomes... all) {
            outcomes = List.of(all);
            return this;
        }

        /** Look-ups. */
        public Loop lookups(Lookup... all) {
            lookups = List.of(all);
            return this;
        }

        /** What the guard found. */
        public Loop blockingCalls(BlockingCall... all) {
            blockingCalls = List.of(all);
            return this;
        }

        /** Why connections ended. */
        public Loop lost(Share... all) {
            lost = List.of(all);
            return this;
        }

        /** Samples, all in one frame but for so many. */
        public Loop samples(String frame, int often, int others) {
            var shares = List.of(
                    new Share(frame, often, often + others), new Share("x.Y.z(Y.java)", others, often + others));
            activity = new Activity(often + others, shares, shares);
            return this;
        }

        /** What the kernel says of its thread. */
        public Loop schedule(double ran, double waited) {
            schedule = new LoopReport.Schedule(SECONDS, ran, waited);
            return this;
        }

        /** Where it is stuck. */
        public Loop stuckAt(String... stack) {
            stuckAt = List.of(stack);
            return this;
        }

        /** The report. */
        public LoopReport report() {
            return new LoopReport(
                    new LoopReport.Identity(name, 1, name, cpus, tasksRide, name, 1),
                    snapshots(),
                    false,
                    stalls,
                    turns,
                    oversleeps,
                    waits,
                    outcomes,
                    lookups,
                    blockingCalls,
                    lost,
                    activity,
                    schedule,
                    stuckAt);
        }

        private List<LoopSnapshot> snapshots() {
            var count = Math.max(tasks.length, connections.length);
            var all = new ArrayList<LoopSnapshot>();
            for (var i = 0; i < count; i++) {
                var last = i == count - 1;
                var snapshot = new LoopSnapshot.Builder(at((double) SECONDS * i / (count - 1)))
                        .running(running)
                        .open(tasks[Math.min(i, tasks.length - 1)], connections[Math.min(i, connections.length - 1)]);
                if (last) {
                    counters.forEach(snapshot::count);
                    histograms.forEach((distribution, counts) -> snapshot.histogram(
                            distribution,
                            Histogram.of(counts.counts(), counts.sums(), counts.max())
                                    .encoded(),
                            counts.max()));
                }
                all.add(snapshot.build());
            }
            return all;
        }
    }
}
