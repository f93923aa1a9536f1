package io.github.uvloop4j.observe.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.export.Bounds;
import io.github.uvloop4j.testing.Scrape;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PrometheusTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<String> failures = new ArrayList<>();

    @BeforeEach
    void watchRegistration() {
        BiConsumer<Object, String> failed = (id, why) -> failures.add(id + ": " + why);
        registry.config().onMeterRegistrationFailed(failed::accept);
    }

    @AfterEach
    void allWereRegistered() {
        assertThat(failures).isEmpty();
        registry.close();
    }

    private Scrape scrape() {
        return Scrape.of(registry.scrape());
    }

    @Test
    void theTextHasAllByTheNamesOfThisPage() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name("web"))) {
            LoopMetricsTest.work(loop);
            new LoopMetrics(loop, Tags.of("app", "shop")).bindTo(registry);
            var scrape = scrape();
            assertThat(scrape.samples())
                    .isNotEmpty()
                    .allSatisfy(sample -> assertThat(sample.labels())
                            .containsEntry("loop", "web")
                            .containsEntry("app", "shop"));
            assertThat(scrape.types())
                    .containsEntry("uvloop4j_loop_turn_seconds", "summary")
                    .containsEntry("uvloop4j_loop_turn_buckets_total", "counter")
                    .containsEntry("uvloop4j_loop_polls_total", "counter")
                    .containsEntry("uvloop4j_loop_received_bytes_total", "counter")
                    .containsEntry("uvloop4j_loop_work_seconds", "summary")
                    .containsEntry("uvloop4j_loop_busy_ratio", "gauge")
                    .containsEntry("uvloop4j_loop_tasks", "gauge")
                    .containsEntry("uvloop4j_loop_tasks_made_total", "counter");
            assertThat(scrape.value("uvloop4j_loop_received_bytes_total", Map.of()))
                    .isEqualTo(8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"turn", "poll", "ready_delay", "wake_delay", "timer_lateness"})
    void bucketsAreCumulativeAndEndWithAll(String timing) throws Exception {
        try (var loop = EventLoop.create()) {
            LoopMetricsTest.work(loop);
            new LoopMetrics(loop).bindTo(registry);
            var scrape = scrape();
            var buckets = scrape.named("uvloop4j_loop_" + timing + "_buckets_total");
            assertThat(buckets).hasSize(Bounds.COUNT + 1);
            double count = scrape.value("uvloop4j_loop_" + timing + "_seconds_count", Map.of());
            assertThat(count).isPositive();
            double before = 0;
            for (int i = 0; i <= Bounds.COUNT; i++) {
                double within =
                        scrape.value("uvloop4j_loop_" + timing + "_buckets_total", Map.of("le", Bounds.label(i)));
                assertThat(within).isGreaterThanOrEqualTo(before);
                before = within;
            }
            assertThat(before).isEqualTo(count);
        }
    }

    @Test
    void aScrapeTakesOneSnapshot() throws Exception {
        try (var loop = EventLoop.create()) {
            var taken = new AtomicInteger();
            var clock = new AtomicLong();
            var snapshots = new Snapshots(() -> count(taken, loop), loop::isRunning, clock::get);
            new LoopMeters(registry, Tags.empty(), snapshots).register();
            assertThat(scrape().samples()).hasSizeGreaterThan(150);
            assertThat(taken).hasValue(1);
            clock.addAndGet(999_999_999);
            registry.scrape();
            assertThat(taken).hasValue(1);
            clock.addAndGet(1);
            loop.run(() -> {});
            assertThat(scrape().value("uvloop4j_loop_tasks_made_total", Map.of()))
                    .isEqualTo(1);
            assertThat(taken).hasValue(2);
        }
    }

    private static LoopStatistics count(AtomicInteger taken, EventLoop loop) {
        taken.incrementAndGet();
        return loop.statistics();
    }

    @Test
    void otherThreadsScrapeWhileTheLoopRuns() throws Exception {
        try (var loop = EventLoop.create().start()) {
            var clock = new AtomicLong();
            var snapshots = new Snapshots(loop::statistics, loop::isRunning, () -> clock.addAndGet(10_000_000));
            new LoopMeters(registry, Tags.empty(), snapshots).register();
            var busy = loop.submit(() -> {
                while (true) {
                    Task.sleep(Duration.ZERO);
                }
            });
            double before = 0;
            for (int i = 0; i < 30; i++) {
                double now = scrape().value("uvloop4j_loop_turn_seconds_count", Map.of());
                assertThat(now).isGreaterThanOrEqualTo(before);
                before = now;
            }
            assertThat(before).isPositive();
            busy.cancel();
        }
    }

    @Test
    void loopsComeAndGoWhileOthersScrape() throws Exception {
        var over = new AtomicBoolean();
        var scraper = CompletableFuture.supplyAsync(
                () -> {
                    int scrapes = 0;
                    while (!over.get()) {
                        scrape();
                        scrapes++;
                    }
                    return scrapes;
                },
                command -> Thread.ofPlatform().daemon().start(command));
        for (int i = 0; i < 20; i++) {
            try (var loop =
                    EventLoop.create(LoopOptions.defaults().name("loop-" + i)).start()) {
                new LoopMetrics(loop).bindTo(registry);
                loop.call(() -> Task.sleep(Duration.ofMillis(1)));
            }
        }
        over.set(true);
        assertThat(scraper.get()).isPositive();
        assertThat(registry.getMeters()).isEmpty();
        assertThat(registry.scrape()).isEmpty();
    }

    @Test
    void aTaskOfTheLoopMayScrape() throws Exception {
        try (var loop = EventLoop.create()) {
            loop.run(() -> {
                new LoopMetrics(loop).bindTo(registry);
                assertThat(scrape().value("uvloop4j_loop_running", Map.of())).isEqualTo(1);
            });
        }
        assertThat(registry.scrape()).isEmpty();
    }

    @Test
    void twoLoopsAddUp() throws Exception {
        try (var one = EventLoop.create(LoopOptions.defaults().name("one"));
                var two = EventLoop.create(LoopOptions.defaults().name("two"))) {
            LoopMetricsTest.work(one);
            LoopMetricsTest.work(two);
            new LoopMetrics(one).bindTo(registry);
            new LoopMetrics(two).bindTo(registry);
            var both = one.statistics().plus(two.statistics()).turns();
            var within = Bounds.cumulative(both);
            var scrape = scrape();
            for (int i = 0; i <= Bounds.COUNT; i++) {
                var le = Bounds.label(i);
                double sum = scrape.named("uvloop4j_loop_turn_buckets_total").stream()
                        .filter(sample -> le.equals(sample.labels().get("le")))
                        .mapToDouble(Scrape.Sample::value)
                        .sum();
                assertThat(sum).isEqualTo(within[i]);
            }
        }
    }
}
