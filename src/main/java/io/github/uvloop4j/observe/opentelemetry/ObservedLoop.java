package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.observe.export.Moment;
import io.opentelemetry.api.common.Attributes;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A loop, and when it was looked at last. */
final class ObservedLoop {
    private final EventLoop loop;
    private final Attributes attributes;
    private final AtomicReference<@Nullable Moment> newest = new AtomicReference<>();

    ObservedLoop(EventLoop loop, Attributes attributes) {
        this.loop = loop;
        this.attributes = attributes;
    }

    void record(Instruments instruments) {
        var moment = Moment.after(newest.get(), loop.statistics(), System.nanoTime());
        newest.set(moment);
        instruments.record(moment, loop.isRunning(), attributes);
    }
}
