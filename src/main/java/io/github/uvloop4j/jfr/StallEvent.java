package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.Stall")
@Label("Stall")
@Description("Something keeps the loop from going on")
final class StallEvent extends LoopEvent {
    @Label("What")
    @Description("The call or task; of a callback of an event only that it is one")
    String what = "";

    @Label("Lasted")
    @Description("How long it had run, at least, when it was looked at")
    @Timespan
    long lasted;

    @Label("Stack")
    @Description("What the loop was doing at that moment, the innermost call first")
    String stack = "";

    @Label("Created")
    @Description("Where the call or task was made, in debug mode")
    @Nullable
    String created;
}
