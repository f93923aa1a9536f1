package io.github.uvloop4j.concurrent;

import io.github.uvloop4j.util.JsonText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a loop at a moment, as a tree: below each task are those that it spawned. Each was looked at by itself
 * while the others went on, so that two of them may contradict each other.
 *
 * <p>{@link #toString} has a line for each task, {@link #toText} its stack as well, {@link #toJson} all for programs.
 *
 * @param loop the loop's name
 * @param loopThread the name of the thread that ran the loop, or null when none did
 * @param loopThreadState what that thread did, or null
 * @param loopStack the frames of that thread, the innermost first, but not those of a task that it carried
 * @param tasks the tasks, each followed by its children
 */
public record TaskDump(
        String loop,
        @Nullable String loopThread,
        Thread.@Nullable State loopThreadState,
        List<StackTraceElement> loopStack,
        List<TaskInfo> tasks) {
    private static final int DEEPEST_INDENT = 40;

    /** Copies the lists. */
    public TaskDump {
        loopStack = List.copyOf(loopStack);
        tasks = List.copyOf(tasks);
    }

    /**
     * Looks at tasks without any effect on them; those that have ended are left out. Any thread.
     *
     * @param loop the loop's name
     * @param loopThread the thread that runs the loop, or null
     * @param tasks the tasks
     * @param frames how many frames to keep of each stack; with 0 no stack is taken, so that places are missing too
     */
    public static TaskDump of(
            String loop, @Nullable Thread loopThread, Collection<? extends Task<?>> tasks, int frames) {
        if (frames < 0) {
            throw new IllegalArgumentException("frames is negative: " + frames);
        }
        var looker = new Frames();
        var seen = new ArrayList<TaskInfo>(tasks.size());
        for (var task : tasks) {
            if (!task.isDone()) {
                seen.add(look(task, looker, frames));
            }
        }
        var stack = loopThread == null || frames == 0 ? new StackTraceElement[0] : loopThread.getStackTrace();
        return new TaskDump(
                loop,
                loopThread == null ? null : loopThread.getName(),
                loopThread == null ? null : loopThread.getState(),
                first(stack, frames),
                inTree(seen));
    }

    private static TaskInfo look(Task<?> task, Frames looker, int frames) {
        var state = task.activity();
        var awaited = state == TaskInfo.State.WAITING ? task.awaited() : null;
        var other = awaited instanceof Task<?> child ? child : null;
        var stack = frames == 0 ? new StackTraceElement[0] : task.thread().getStackTrace();
        var place = looker.place(stack);
        return new TaskInfo(
                task.id(),
                task.name(),
                0,
                task.parentId(),
                task.parentName(),
                task.groupName(),
                state,
                task.cancelling(),
                other != null
                        ? "task #" + other.id() + ' ' + other.name()
                        : awaited == null ? null : awaited.toString(),
                other != null ? other.id() : 0,
                state == TaskInfo.State.WAITING ? place.call() : null,
                place.user(),
                first(stack, frames));
    }

    private static List<StackTraceElement> first(StackTraceElement[] stack, int frames) {
        return Arrays.asList(stack).subList(0, Math.min(stack.length, frames));
    }

    /** Without recursion: a task may have thousands of ancestors. */
    private static List<TaskInfo> inTree(List<TaskInfo> all) {
        var known = new HashMap<Long, List<TaskInfo>>();
        all.forEach(task -> known.put(task.id(), new ArrayList<>(0)));
        var open = new ArrayDeque<TaskInfo>();
        all.sort(Comparator.comparingLong(TaskInfo::id).reversed());
        for (var task : all) {
            var siblings = known.get(task.parentId());
            if (siblings == null) {
                open.addLast(task);
            } else {
                siblings.add(task);
            }
        }
        var ordered = new ArrayList<TaskInfo>(all.size());
        while (!open.isEmpty()) {
            var task = open.removeLast();
            ordered.add(task);
            for (var child : known.getOrDefault(task.id(), List.of())) {
                open.addLast(child.atDepth(task.depth() + 1));
            }
        }
        return ordered;
    }

    /** A line for each task. */
    @Override
    public String toString() {
        return text(false);
    }

    /** A line for each task, and its stack below it. */
    public String toText() {
        return text(true);
    }

    private String text(boolean stacks) {
        var text = new StringBuilder("loop ").append(loop).append(": ").append(tasks.size());
        text.append(tasks.size() == 1 ? " task, " : " tasks, ");
        if (loopThread == null) {
            text.append("does not run\n");
        } else {
            text.append("on thread ")
                    .append(loopThread)
                    .append(" [")
                    .append(loopState())
                    .append("]\n");
        }
        if (stacks) {
            appendStack(text, "    ", loopStack);
        }
        for (var task : tasks) {
            var indent = "|  ".repeat(Math.min(task.depth(), DEEPEST_INDENT));
            text.append(indent).append("+- ");
            if (task.depth() > DEEPEST_INDENT) {
                text.append("(depth ").append(task.depth()).append(") ");
            }
            text.append(task).append('\n');
            if (stacks) {
                appendStack(text, indent + "|      ", task.stack());
            }
        }
        return text.toString();
    }

    private static void appendStack(StringBuilder text, String indent, List<StackTraceElement> stack) {
        for (var frame : stack) {
            text.append(indent).append("at ").append(frame).append('\n');
        }
    }

    private @Nullable String loopState() {
        return loopThreadState == null ? null : loopThreadState.name().toLowerCase(Locale.ROOT);
    }

    /**
     * One JSON object: {@code loop}, {@code loop_thread} (null, or {@code name}, {@code state}, {@code stack}) and the
     * list {@code tasks}, in which each comes before its children and has {@code id}, {@code name}, {@code depth},
     * {@code parent_id}, {@code parent_name}, {@code parent_ended}, {@code group}, {@code state},
     * {@code cancel_requests}, {@code waits_for}, {@code waits_for_task_id}, {@code waits_in}, {@code place},
     * {@code stack}. The list is flat, since parsers give up on trees of thousands of levels.
     */
    public String toJson() {
        var json = new JsonText().open('{').key("loop").value(loop).key("loop_thread");
        if (loopThread == null) {
            json.value((String) null);
        } else {
            json.open('{').key("name").value(loopThread).key("state").value(loopState());
            stack(json, loopStack).close('}');
        }
        json.key("tasks").open('[');
        for (var task : tasks) {
            json.open('{').key("id").value(task.id()).key("name").value(task.name());
            json.key("depth").value(task.depth());
            id(json.key("parent_id"), task.parentId()).key("parent_name").value(task.parentName());
            json.key("parent_ended").value(task.isOrphan());
            json.key("group").value(task.group());
            json.key("state").value(task.state().toString());
            json.key("cancel_requests").value(task.cancelRequests());
            json.key("waits_for").value(task.waitsFor());
            id(json.key("waits_for_task_id"), task.waitsForTask());
            json.key("waits_in").value(task.waitsIn());
            json.key("place").value(task.place() == null ? null : task.place().toString());
            stack(json, task.stack()).close('}');
        }
        return json.close(']').close('}').toString();
    }

    private static JsonText id(JsonText json, long id) {
        return id == 0 ? json.value((String) null) : json.value(id);
    }

    private static JsonText stack(JsonText json, List<StackTraceElement> stack) {
        json.key("stack").open('[');
        stack.forEach(frame -> json.value(frame.toString()));
        return json.close(']');
    }
}
