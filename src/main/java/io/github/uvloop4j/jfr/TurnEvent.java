package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.SettingDefinition;
import jdk.jfr.Timespan;

/** Its length is a field, so that it needs a threshold of its own: the recorder's looks at the event's duration. */
@Name("uvloop4j.Turn")
@Label("Long Turn")
@Description("A turn kept the loop's thread busy for 10 ms or longer")
final class TurnEvent extends LoopEvent {
    @Label("Busy")
    @Description("How long the turn kept the thread busy")
    @Timespan
    long busy;

    @Label("Ready")
    @Description("The part of it that ran what was ready: calls, timers and steps of tasks")
    @Timespan
    long ready;

    @Label("Callbacks")
    @Description("The part of it that ran callbacks of events")
    @Timespan
    long callbacks;

    @Label("Calls")
    @Description("How many calls, timers and steps of tasks ran")
    int calls;

    @Label("Events")
    @Description("How many events were called back for")
    int events;

    @Label("Least Busy")
    @Description(
            "Only turns that kept the thread busy for so long, as \"20 ms\"; all that are told of are 10 ms or longer")
    @SettingDefinition
    @Name("busy")
    boolean isLong(LeastTime least) {
        return least.isReachedBy(busy);
    }
}
