package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.observe.micrometer.LoopMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** What the guide "Metrics and traces" shows of Micrometer, as a program that runs. */
public final class MicrometerGuide {
    private MicrometerGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (var loop = EventLoop.create();
                var group = EventLoopGroup.create(GroupOptions.defaults().loops(2))) {
            bind(loop, group, registry);
            loop.run(() -> {});
            System.out.println(registry.scrape().lines().count() + " lines for Prometheus");
        }
    }

    private static void bind(EventLoop loop, EventLoopGroup group, MeterRegistry registry) {
        new LoopMetrics(loop).bindTo(registry);
        new LoopMetrics(group, Tags.of("app", "shop")).bindTo(registry);
    }
}
