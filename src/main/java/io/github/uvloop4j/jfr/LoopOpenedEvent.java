package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("uvloop4j.LoopOpened")
@Label("Loop Opened")
@Description("A loop was made")
final class LoopOpenedEvent extends LoopEvent {}
