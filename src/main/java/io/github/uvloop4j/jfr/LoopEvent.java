package io.github.uvloop4j.jfr;

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
}
