package io.github.uvloop4j;

import io.github.uvloop4j.jfr.FlightRecording;
import io.github.uvloop4j.observe.LoopObserver;
import java.util.ArrayList;
import java.util.List;

/** Who looks on at a loop. */
final class Observing {
    private Observing() {}

    static List<LoopObserver> observers(LoopOptions options) {
        var all = new ArrayList<>(FlightRecording.observers());
        all.addAll(options.observers());
        return all;
    }
}
