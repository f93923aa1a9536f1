package io.github.uvloop4j.carrier;

import io.github.uvloop4j.concurrent.Task;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A task that waits where its thread cannot be taken off the loop thread: in a class initialiser, or below a native
 * frame. Its loop stands still meanwhile, and what it waits for often needs the loop.
 */
final class PinnedWait {
    private static final String INITIALISER = "<clinit>";

    /** Where native code has called Java: an exception that got there would end the JVM. */
    private static final String UPCALL = "jdk.internal.foreign.abi.Upcall";

    /**
     * What pins: the class that is being initialised, or null for a native frame.
     *
     * @param parked by {@link Task#park}, whose callers know one exception only: that of a cancel
     */
    private record Place(@Nullable String initialised, boolean belowUpcall, boolean parked) {
        String where() {
            return initialised == null ? "below a native frame" : "in the class initialiser of " + initialised;
        }
    }

    private PinnedWait() {}

    /**
     * Ends the calling task's own await by an exception if its stack allows that, and says where it is. Does nothing
     * when the task is not pinned: what it was told is about an await that is over.
     */
    static void end(String task, boolean first) {
        var place = here();
        if (place == null) {
            return;
        }
        var text = "task " + task + " awaits " + place.where()
                + ", where it cannot be parked: it blocks its loop. Move the await out of there";
        var error = place.parked ? new CancellationException(text) : new IllegalStateException(text);
        if (place.belowUpcall) {
            if (first) {
                LoopLog.error("the loop stands still until a pinned await is over", error);
            }
            return;
        }
        LoopLog.error("a pinned await is given up after a second", error);
        throw error;
    }

    /** Whether a thread stands in an await of ours rather than in a call of the JDK. Any thread. */
    static boolean isAwait(Thread thread) {
        for (var frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(LoopTask.class.getName())) {
                return frame.getMethodName().equals("suspend");
            }
            if (!frame.getClassName().startsWith("java.")
                    && !frame.getClassName().startsWith("jdk.")) {
                return false;
            }
        }
        return false;
    }

    /** Says that a task is blocked in a call of the JDK. Any thread. */
    static void tell(String task, Thread thread) {
        var stack = thread.getStackTrace();
        var where = new Throwable("task " + task + " waits here");
        where.setStackTrace(stack);
        LoopLog.error(
                "task " + task + " has been blocked for a second " + of(stack).where()
                        + ", where it cannot be parked: its loop stands still",
                where);
    }

    private static Place of(StackTraceElement[] stack) {
        for (var frame : stack) {
            if (frame.getMethodName().equals(INITIALISER)) {
                return new Place(frame.getClassName(), false, false);
            }
        }
        return new Place(null, false, false);
    }

    private static @Nullable Place here() {
        var walker = StackWalker.getInstance(Set.of(StackWalker.Option.SHOW_HIDDEN_FRAMES));
        return walker.walk(frames -> of(frames.toList()));
    }

    private static @Nullable Place of(List<StackWalker.StackFrame> frames) {
        boolean parked = frames.stream()
                .anyMatch(frame -> frame.getMethodName().equals("park")
                        && frame.getClassName().startsWith(Task.class.getPackageName()));
        boolean belowUpcall = frames.stream().anyMatch(PinnedWait::isUpcall);
        for (var frame : frames) {
            if (isUpcall(frame) || frame.isNativeMethod()) {
                return new Place(null, belowUpcall, parked);
            }
            if (frame.getMethodName().equals(INITIALISER)) {
                return new Place(frame.getClassName(), belowUpcall, parked);
            }
        }
        return null;
    }

    private static boolean isUpcall(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith(UPCALL);
    }
}
