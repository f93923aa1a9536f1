package io.github.uvloop4j;

import io.github.uvloop4j.observe.LoopObserver;
import java.util.List;

/** Who looks on at a loop. */
final class Observing {
    private Observing() {}

    static List<LoopObserver> observers(LoopOptions options) {
        return options.observers();
    }
}
