package io.github.uvloop4j.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.export.Bounds;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopHistogramsTest {
    private static final AttributeKey<String> APP = AttributeKey.stringKey("app");

    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final LoopHistograms histograms = new LoopHistograms();
    private final SdkMeterProvider provider = SdkMeterProvider.builder()
            .registerMetricReader(reader)
            .registerMetricProducer(histograms)
            .build();

    @AfterEach
    void closeSdk() {
        provider.close();
    }

    private static EventLoop named(String name) {
        return EventLoop.create(LoopOptions.defaults().name(name));
    }

    private Collection<HistogramPointData> points(String name) {
        return reader.collectAllMetrics().stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getHistogramData()
                .getPoints();
    }

    private HistogramPointData turns(String loop) {
        return points("uvloop4j.loop.turn.duration").stream()
                .filter(point -> loop.equals(point.getAttributes().get(Names.LOOP)))
                .findFirst()
                .orElseThrow();
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    @Test
    @Tag("cells")
    void pointsAreWhatTheLoopHasMeasured() throws Exception {
        try (var loop = named("one")) {
            histograms.add(loop);
            loop.run(() -> Task.sleep(Duration.ofMillis(2)));
            var turns = loop.statistics().turns();
            var point = turns("one");
            assertThat(point.getCount()).isEqualTo(turns.count()).isPositive();
            assertThat(point.getSum()).isEqualTo(turns.total() / 1e9);
            assertThat(point.getMax()).isEqualTo(turns.max() / 1e9);
            assertThat(point.hasMin()).isFalse();
            assertThat(point.getBoundaries()).isEqualTo(Bounds.seconds());
            assertThat(point.getCounts()).hasSize(Bounds.COUNT + 1);
            assertThat(sum(point.getCounts())).isEqualTo(turns.count());
            assertThat(point.getStartEpochNanos()).isLessThan(point.getEpochNanos());
        }
    }

    @Test
    void allAreCumulativeHistogramsInSeconds() throws Exception {
        try (var loop = named("one")) {
            histograms.add(loop);
            loop.run(() -> Task.sleep(Duration.ofMillis(2)));
            var metrics = reader.collectAllMetrics().stream()
                    .filter(metric -> metric.getName().startsWith("uvloop4j."))
                    .toList();
            assertThat(metrics)
                    .extracting(MetricData::getName)
                    .containsExactlyInAnyOrder(
                            "uvloop4j.loop.turn.duration",
                            "uvloop4j.loop.poll.duration",
                            "uvloop4j.loop.ready.delay",
                            "uvloop4j.loop.wake.delay",
                            "uvloop4j.loop.timer.lateness");
            assertThat(metrics).allSatisfy(metric -> {
                assertThat(metric.getUnit()).isEqualTo("s");
                assertThat(metric.getType()).isEqualTo(MetricDataType.HISTOGRAM);
                assertThat(metric.getHistogramData().getAggregationTemporality())
                        .isEqualTo(AggregationTemporality.CUMULATIVE);
                assertThat(metric.getInstrumentationScopeInfo().getName()).isEqualTo("io.github.uvloop4j");
                assertThat(metric.isEmpty()).isFalse();
            });
        }
    }

    @Test
    void eachLoopHasAPoint() throws Exception {
        try (var one = named("one");
                var two = named("two")) {
            histograms.add(one, Attributes.of(APP, "a"));
            histograms.add(two);
            one.run(() -> Task.sleep(Duration.ofMillis(1)));
            assertThat(points("uvloop4j.loop.turn.duration")).hasSize(2);
            assertThat(turns("one").getAttributes().get(APP)).isEqualTo("a");
            assertThat(turns("one").getCount()).isPositive();
            assertThat(turns("two").getCount()).isZero();
        }
    }

    @Test
    void eachLoopOfAGroupHasAPoint() {
        try (var group = EventLoopGroup.create(GroupOptions.defaults().loops(2))) {
            histograms.add(group);
            assertThat(points("uvloop4j.loop.poll.duration")).hasSize(2);
        }
        assertThat(reader.collectAllMetrics()).noneMatch(LoopHistogramsTest::isOurs);
    }

    @Test
    void aLoopIsAddedOnce() {
        try (var loop = named("one")) {
            histograms.add(loop);
            histograms.add(loop);
            assertThat(points("uvloop4j.loop.poll.duration")).hasSize(1);
        }
    }

    @Test
    void aClosedLoopIsDropped() {
        var loop = named("one");
        histograms.add(loop);
        loop.close();
        assertThat(reader.collectAllMetrics()).noneMatch(LoopHistogramsTest::isOurs);
        histograms.add(loop);
        assertThat(reader.collectAllMetrics()).noneMatch(LoopHistogramsTest::isOurs);
    }

    @Test
    void aLoopCanBeTakenOut() {
        try (var loop = named("one")) {
            histograms.add(loop);
            histograms.remove(loop);
            assertThat(reader.collectAllMetrics()).noneMatch(LoopHistogramsTest::isOurs);
        }
    }

    private static boolean isOurs(MetricData metric) {
        return metric.getName().startsWith("uvloop4j.");
    }
}
