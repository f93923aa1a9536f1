package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.observe.export.LoopEnd;
import io.github.uvloop4j.observe.export.Timing;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distributions of how long turns and polls of loops took and how late work began, for OpenTelemetry's SDK. It is
 * given to the SDK when that is built; loops come and go.
 *
 * {@snippet :
 * var histograms = new LoopHistograms();
 * var provider = SdkMeterProvider.builder()
 *         .registerMetricReader(reader)
 *         .registerMetricProducer(histograms)
 *         .build();
 * histograms.add(loop);
 * }
 *
 * <p>They are histograms with explicit bounds, the same for all loops, and cumulative, whatever temporality the exporter
 * prefers: they add up over loops and machines. A loop is dropped when it is closed. Any thread.
 */
public final class LoopHistograms implements MetricProducer {
    private final Map<EventLoop, Entry> loops = new HashMap<>();

    private record Entry(Attributes attributes, long since, LoopEnd end) {}

    /** Knows no loop. */
    public LoopHistograms() {}

    /** Adds a loop; one that is closed, or was added, is left as it is. */
    public void add(EventLoop loop) {
        add(loop, Attributes.empty());
    }

    /** Adds a loop with more attributes. */
    public void add(EventLoop loop, Attributes attributes) {
        synchronized (loops) {
            if (!loop.isClosed() && !loops.containsKey(loop)) {
                var end = LoopEnd.of(loop, () -> forget(loop));
                loops.put(loop, new Entry(Names.of(loop, attributes), HistogramMetric.now(), end));
            }
        }
        if (loop.isClosed()) {
            forget(loop);
        }
    }

    /** Adds each loop of a group. */
    public void add(EventLoopGroup group) {
        group.loops().forEach(this::add);
    }

    /** Adds each loop of a group with more attributes. */
    public void add(EventLoopGroup group, Attributes attributes) {
        group.loops().forEach(loop -> add(loop, attributes));
    }

    /** Takes a loop out. */
    public void remove(EventLoop loop) {
        var entry = forget(loop);
        if (entry != null) {
            entry.end.cancel();
        }
    }

    private @Nullable Entry forget(EventLoop loop) {
        synchronized (loops) {
            return loops.remove(loop);
        }
    }

    private Map<EventLoop, Entry> known() {
        synchronized (loops) {
            return Map.copyOf(loops);
        }
    }

    /** For the SDK: one snapshot of each loop. */
    @Override
    public Collection<MetricData> produce(Resource resource) {
        var points = new EnumMap<Timing, List<HistogramPointData>>(Timing.class);
        long now = HistogramMetric.now();
        known().forEach((loop, entry) -> {
            var statistics = loop.statistics();
            for (var timing : Timing.values()) {
                points.computeIfAbsent(timing, none -> new ArrayList<>())
                        .add(HistogramMetric.point(timing.in(statistics), entry.attributes, entry.since, now));
            }
        });
        var metrics = new ArrayList<MetricData>();
        points.forEach((timing, all) -> metrics.add(HistogramMetric.of(resource, timing, all)));
        return metrics;
    }
}
