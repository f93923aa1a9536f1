package io.github.uvloop4j.jfr;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.observe.LoopObserver;
import java.util.List;

/** The way to the JVM's flight recorder, where there is one: this class itself needs none. */
public final class FlightRecording {
    private static final class Holder {
        static final JfrObserver OBSERVER = made();

        private Holder() {}

        private static JfrObserver made() {
            Recorder.await();
            return new JfrObserver();
        }
    }

    private static final boolean PRESENT = ModuleLayer.boot()
                    .findModule("jdk.jfr")
                    .filter(FlightRecording.class.getModule()::canRead)
                    .isPresent()
            && Boolean.parseBoolean(System.getProperty("uvloop4j.jfr", "true"));

    private FlightRecording() {}

    /** The observer that writes events; none where the JVM has no flight recorder. Any thread. */
    public static List<LoopObserver> observers() {
        return PRESENT ? List.of(Holder.OBSERVER) : List.of();
    }

    /** A guard has seen a call of the JDK that would block the loop whose thread or task makes it, at a place. */
    public static void blockingCall(LoopContext loop, String call, String caller) {
        if (PRESENT) {
            Holder.OBSERVER.blockingCall(loop.view(), call, caller, loop.currentTask());
        }
    }
}
