package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.Lookup")
@Label("Look-up")
@Description("A host name was looked up")
@Threshold("20 ms")
final class LookupEvent extends LoopEvent {
    @Label("Host")
    String host = "";

    @Label("Failure")
    @Description("Why nothing was found")
    @Nullable
    String failure;
}
