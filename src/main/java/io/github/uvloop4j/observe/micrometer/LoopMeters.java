package io.github.uvloop4j.observe.micrometer;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.WorkKind;
import io.github.uvloop4j.observe.export.Bounds;
import io.github.uvloop4j.observe.export.Timing;
import io.github.uvloop4j.observe.micrometer.Snapshots.Snapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The meters of one loop in one registry. They refer to its snapshots weakly. */
final class LoopMeters {
    private static final String PREFIX = "uvloop4j.loop.";
    private static final List<String> HANDLES = List.of(
            "async",
            "check",
            "fs_event",
            "fs_poll",
            "idle",
            "pipe",
            "poll",
            "prepare",
            "process",
            "signal",
            "tcp",
            "timer",
            "tty",
            "udp");

    private final MeterRegistry registry;
    private final Tags tags;
    private final Snapshots snapshots;
    private final List<Meter> meters = new ArrayList<>();

    LoopMeters(MeterRegistry registry, Tags tags, Snapshots snapshots) {
        this.registry = registry;
        this.tags = tags;
        this.snapshots = snapshots;
    }

    void register() {
        for (var timing : Timing.values()) {
            timer(timing.word(), Tags.empty(), timing.description(), timing::in);
            buckets(timing);
        }
        work();
        traffic();
        present();
    }

    private void work() {
        for (var kind : WorkKind.values()) {
            var tag = Tags.of("kind", kind.name().toLowerCase(Locale.ROOT));
            timer("work", tag, "Time at a stretch on a kind of work", statistics -> statistics.kind(kind));
        }
        polls("ready", LoopStatistics::pollsForReady);
        polls("timer", LoopStatistics::pollsForTimers);
        polls("event", LoopStatistics::pollsForEvents);
        timer("oversleep", Tags.empty(), "By how much polls outlasted their limit", LoopStatistics::oversleeps);
        counter("calls", "Calls, timers and steps of tasks that were run", LoopStatistics::calls);
        counter("posts", "Calls that came from other threads", LoopStatistics::posts);
        counter("events", "Callbacks of events", now -> now.events().total());
        counter("tasks.made", "Tasks that were made", LoopStatistics::tasksMade);
        counter("offloaded", "Calls that were given to executors", LoopStatistics::offloaded);
    }

    private void traffic() {
        counter(
                "connections.accepted",
                "Connections that came in",
                now -> now.io().accepted());
        counter(
                "connections.opened",
                "Connections that were made or accepted",
                now -> now.io().opened());
        counter(
                "write.pauses",
                "Writers that were told to wait",
                now -> now.io().pauses());
        bytes(
                "received",
                "Bytes that connections have received",
                now -> now.io().bytesReceived());
        bytes(
                "sent",
                "Bytes of connections that the kernel has taken",
                now -> now.io().bytesSent());
    }

    private void present() {
        gauge("tasks", Tags.empty(), "Tasks that have not ended", LoopStatistics::tasks);
        gauge("connections", Tags.empty(), "Open connections", now -> now.io().open());
        gauge("offloading", Tags.empty(), "Calls to executors that have not ended", LoopStatistics::offloading);
        for (var type : HANDLES) {
            var tag = Tags.of("type", type);
            gauge("handles", tag, "Open handles of libuv", now -> now.handles().getOrDefault(type, 0));
        }
        meters.add(Gauge.builder(PREFIX + "running", snapshots, all -> all.isRunning() ? 1 : 0)
                .tags(tags)
                .description("1 while the loop runs, else 0")
                .register(registry));
        meters.add(
                Gauge.builder(PREFIX + "busy", snapshots, all -> all.current().busyShare())
                        .tags(tags)
                        .baseUnit("ratio")
                        .description("Share of the time since the snapshot before in which the loop was busy")
                        .register(registry));
    }

    private void timer(String name, Tags more, String description, Function<LoopStatistics, Histogram> part) {
        meters.add(FunctionTimer.builder(
                        PREFIX + name,
                        snapshots,
                        all -> part.apply(all.current().statistics()).count(),
                        all -> part.apply(all.current().statistics()).total(),
                        TimeUnit.NANOSECONDS)
                .tags(tags.and(more))
                .description(description)
                .register(registry));
    }

    /** No meter takes in a distribution that was recorded elsewhere, so each bucket counts by itself. */
    private void buckets(Timing timing) {
        for (int i = 0; i <= Bounds.COUNT; i++) {
            int bound = i;
            var le = Tags.of("le", Bounds.label(bound));
            counter(
                    timing.word() + ".buckets",
                    le,
                    timing.description() + ", of at most so many seconds",
                    now -> now.within(timing, bound));
        }
    }

    private void polls(String reason, ToLongFunction<LoopStatistics> value) {
        counter("polls", Tags.of("reason", reason), "What limited polls", now -> value.applyAsLong(now.statistics()));
    }

    private void counter(String name, String description, ToLongFunction<LoopStatistics> value) {
        counter(name, Tags.empty(), description, now -> value.applyAsLong(now.statistics()));
    }

    private void counter(String name, Tags more, String description, ToDoubleFunction<Snapshot> value) {
        meters.add(FunctionCounter.builder(PREFIX + name, snapshots, all -> value.applyAsDouble(all.current()))
                .tags(tags.and(more))
                .description(description)
                .register(registry));
    }

    private void bytes(String name, String description, ToLongFunction<LoopStatistics> value) {
        meters.add(FunctionCounter.builder(
                        PREFIX + name,
                        snapshots,
                        all -> value.applyAsLong(all.current().statistics()))
                .tags(tags)
                .baseUnit(BaseUnits.BYTES)
                .description(description)
                .register(registry));
    }

    private void gauge(String name, Tags more, String description, ToLongFunction<LoopStatistics> value) {
        meters.add(Gauge.builder(
                        PREFIX + name,
                        snapshots,
                        all -> value.applyAsLong(all.current().statistics()))
                .tags(tags.and(more))
                .description(description)
                .register(registry));
    }

    void remove() {
        meters.forEach(registry::remove);
        meters.clear();
    }
}
