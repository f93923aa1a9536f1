package io.github.uvloop4j.observe.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.WorkKind;
import io.github.uvloop4j.observe.export.Timing;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LoopMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void closeRegistry() {
        registry.close();
    }

    private static EventLoop named(String name) {
        return EventLoop.create(LoopOptions.defaults().name(name));
    }

    /** Two tasks beside the first, a connection with five bytes one way and three the other, a call to an executor. */
    static void work(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                var server = loop.spawn("server", () -> {
                    try (var accepted = listener.accept()) {
                        accepted.readExactly(5);
                        accepted.write("abc");
                    }
                });
                connection.write("hello");
                connection.readAll();
                server.await();
            }
            loop.spawn("sleeper", () -> Task.sleep(Duration.ofMillis(2))).await();
            loop.runInExecutor(() -> 1).await();
            while (loop.options().metrics() && loop.statistics().wakeDelay().count() == 0) {
                wake(loop);
            }
        });
    }

    private static void wake(EventLoop loop) throws Exception {
        var woken = loop.<Boolean>createFuture();
        Thread.ofPlatform().start(() -> loop.post(() -> woken.complete(true)));
        woken.await();
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    @Tag("cells")
    void countersTellWhatWasDone() throws Exception {
        try (var loop = named("one")) {
            work(loop);
            new LoopMetrics(loop).bindTo(registry);
            var statistics = loop.statistics();
            assertThat(counter("uvloop4j.loop.tasks.made", "loop", "one")).isEqualTo(3);
            assertThat(counter("uvloop4j.loop.connections.accepted")).isEqualTo(1);
            assertThat(counter("uvloop4j.loop.connections.opened")).isEqualTo(2);
            assertThat(counter("uvloop4j.loop.received")).isEqualTo(8);
            assertThat(counter("uvloop4j.loop.sent")).isEqualTo(8);
            assertThat(counter("uvloop4j.loop.offloaded")).isEqualTo(1);
            assertThat(counter("uvloop4j.loop.calls"))
                    .isEqualTo(statistics.calls())
                    .isPositive();
            assertThat(counter("uvloop4j.loop.posts"))
                    .isEqualTo(statistics.posts())
                    .isPositive();
            assertThat(counter("uvloop4j.loop.events"))
                    .isEqualTo(statistics.events().total())
                    .isPositive();
            assertThat(counter("uvloop4j.loop.polls", "reason", "ready")).isEqualTo(statistics.pollsForReady());
            assertThat(counter("uvloop4j.loop.polls", "reason", "timer")).isEqualTo(statistics.pollsForTimers());
            assertThat(counter("uvloop4j.loop.polls", "reason", "event")).isEqualTo(statistics.pollsForEvents());
        }
    }

    @Test
    void gaugesTellWhatThereIs() throws Exception {
        try (var loop = named("one")) {
            new LoopMetrics(loop).bindTo(registry);
            assertThat(gauge("uvloop4j.loop.running")).isZero();
            loop.run(() -> {
                loop.spawn(() -> Task.sleep(Duration.ofDays(1)));
                assertThat(gauge("uvloop4j.loop.running")).isEqualTo(1);
                assertThat(gauge("uvloop4j.loop.tasks")).isEqualTo(2);
                assertThat(gauge("uvloop4j.loop.connections")).isZero();
                assertThat(gauge("uvloop4j.loop.handles", "type", "timer"))
                        .isEqualTo(loop.statistics().handles().get("timer").doubleValue());
                assertThat(gauge("uvloop4j.loop.handles", "type", "tty")).isZero();
                assertThat(gauge("uvloop4j.loop.busy")).isBetween(0.0, 1.0);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void bucketsAddUpToTheCount(Timing timing) throws Exception {
        try (var loop = named("one")) {
            work(loop);
            new LoopMetrics(loop).bindTo(registry);
            var name = "uvloop4j.loop." + timing.word();
            var histogram = timing.in(loop.statistics());
            var timer = registry.get(name).functionTimer();
            assertThat(timer.count()).isEqualTo(histogram.count()).isPositive();
            assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isCloseTo(histogram.total(), within(0.01));
            var buckets = registry.get(name + ".buckets").functionCounters().stream()
                    .sorted((a, b) -> Double.compare(bound(a), bound(b)))
                    .toList();
            assertThat(buckets).extracting(bucket -> bucket.count()).isSorted();
            assertThat(bound(buckets.getLast())).isInfinite();
            assertThat(buckets.getLast().count()).isEqualTo(histogram.count());
        }
    }

    private static double bound(Meter bucket) {
        var le = bucket.getId().getTag("le");
        return "+Inf".equals(le) ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
    }

    @ParameterizedTest
    @EnumSource
    void timeIsToldByKindOfWork(WorkKind kind) throws Exception {
        try (var loop = named("one")) {
            work(loop);
            new LoopMetrics(loop).bindTo(registry);
            var timer = registry.get("uvloop4j.loop.work")
                    .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                    .functionTimer();
            assertThat(timer.totalTime(TimeUnit.NANOSECONDS))
                    .isCloseTo(loop.statistics().kind(kind).total(), within(0.01));
        }
    }

    @Test
    void loopsAreToldApart() throws Exception {
        try (var one = named("one");
                var two = named("two")) {
            work(one);
            two.run(() -> Task.sleep(Duration.ZERO));
            new LoopMetrics(one, Tags.of("app", "a")).bindTo(registry);
            new LoopMetrics(two, Tags.of("app", "b")).bindTo(registry);
            assertThat(counter("uvloop4j.loop.tasks.made", "loop", "one", "app", "a"))
                    .isEqualTo(3);
            assertThat(counter("uvloop4j.loop.tasks.made", "loop", "two", "app", "b"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aSecondLoopOfTheSameNameIsRefused() {
        var one = named("same");
        try (var two = named("same")) {
            new LoopMetrics(one).bindTo(registry);
            var second = new LoopMetrics(two);
            assertThatThrownBy(() -> second.bindTo(registry))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("loop=same")
                    .hasMessageContaining("LoopOptions.name");
            new LoopMetrics(two, Tags.of("nr", "2")).bindTo(registry);
            one.close();
            second.bindTo(registry);
            assertThat(registry.get("uvloop4j.loop.tasks").gauges()).hasSize(2);
        }
    }

    @Test
    void bindingTwiceIsBindingOnce() {
        try (var loop = named("one");
                var metrics = new LoopMetrics(loop)) {
            metrics.bindTo(registry);
            int meters = registry.getMeters().size();
            metrics.bindTo(registry);
            assertThat(registry.getMeters()).hasSize(meters);
        }
    }

    @Test
    void eachLoopOfAGroupHasItsMeters() throws Exception {
        try (var group = EventLoopGroup.create(GroupOptions.defaults().loops(2))) {
            new LoopMetrics(group).bindTo(registry);
            group.loop(1).call(() -> {});
            assertThat(registry.get("uvloop4j.loop.tasks.made").functionCounters())
                    .extracting(made -> made.getId().getTag("loop"), made -> made.count())
                    .containsExactlyInAnyOrder(
                            tuple(group.loop(0).options().name(), 0.0),
                            tuple(group.loop(1).options().name(), 1.0));
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    @Tag("cells")
    void theMetersOfAClosedLoopAreGone() throws Exception {
        var other = new SimpleMeterRegistry();
        try (var loop = named("one")) {
            var metrics = new LoopMetrics(loop);
            metrics.bindTo(registry);
            metrics.bindTo(other);
            work(loop);
            assertThat(registry.getMeters()).isNotEmpty();
        }
        assertThat(registry.getMeters()).isEmpty();
        assertThat(other.getMeters()).isEmpty();
    }

    @Test
    void aClosedLoopHasNone() {
        var loop = named("one");
        var metrics = new LoopMetrics(loop);
        loop.close();
        metrics.bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void closingRemovesMetersUntilTheyAreBoundAgain() throws Exception {
        try (var loop = named("one")) {
            var metrics = new LoopMetrics(loop);
            metrics.bindTo(registry);
            metrics.close();
            assertThat(registry.getMeters()).isEmpty();
            metrics.bindTo(registry);
            loop.run(() -> {});
            assertThat(counter("uvloop4j.loop.tasks.made")).isEqualTo(1);
        }
    }

    @Test
    void theRegistryDoesNotKeepALoop() throws Exception {
        var loop = new WeakReference<>(boundAndClosed());
        for (int i = 0; i < 100 && loop.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(loop.get()).isNull();
    }

    private EventLoop boundAndClosed() throws Exception {
        try (var loop = named("one")) {
            new LoopMetrics(loop).bindTo(registry);
            loop.run(() -> {});
            return loop;
        }
    }

    @Test
    void theLoopKeepsItsMetersAlive() throws Exception {
        try (var loop = named("one")) {
            new LoopMetrics(loop).bindTo(registry);
            System.gc();
            loop.run(() -> {});
            System.gc();
            assertThat(counter("uvloop4j.loop.tasks.made")).isEqualTo(1);
            assertThat(gauge("uvloop4j.loop.tasks")).isZero();
        }
    }

    @Test
    void metersCanBeDenied() {
        registry.config().meterFilter(MeterFilter.deny(id -> id.getName().endsWith(".buckets")));
        try (var loop = named("one")) {
            new LoopMetrics(loop).bindTo(registry);
            assertThat(registry.find("uvloop4j.loop.turn").functionTimer()).isNotNull();
            assertThat(registry.find("uvloop4j.loop.turn.buckets").meters()).isEmpty();
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void registriesTogetherGetThemToo() throws Exception {
        var both = new CompositeMeterRegistry();
        both.add(registry);
        try (var loop = named("one")) {
            new LoopMetrics(loop).bindTo(both);
            loop.run(() -> {});
            assertThat(counter("uvloop4j.loop.tasks.made")).isEqualTo(1);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aLoopWithoutMetricsStillCountsTasksAndConnections() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().metrics(false))) {
            work(loop);
            new LoopMetrics(loop).bindTo(registry);
            assertThat(counter("uvloop4j.loop.calls")).isZero();
            assertThat(counter("uvloop4j.loop.turn.buckets", "le", "+Inf")).isZero();
            assertThat(gauge("uvloop4j.loop.busy")).isZero();
            assertThat(counter("uvloop4j.loop.tasks.made")).isEqualTo(3);
            assertThat(counter("uvloop4j.loop.connections.opened")).isEqualTo(2);
        }
    }
}
