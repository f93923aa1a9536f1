package io.github.uvloop4j.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.WorkKind;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LoopMetricsTest {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();

    @AfterEach
    void closeSdk() {
        openTelemetry.close();
    }

    private static EventLoop named(String name) {
        return EventLoop.create(LoopOptions.defaults().name(name));
    }

    private static void echo(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                try (var accepted = listener.accept()) {
                    accepted.write("abc");
                }
                connection.readAll();
                connection.write("x");
            }
        });
    }

    private Map<String, MetricData> collect() {
        return reader.collectAllMetrics().stream()
                .filter(metric -> metric.getName().startsWith("uvloop4j.loop."))
                .collect(Collectors.toMap(MetricData::getName, Function.identity()));
    }

    private static double value(Map<String, MetricData> metrics, String name, String... attributes) {
        var points = metrics.get(name).getData().getPoints().stream()
                .filter(point -> has(point, attributes))
                .toList();
        assertThat(points).as(name).hasSize(1);
        return switch (points.getFirst()) {
            case LongPointData point -> point.getValue();
            case DoublePointData point -> point.getValue();
            default -> throw new AssertionError(points);
        };
    }

    private static boolean has(PointData point, String... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].equals(point.getAttributes().get(AttributeKey.stringKey(attributes[i])))) {
                return false;
            }
        }
        return true;
    }

    @Test
    @Tag("cells")
    void countersTellWhatWasDone() throws Exception {
        try (var loop = named("one")) {
            LoopMetrics.register(openTelemetry, loop);
            echo(loop);
            loop.run(() -> loop.runInExecutor(() -> 1).await());
            var metrics = collect();
            var statistics = loop.statistics();
            assertThat(value(metrics, "uvloop4j.loop.turns"))
                    .isEqualTo(statistics.turns().count());
            assertThat(value(metrics, "uvloop4j.loop.busy.time"))
                    .isEqualTo(statistics.turns().total() / 1e9);
            assertThat(value(metrics, "uvloop4j.loop.poll.time"))
                    .isEqualTo(statistics.polls().total() / 1e9);
            assertThat(value(metrics, "uvloop4j.loop.calls"))
                    .isEqualTo(statistics.calls())
                    .isPositive();
            assertThat(value(metrics, "uvloop4j.loop.posts"))
                    .isEqualTo(statistics.posts())
                    .isPositive();
            assertThat(value(metrics, "uvloop4j.loop.events"))
                    .isEqualTo(statistics.events().total())
                    .isPositive();
            assertThat(value(metrics, "uvloop4j.loop.polls", "uvloop4j.poll.reason", "ready"))
                    .isEqualTo(statistics.pollsForReady());
            assertThat(value(metrics, "uvloop4j.loop.polls", "uvloop4j.poll.reason", "event"))
                    .isEqualTo(statistics.pollsForEvents());
            assertThat(value(metrics, "uvloop4j.loop.tasks.made")).isEqualTo(2);
            assertThat(value(metrics, "uvloop4j.loop.offloaded")).isEqualTo(1);
            assertThat(value(metrics, "uvloop4j.loop.connections.opened")).isEqualTo(2);
            assertThat(value(metrics, "uvloop4j.loop.connections.accepted")).isEqualTo(1);
            assertThat(value(metrics, "uvloop4j.loop.io", "network.io.direction", "receive"))
                    .isEqualTo(3);
            assertThat(value(metrics, "uvloop4j.loop.io", "network.io.direction", "transmit"))
                    .isEqualTo(4);
        }
    }

    @Test
    void levelsTellWhatThereIs() throws Exception {
        try (var loop = named("one")) {
            LoopMetrics.register(openTelemetry, loop);
            assertThat(value(collect(), "uvloop4j.loop.running")).isZero();
            loop.run(() -> {
                loop.spawn(() -> Task.sleep(Duration.ofDays(1)));
                var metrics = collect();
                assertThat(value(metrics, "uvloop4j.loop.running")).isEqualTo(1);
                assertThat(value(metrics, "uvloop4j.loop.tasks")).isEqualTo(2);
                assertThat(value(metrics, "uvloop4j.loop.connections")).isZero();
                assertThat(value(metrics, "uvloop4j.loop.handles", "uvloop4j.handle.type", "timer"))
                        .isEqualTo(loop.statistics().handles().get("timer").doubleValue());
                assertThat(value(metrics, "uvloop4j.loop.utilization")).isBetween(0.0, 1.0);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void timeIsToldByKindOfWork(WorkKind kind) throws Exception {
        try (var loop = named("one")) {
            LoopMetrics.register(openTelemetry, loop);
            echo(loop);
            var word = kind.name().toLowerCase(Locale.ROOT);
            assertThat(value(collect(), "uvloop4j.loop.work.time", "uvloop4j.work.kind", word))
                    .isEqualTo(loop.statistics().kind(kind).total() / 1e9);
        }
    }

    @Test
    void unitsAndTypesAreThoseOfTheConventions() {
        try (var loop = named("one")) {
            LoopMetrics.register(openTelemetry, loop);
            var metrics = collect();
            assertThat(metrics.values()).allSatisfy(metric -> {
                assertThat(metric.getUnit()).isNotEmpty();
                assertThat(metric.getDescription()).isNotEmpty();
                assertThat(metric.getInstrumentationScopeInfo().getName()).isEqualTo("io.github.uvloop4j");
            });
            assertThat(metrics.get("uvloop4j.loop.io").getUnit()).isEqualTo("By");
            assertThat(metrics.get("uvloop4j.loop.busy.time").getUnit()).isEqualTo("s");
            assertThat(metrics.get("uvloop4j.loop.turns").getUnit()).isEqualTo("{turn}");
            assertThat(metrics.get("uvloop4j.loop.turns").getLongSumData().isMonotonic())
                    .isTrue();
            assertThat(metrics.get("uvloop4j.loop.tasks").getLongSumData().isMonotonic())
                    .isFalse();
            assertThat(metrics.get("uvloop4j.loop.utilization").getType()).isEqualTo(MetricDataType.DOUBLE_GAUGE);
        }
    }

    @Test
    void loopsAreToldApart() throws Exception {
        try (var one = named("one");
                var two = named("two")) {
            LoopMetrics.register(openTelemetry, one, Attributes.of(AttributeKey.stringKey("app"), "a"));
            LoopMetrics.register(openTelemetry, two);
            one.run(() -> {});
            var metrics = collect();
            assertThat(value(metrics, "uvloop4j.loop.tasks.made", "uvloop4j.loop.name", "one", "app", "a"))
                    .isEqualTo(1);
            assertThat(value(metrics, "uvloop4j.loop.tasks.made", "uvloop4j.loop.name", "two"))
                    .isZero();
        }
    }

    @Test
    void eachLoopOfAGroupIsObserved() throws Exception {
        try (var group = EventLoopGroup.create(GroupOptions.defaults().loops(2))) {
            LoopMetrics.register(openTelemetry, group);
            group.loop(1).call(() -> {});
            var metrics = collect();
            for (int i = 0; i < 2; i++) {
                var name = group.loop(i).options().name();
                assertThat(value(metrics, "uvloop4j.loop.tasks.made", "uvloop4j.loop.name", name))
                        .isEqualTo(i);
            }
        }
        assertThat(collect()).isEmpty();
    }

    @Test
    @Tag("cells")
    void aClosedLoopIsNotObserved() {
        var loop = named("one");
        LoopMetrics.register(openTelemetry, loop);
        assertThat(collect()).isNotEmpty();
        loop.close();
        assertThat(collect()).isEmpty();
        LoopMetrics.register(openTelemetry, loop);
        assertThat(collect()).isEmpty();
    }

    @Test
    void theSdkDoesNotKeepALoopThatIsClosed() throws Exception {
        var loop = new WeakReference<>(observedAndClosed());
        for (int i = 0; i < 100 && loop.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(loop.get()).isNull();
    }

    private EventLoop observedAndClosed() throws Exception {
        try (var loop = named("one")) {
            LoopMetrics.register(openTelemetry, loop);
            loop.run(() -> {});
            assertThat(collect()).isNotEmpty();
            return loop;
        }
    }

    @Test
    void closingEndsTheObservation() throws Exception {
        try (var loop = named("one")) {
            var metrics = LoopMetrics.register(openTelemetry, loop);
            loop.run(() -> {});
            metrics.close();
            assertThat(collect()).isEmpty();
            try (var _ = LoopMetrics.register(openTelemetry, loop)) {
                assertThat(value(collect(), "uvloop4j.loop.tasks.made")).isEqualTo(1);
            }
        }
    }

    @Test
    void aLoopWithoutMetricsStillCountsTasksAndConnections() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().metrics(false))) {
            LoopMetrics.register(openTelemetry, loop);
            echo(loop);
            var metrics = collect();
            assertThat(value(metrics, "uvloop4j.loop.turns")).isZero();
            assertThat(value(metrics, "uvloop4j.loop.utilization")).isZero();
            assertThat(value(metrics, "uvloop4j.loop.tasks.made")).isEqualTo(1);
            assertThat(value(metrics, "uvloop4j.loop.connections.opened")).isEqualTo(2);
        }
    }

    @Test
    void aCollectionTakesOneSnapshot() {
        try (var loop = named("one")) {
            var taken = new AtomicInteger();
            var observed = new ObservedLoop(() -> count(taken, loop), loop::isRunning, Attributes.empty());
            var instruments = new Instruments(openTelemetry.getMeter(Names.SCOPE));
            try (var _ = instruments.observe(() -> observed.record(instruments))) {
                assertThat(collect()).hasSizeGreaterThan(15);
                assertThat(taken).hasValue(1);
                collect();
                assertThat(taken).hasValue(2);
            }
        }
    }

    private static LoopStatistics count(AtomicInteger taken, EventLoop loop) {
        taken.incrementAndGet();
        return loop.statistics();
    }

    @Test
    void otherThreadsCollectWhileTheLoopRuns() throws Exception {
        try (var loop = EventLoop.create().start()) {
            LoopMetrics.register(openTelemetry, loop);
            var busy = loop.submit(() -> {
                while (true) {
                    Task.sleep(Duration.ZERO);
                }
            });
            double before = 0;
            for (int i = 0; i < 30; i++) {
                var metrics = collect();
                assertThat(value(metrics, "uvloop4j.loop.turns")).isGreaterThanOrEqualTo(before);
                assertThat(value(metrics, "uvloop4j.loop.utilization")).isBetween(0.0, 1.0);
                before = value(metrics, "uvloop4j.loop.turns");
            }
            assertThat(before).isPositive();
            busy.cancel();
        }
    }

    @Test
    void nothingHappensWithoutAnSdk() throws Exception {
        try (var loop = EventLoop.create()) {
            try (var _ = LoopMetrics.register(OpenTelemetry.noop(), loop)) {
                loop.run(() -> {});
            }
        }
    }
}
