package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.Task")
@Label("Task")
@Description("A task, from its making to its end")
final class TaskEvent extends LoopEvent {
    @Label("Name")
    String name = "";

    @Label("Task Id")
    long taskId;

    @Label("Parent Id")
    @Description("The task that spawned it, or 0")
    long parentId;

    @Label("Waited")
    @Description("How long it took from its making to its first step")
    @Timespan
    long waited;

    @Label("Outcome")
    @Description("completed, failed or cancelled")
    String outcome = "";

    @Label("Error")
    @Description("What it failed with")
    @Nullable
    String error;

    transient long madeAt;
    transient boolean hasBegun;
}
