package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.Accept")
@Label("Accept")
@Description("A connection came in by a server")
final class AcceptEvent extends LoopEvent {
    @Label("Kind")
    String kind = "";

    @Label("Local")
    @Description("The own address")
    @Nullable
    String local;

    @Label("Peer")
    @Description("The peer's address")
    @Nullable
    String peer;
}
