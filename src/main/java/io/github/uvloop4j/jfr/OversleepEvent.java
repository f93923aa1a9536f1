package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("uvloop4j.Oversleep")
@Label("Oversleep")
@Description("A poll outlasted its limit by a millisecond or more: the machine was late, or suspended")
final class OversleepEvent extends LoopEvent {
    @Label("Limit")
    @Description("How long the poll was allowed to take")
    @Timespan
    long limit;

    @Label("Took")
    @Description("How long it took")
    @Timespan
    long took;
}
