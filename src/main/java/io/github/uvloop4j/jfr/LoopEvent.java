package io.github.uvloop4j.jfr;

import io.github.uvloop4j.carrier.Aboard;
import io.github.uvloop4j.concurrent.LoopView;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

/**
 * What all events tell. None is registered when its class is loaded: that would start a good part of the recorder in a
 * program that never records.
 */
@Category("uvloop4j")
@Registered(false)
@StackTrace(false)
abstract class LoopEvent extends Event {
    @Label("Loop")
    String loop = "";

    @Label("Loop Id")
    long loopId;

    final void of(LoopView view) {
        loop = view.name();
        loopId = view.id();
    }

    /**
     * Commits it. HotSpot's writer of events belongs to the platform thread, and drops the first event of that thread
     * itself after one of a virtual thread on it; and if the first event of all is not of a virtual thread, it lets
     * virtual threads leave the platform thread while they write. So all events are of virtual threads.
     */
    final void commitAboard() {
        if (shouldCommit()) {
            Aboard.run(this::commit);
        }
    }
}
