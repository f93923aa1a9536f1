package io.github.uvloop4j.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Whether the JVM's flight recorder was ever started, and so there may be recordings. */
final class Recorder implements FlightRecorderListener {
    private static volatile boolean started;

    private Recorder() {}

    /** Waits for its start, however that comes: with the JVM, by jcmd, over JMX, in the program. */
    static void await() {
        FlightRecorder.addListener(new Recorder());
    }

    /** While it is false no type of event is known to the JVM, nor even loaded. */
    static boolean isStarted() {
        return started;
    }

    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        EventTypes.register();
        started = true;
    }
}
