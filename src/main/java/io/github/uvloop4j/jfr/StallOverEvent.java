package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

@Name("uvloop4j.StallOver")
@Label("Stall Over")
@Description("What kept the loop has let go of it")
final class StallOverEvent extends LoopEvent {
    @Label("What")
    @Description("As the stall told it")
    String what = "";

    @Label("Lasted")
    @Description("How long it took, as far as the watch can tell")
    @Timespan
    long lasted;
}
