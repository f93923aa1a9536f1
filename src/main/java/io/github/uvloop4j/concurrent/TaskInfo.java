package io.github.uvloop4j.concurrent;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was to be seen of a task at a moment.
 *
 * @param id its number, unique in the JVM and growing
 * @param name its name
 * @param depth how many of its ancestors had not ended, from the nearest one on without a gap
 * @param parentId the task that spawned it, or 0 when a callback or another thread did
 * @param parentName the parent's name, or null when it has none
 * @param group the group that it belongs to, or null
 * @param state what it did
 * @param cancelRequests how many requests to end were open
 * @param waitsFor the future or task that it awaited, or null when it waited for something else or for nothing
 * @param waitsForTask the id of the task that it awaited, or 0
 * @param waitsIn the call of this library or of the JDK in which it waited, like {@code Semaphore.acquire}, or null
 * @param place the place in the user's code that it had reached, or null when there was none or it was not looked for
 * @param stack its frames, the innermost first; empty while it was new, perhaps inexact while it was running
 */
public record TaskInfo(
        long id,
        String name,
        int depth,
        long parentId,
        @Nullable String parentName,
        @Nullable String group,
        State state,
        int cancelRequests,
        @Nullable String waitsFor,
        long waitsForTask,
        @Nullable String waitsIn,
        @Nullable StackTraceElement place,
        List<StackTraceElement> stack) {
    /** What a task does. */
    public enum State {
        /** It has not begun. */
        NEW,
        /** It can go on and waits for its turn. */
        RUNNABLE,
        /** It runs. */
        RUNNING,
        /** It is parked, by an await or in a call of the JDK. */
        WAITING;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the stack. */
    public TaskInfo {
        stack = List.copyOf(stack);
    }

    /** Whether it had a parent that had ended. */
    public boolean isOrphan() {
        return parentId != 0 && depth == 0;
    }

    TaskInfo atDepth(int value) {
        return new TaskInfo(
                id,
                name,
                value,
                parentId,
                parentName,
                group,
                state,
                cancelRequests,
                waitsFor,
                waitsForTask,
                waitsIn,
                place,
                stack);
    }

    /** One line: all but the stack. */
    @Override
    public String toString() {
        var text = new StringBuilder("#")
                .append(id)
                .append(' ')
                .append(name)
                .append(" [")
                .append(state);
        if (cancelRequests > 0) {
            text.append(", cancelling").append(cancelRequests == 1 ? "" : " x" + cancelRequests);
        }
        text.append(']');
        if (group != null) {
            text.append(" of ").append(group);
        }
        if (waitsFor != null) {
            text.append(" for ").append(waitsFor);
        }
        if (waitsIn != null) {
            text.append(" in ").append(waitsIn);
        }
        if (place != null) {
            text.append(" at ").append(place);
        }
        if (isOrphan()) {
            text.append(" (spawned by #")
                    .append(parentId)
                    .append(' ')
                    .append(parentName)
                    .append(", which has ended)");
        }
        return text.toString();
    }
}
