package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("uvloop4j.LoopClosed")
@Label("Loop Closed")
@Description("A loop was closed")
final class LoopClosedEvent extends LoopEvent {}
