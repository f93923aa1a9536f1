package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.WorkKind;
import io.github.uvloop4j.observe.export.Moment;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** The instruments of one meter, each with the part of a snapshot that it tells. */
final class Instruments {
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("uvloop4j.poll.reason");
    private static final AttributeKey<String> KIND = AttributeKey.stringKey("uvloop4j.work.kind");
    private static final AttributeKey<String> TYPE = AttributeKey.stringKey("uvloop4j.handle.type");
    private static final AttributeKey<String> DIRECTION = AttributeKey.stringKey("network.io.direction");

    /** Tells what it has of a snapshot. */
    private interface Part {
        void record(LoopStatistics now, Attributes attributes);
    }

    private final Meter meter;
    private final List<ObservableMeasurement> all = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final ObservableDoubleMeasurement utilization;
    private final ObservableLongMeasurement running;

    Instruments(Meter meter) {
        this.meter = meter;
        time();
        counts();
        traffic();
        present();
        this.utilization = known(meter.gaugeBuilder(Names.PREFIX + "utilization")
                .setUnit("1")
                .setDescription("Share of the time since the collection before in which the loop was busy")
                .buildObserver());
        this.running = known(meter.upDownCounterBuilder(Names.PREFIX + "running")
                .setUnit("{loop}")
                .setDescription("1 while the loop runs, else 0")
                .buildObserver());
    }

    private <M extends ObservableMeasurement> M known(M instrument) {
        all.add(instrument);
        return instrument;
    }

    BatchCallback observe(Runnable callback) {
        var others = all.subList(1, all.size()).toArray(ObservableMeasurement[]::new);
        return meter.batchCallback(callback, all.getFirst(), others);
    }

    void record(Moment moment, boolean isRunning, Attributes attributes) {
        parts.forEach(part -> part.record(moment.statistics(), attributes));
        utilization.record(moment.busyShare(), attributes);
        running.record(isRunning ? 1 : 0, attributes);
    }

    private void time() {
        seconds(
                "busy.time",
                "Time in which the loop's thread was busy",
                now -> now.turns().total());
        seconds(
                "poll.time",
                "Time in which polls were blocked",
                now -> now.polls().total());
        seconds(
                "oversleep.time",
                "By how much polls outlasted their limit",
                now -> now.oversleeps().total());
        var work = secondsCounter("work.time", "Time on each kind of work");
        parts.add((now, attributes) -> {
            for (var kind : WorkKind.values()) {
                var word = kind.name().toLowerCase(Locale.ROOT);
                work.record(seconds(now.kind(kind)), with(attributes, KIND, word));
            }
        });
    }

    private void counts() {
        counter("turns", "{turn}", "Turns", now -> now.turns().count());
        counter(
                "oversleeps",
                "{poll}",
                "Polls that outlasted their limit",
                now -> now.oversleeps().count());
        counter("events", "{event}", "Callbacks of events", now -> now.events().total());
        counter("calls", "{call}", "Calls, timers and steps of tasks that were run", LoopStatistics::calls);
        counter("posts", "{call}", "Calls that came from other threads", LoopStatistics::posts);
        counter("tasks.made", "{task}", "Tasks that were made", LoopStatistics::tasksMade);
        counter("offloaded", "{call}", "Calls that were given to executors", LoopStatistics::offloaded);
        var polls = longCounter("polls", "{poll}", "Polls, by what limited them");
        parts.add((now, attributes) -> {
            polls.record(now.pollsForReady(), with(attributes, REASON, "ready"));
            polls.record(now.pollsForTimers(), with(attributes, REASON, "timer"));
            polls.record(now.pollsForEvents(), with(attributes, REASON, "event"));
        });
    }

    private void traffic() {
        counter(
                "connections.accepted",
                "{connection}",
                "Connections that came in",
                now -> now.io().accepted());
        counter(
                "connections.opened",
                "{connection}",
                "Connections that were made or accepted",
                now -> now.io().opened());
        counter(
                "write.pauses",
                "{pause}",
                "Writers that were told to wait",
                now -> now.io().pauses());
        var io = longCounter("io", "By", "Bytes through connections");
        parts.add((now, attributes) -> {
            io.record(now.io().bytesReceived(), with(attributes, DIRECTION, "receive"));
            io.record(now.io().bytesSent(), with(attributes, DIRECTION, "transmit"));
        });
    }

    private void present() {
        level("tasks", "{task}", "Tasks that have not ended", LoopStatistics::tasks);
        level("connections", "{connection}", "Open connections", now -> now.io().open());
        level("offloading", "{call}", "Calls to executors that have not ended", LoopStatistics::offloading);
        var handles = longLevel("handles", "{handle}", "Open handles of libuv");
        parts.add((now, attributes) ->
                now.handles().forEach((type, count) -> handles.record(count, with(attributes, TYPE, type))));
    }

    private static Attributes with(Attributes attributes, AttributeKey<String> key, String value) {
        return attributes.toBuilder().put(key, value).build();
    }

    private static double seconds(Histogram histogram) {
        return histogram.total() / 1e9;
    }

    private void seconds(String name, String description, ToDoubleFunction<LoopStatistics> nanos) {
        var counter = secondsCounter(name, description);
        parts.add((now, attributes) -> counter.record(nanos.applyAsDouble(now) / 1e9, attributes));
    }

    private void counter(String name, String unit, String description, ToLongFunction<LoopStatistics> value) {
        var counter = longCounter(name, unit, description);
        parts.add((now, attributes) -> counter.record(value.applyAsLong(now), attributes));
    }

    private void level(String name, String unit, String description, ToLongFunction<LoopStatistics> value) {
        var level = longLevel(name, unit, description);
        parts.add((now, attributes) -> level.record(value.applyAsLong(now), attributes));
    }

    private ObservableDoubleMeasurement secondsCounter(String name, String description) {
        return known(meter.counterBuilder(Names.PREFIX + name)
                .ofDoubles()
                .setUnit("s")
                .setDescription(description)
                .buildObserver());
    }

    private ObservableLongMeasurement longCounter(String name, String unit, String description) {
        return known(meter.counterBuilder(Names.PREFIX + name)
                .setUnit(unit)
                .setDescription(description)
                .buildObserver());
    }

    private ObservableLongMeasurement longLevel(String name, String unit, String description) {
        return known(meter.upDownCounterBuilder(Names.PREFIX + name)
                .setUnit(unit)
                .setDescription(description)
                .buildObserver());
    }
}
