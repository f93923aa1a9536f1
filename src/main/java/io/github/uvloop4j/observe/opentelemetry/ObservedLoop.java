package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopStatistics;
import io.github.uvloop4j.observe.export.Moment;
import io.opentelemetry.api.common.Attributes;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A loop, and when it was looked at last. */
final class ObservedLoop {
    private final Supplier<LoopStatistics> source;
    private final BooleanSupplier running;
    private final Attributes attributes;
    private final AtomicReference<@Nullable Moment> newest = new AtomicReference<>();

    ObservedLoop(EventLoop loop, Attributes attributes) {
        this(loop::statistics, loop::isRunning, attributes);
    }

    ObservedLoop(Supplier<LoopStatistics> source, BooleanSupplier running, Attributes attributes) {
        this.source = source;
        this.running = running;
        this.attributes = attributes;
    }

    void record(Instruments instruments) {
        var moment = Moment.after(newest.get(), source.get(), System.nanoTime());
        newest.set(moment);
        instruments.record(moment, running.getAsBoolean(), attributes);
    }
}
