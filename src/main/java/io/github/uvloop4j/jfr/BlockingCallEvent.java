package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.BlockingCall")
@Label("Blocking Call")
@Description("A guard has seen a call that would block a loop's thread")
final class BlockingCallEvent extends LoopEvent {
    @Label("Call")
    @Description("The method of the JDK")
    String call = "";

    @Label("Caller")
    @Description("The place that calls it: class.method(file:line)")
    String caller = "";

    @Label("Thread")
    @Description("The loop's thread")
    @Nullable
    Thread thread;

    @Label("Task Name")
    @Description("The task that made the call; nothing when it was a callback")
    @Nullable
    String taskName;
}
