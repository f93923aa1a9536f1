package io.github.uvloop4j.cli.observe;

import java.util.List;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/** The library's own events: what each of them adds to its loop. */
final class LoopEvents {
    private static final String PREFIX = "uvloop4j.";

    /** The event that tells a loop's numbers, now and then. */
    static final String LOOP = PREFIX + "Loop";

    static final String TURN = PREFIX + "Turn";
    static final String STALL = PREFIX + "Stall";
    static final String STALL_OVER = PREFIX + "StallOver";
    static final String OVERSLEEP = PREFIX + "Oversleep";
    static final String TASK = PREFIX + "Task";
    static final String CONNECTION = PREFIX + "Connection";
    static final String LOOKUP = PREFIX + "Lookup";
    static final String BLOCKING_CALL = PREFIX + "BlockingCall";
    static final String OPENED = PREFIX + "LoopOpened";
    static final String CLOSED = PREFIX + "LoopClosed";

    /** All that is of use; an accept tells nothing that the numbers do not. */
    static final List<String> WANTED =
            List.of(LOOP, TURN, STALL, STALL_OVER, OVERSLEEP, TASK, CONNECTION, LOOKUP, BLOCKING_CALL, OPENED, CLOSED);

    /** Without what comes for each task, connection or call. */
    static final List<String> LIGHT = List.of(LOOP, STALL, STALL_OVER, OPENED, CLOSED);

    private LoopEvents() {}

    static void take(String name, Fields fields, LoopLog loop, Collector collector) {
        switch (name) {
            case LOOP -> loop(fields, loop, collector);
            case TURN ->
                loop.keep(
                        loop.turns,
                        new Turn(
                                fields.end(),
                                fields.nanos("busy"),
                                fields.nanos("ready"),
                                fields.nanos("callbacks"),
                                (int) fields.number("calls"),
                                (int) fields.number("events")));
            case STALL -> loop.keep(loop.stalls, stall(fields));
            case STALL_OVER ->
                loop.keep(
                        loop.stallEnds,
                        new LoopLog.StallEnd(fields.end(), fields.text("what"), fields.nanos("lasted")));
            case OVERSLEEP ->
                loop.keep(loop.oversleeps, new Oversleep(fields.end(), fields.nanos("limit"), fields.nanos("took")));
            case TASK -> {
                collector.runsTask(fields.thread(), loop);
                loop.task(fields.text("name"), fields.text("outcome"), fields.text("error"));
            }
            case CONNECTION -> {
                if (!fields.text("cause").isEmpty()) {
                    loop.lost.add(fields.text("cause"));
                }
            }
            case LOOKUP ->
                loop.keep(
                        loop.lookups,
                        new Lookup(fields.begin(), fields.text("host"), fields.nanos(), fields.text("failure")));
            case BLOCKING_CALL -> loop.blocked(fields.text("call"), caller(fields));
            case OPENED -> loop.opened(fields.begin());
            case CLOSED -> loop.closed(fields.begin());
            default -> {
                // An event of a later version: that its loop exists is all that is known of it.
            }
        }
    }

    private static void loop(Fields fields, LoopLog loop, Collector collector) {
        var thread = fields.thread("thread");
        collector.runs(thread, loop);
        loop.thread(thread == null ? 0 : thread.getJavaThreadId());
        var known = loop.identity();
        loop.identify(new LoopReport.Identity(
                known.name(),
                known.id(),
                known.label(),
                fields.text("cpus"),
                fields.text("tasksRide"),
                nameOf(thread),
                fields.number("threadId")));
        var snapshot = new LoopSnapshot.Builder(fields.end())
                .running(fields.flag("running"))
                .open((int) fields.number("tasks"), (int) fields.number("connections"))
                .handles(fields.text("handles"));
        for (var counter : Counter.values()) {
            snapshot.count(counter, counter.isTime() ? fields.nanos(counter.field()) : fields.number(counter.field()));
        }
        for (var distribution : Distribution.values()) {
            snapshot.histogram(distribution, fields.text(distribution.field()), fields.nanos(distribution.maxField()));
        }
        loop.snapshot(snapshot.build());
    }

    private static String nameOf(@Nullable RecordedThread thread) {
        var name = thread == null ? null : thread.getJavaName();
        return name == null ? "" : name;
    }

    private static Stall stall(Fields fields) {
        var lasted = fields.nanos("lasted");
        return new Stall(
                fields.end().minusNanos(lasted),
                fields.text("what"),
                lasted,
                false,
                fields.text("stack")
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList(),
                fields.textOrNull("created"));
    }

    private static String caller(Fields fields) {
        var stack = Frames.of(fields.stack());
        if (stack.stream().anyMatch(Frames::isOfProgram)) {
            return Frames.telling(stack);
        }
        var task = fields.text("taskName");
        return task.isEmpty() ? "on thread " + fields.text("thread") : "in task " + task;
    }
}
