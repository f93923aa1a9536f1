package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskDump;
import io.github.uvloop4j.concurrent.TaskInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tasks that nobody has waited for when their loop is closed, as they were before that cancelled them. */
final class LeftTasks {
    /** Of so many the stacks are taken. */
    private static final int MOST_STACKS = 100;

    private final String loop;
    private final List<Task<?>> tasks;
    private final Map<Long, TaskInfo> seen = new HashMap<>();

    /** Looks at the tasks of a loop. Those that were cancelled already are on their way. Loop thread only. */
    LeftTasks(Scheduler scheduler) {
        this.loop = scheduler.loop().options().name();
        this.tasks = scheduler.tasks().live().stream()
                .filter(task -> task.cancelling() == 0)
                .toList();
        int stacks = Math.min(tasks.size(), MOST_STACKS);
        look(tasks.subList(0, stacks), Integer.MAX_VALUE);
        look(tasks.subList(stacks, tasks.size()), 0);
    }

    private void look(List<Task<?>> some, int frames) {
        TaskDump.of(loop, null, some, frames).tasks().forEach(info -> seen.put(info.id(), info));
    }

    /** Logs those that waited or had not begun, and those that could go on but did not get to their end. */
    void tell() {
        var left = new Leftovers(loop);
        for (var task : tasks) {
            var info = seen.get(task.id());
            if (info != null && (task.isCancelled() || waited(info))) {
                left.add(describe(task, info), task.creation(), where(task, info));
            }
        }
        left.tell();
    }

    private static boolean waited(TaskInfo info) {
        return info.state() == TaskInfo.State.WAITING || info.state() == TaskInfo.State.NEW;
    }

    private static String describe(Task<?> task, TaskInfo info) {
        var text = new StringBuilder(
                info.state() == TaskInfo.State.NEW ? "unstarted" : info.state().toString());
        text.append(": task ").append(task.name());
        if (info.waitsIn() != null) {
            text.append(" in ").append(info.waitsIn());
        }
        if (info.place() != null) {
            text.append(" at ").append(info.place());
        }
        return text.toString();
    }

    private static @Nullable Throwable where(Task<?> task, TaskInfo info) {
        if (info.stack().isEmpty()) {
            return task.creation();
        }
        var where = new Throwable("it was here", task.creation());
        where.setStackTrace(info.stack().toArray(StackTraceElement[]::new));
        return where;
    }
}
