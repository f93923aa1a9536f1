package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.observe.opentelemetry.LoopHistograms;
import io.github.uvloop4j.observe.opentelemetry.LoopMetrics;
import io.github.uvloop4j.observe.opentelemetry.LoopTraces;
import io.github.uvloop4j.observe.opentelemetry.TraceOptions;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

/** What the guide "Metrics and traces" shows of OpenTelemetry, as a program that runs. */
public final class OpenTelemetryGuide {
    private OpenTelemetryGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        var reader = InMemoryMetricReader.create();
        var exporter = InMemorySpanExporter.create();
        try (var loop = EventLoop.create();
                var openTelemetry = sdk(loop, reader, exporter)) {
            LoopMetrics.register(openTelemetry, loop);
            loop.run(() -> {});
            System.out.println(reader.collectAllMetrics().size() + " metrics");
            trace(openTelemetry);
            exporter.getFinishedSpanItems().forEach(span -> System.out.println("span " + span.getName()));
        }
    }

    private static OpenTelemetrySdk sdk(EventLoop loop, MetricReader reader, InMemorySpanExporter exporter) {
        var histograms = new LoopHistograms();
        var meters = SdkMeterProvider.builder()
                .registerMetricReader(reader)
                .registerMetricProducer(histograms)
                .build();
        histograms.add(loop);
        var tracers = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        return OpenTelemetrySdk.builder()
                .setMeterProvider(meters)
                .setTracerProvider(tracers)
                .build();
    }

    private static void trace(OpenTelemetry openTelemetry) throws Exception {
        var traces = new LoopTraces(openTelemetry, TraceOptions.defaults().connections(true));
        try (var loop = EventLoop.create(LoopOptions.defaults().observe(traces))) {
            loop.run(() -> {
                var order = openTelemetry.getTracer("shop").spanBuilder("order").startSpan();
                try (var _ = order.makeCurrent()) {
                    loop.spawn("price", () -> Span.current().addEvent("asked")).await(); // a child of "order"
                } finally {
                    order.end();
                }
            });
        }
    }
}
