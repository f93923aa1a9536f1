package io.github.uvloop4j.jfr;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;

/** All types of events. */
final class EventTypes {
    private static final List<Class<? extends Event>> ALL = List.of(
            LoopStateEvent.class,
            LoopOpenedEvent.class,
            LoopClosedEvent.class,
            TurnEvent.class,
            StallEvent.class,
            StallOverEvent.class,
            OversleepEvent.class,
            TaskEvent.class,
            ConnectionEvent.class,
            AcceptEvent.class,
            LookupEvent.class,
            HandshakeEvent.class,
            BlockingCallEvent.class);

    private EventTypes() {}

    static void register() {
        ALL.forEach(FlightRecorder::register);
        FlightRecorder.addPeriodicEvent(LoopStateEvent.class, LoopStates::emitAll);
    }
}
