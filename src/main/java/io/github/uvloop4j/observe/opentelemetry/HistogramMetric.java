package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.concurrent.Histogram;
import io.github.uvloop4j.observe.export.Bounds;
import io.github.uvloop4j.observe.export.Timing;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A distribution of durations of several loops, as the SDK passes it on. */
record HistogramMetric(Resource resource, String name, String description, HistogramData data) implements MetricData {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create(Names.SCOPE);

    static HistogramMetric of(Resource resource, Timing timing, List<HistogramPointData> points) {
        var data = HistogramData.create(AggregationTemporality.CUMULATIVE, points);
        var suffix = timing == Timing.TURN || timing == Timing.POLL ? ".duration" : "";
        return new HistogramMetric(resource, Names.PREFIX + timing.word() + suffix, timing.description(), data);
    }

    static HistogramPointData point(Histogram histogram, Attributes attributes, long since, long now) {
        return HistogramPointData.create(
                since,
                now,
                attributes,
                histogram.total() / 1e9,
                false,
                0,
                true,
                histogram.max() / 1e9,
                Bounds.seconds(),
                counts(histogram));
    }

    private static List<Long> counts(Histogram histogram) {
        var counts = new ArrayList<Long>();
        long before = 0;
        for (long within : Bounds.cumulative(histogram)) {
            counts.add(within - before);
            before = within;
        }
        return counts;
    }

    /** The time of day in ns since 1970. */
    static long now() {
        var now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    @Override
    public Resource getResource() {
        return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return description;
    }

    @Override
    public String getUnit() {
        return "s";
    }

    @Override
    public MetricDataType getType() {
        return MetricDataType.HISTOGRAM;
    }

    @Override
    public Data<?> getData() {
        return data;
    }
}
