package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.observe.export.LoopEnd;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statistics of a loop, or of all loops of a group, as observable instruments of OpenTelemetry.
 *
 * {@snippet :
 * LoopMetrics.register(openTelemetry, loop);
 * }
 *
 * <p>Instruments are named {@code uvloop4j.loop.*} and have the attribute {@code uvloop4j.loop.name}. A collection takes
 * one snapshot of each loop. Distributions are not among them, since no instrument takes in what was recorded elsewhere:
 * see {@link LoopHistograms}.
 *
 * <p>A loop that is closed is not observed any more; {@link #close} ends it for all. It need not be kept. Any thread.
 */
public final class LoopMetrics implements AutoCloseable {
    private final Map<ObservedLoop, LoopEnd> loops = new ConcurrentHashMap<>();
    private final BatchCallback callback;

    private LoopMetrics(OpenTelemetry openTelemetry, List<EventLoop> all, Attributes attributes) {
        for (var loop : all) {
            var observed = new ObservedLoop(loop, Names.of(loop, attributes));
            loops.put(observed, LoopEnd.of(loop, () -> loops.remove(observed)));
            if (loop.isClosed()) {
                loops.remove(observed);
            }
        }
        var instruments = new Instruments(openTelemetry.getMeter(Names.SCOPE));
        this.callback = instruments.observe(() -> loops.keySet().forEach(loop -> loop.record(instruments)));
    }

    /** Observes a loop. */
    public static LoopMetrics register(OpenTelemetry openTelemetry, EventLoop loop) {
        return register(openTelemetry, loop, Attributes.empty());
    }

    /** Observes a loop, with more attributes. */
    public static LoopMetrics register(OpenTelemetry openTelemetry, EventLoop loop, Attributes attributes) {
        return new LoopMetrics(openTelemetry, List.of(loop), attributes);
    }

    /** Observes each loop of a group. */
    public static LoopMetrics register(OpenTelemetry openTelemetry, EventLoopGroup group) {
        return register(openTelemetry, group, Attributes.empty());
    }

    /** Observes each loop of a group, with more attributes. */
    public static LoopMetrics register(OpenTelemetry openTelemetry, EventLoopGroup group, Attributes attributes) {
        return new LoopMetrics(openTelemetry, group.loops(), attributes);
    }

    /** Ends the observation. */
    @Override
    public void close() {
        callback.close();
        loops.values().forEach(LoopEnd::cancel);
        loops.clear();
    }
}
