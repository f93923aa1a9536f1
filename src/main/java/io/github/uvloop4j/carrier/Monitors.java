package io.github.uvloop4j.carrier;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * The monitors that a thread is in. It must be in none while it carries tasks: the JVM takes those on its lock stack
 * for the task's own, so that a task which parks takes them along, and they are held by nobody or never left again.
 */
public final class Monitors {
    private static final @Nullable StackWalker WALKER;
    private static final @Nullable MethodHandle MONITORS;

    static {
        StackWalker walker = null;
        MethodHandle monitors = null;
        try {
            var type = Class.forName("java.lang.LiveStackFrame");
            var factory = type.getDeclaredMethod("getStackWalker");
            var accessor = type.getDeclaredMethod("getMonitors");
            factory.setAccessible(true);
            accessor.setAccessible(true);
            walker = (StackWalker) factory.invoke(null);
            monitors = MethodHandles.lookup().unreflect(accessor);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // A JDK without it, or java.lang is closed to us and tasks ride on the baton: nothing is asked then.
        }
        WALKER = walker;
        MONITORS = monitors;
    }

    private Monitors() {}

    /** A monitor that the calling thread is in, or null. Any thread. Takes some ten microseconds. */
    public static @Nullable Object held() {
        var walker = WALKER;
        if (walker == null) {
            return null;
        }
        return walker.walk(frames -> frames.map(Monitors::of)
                .filter(monitor -> monitor != null)
                .findFirst()
                .orElse(null));
    }

    private static @Nullable Object of(StackWalker.StackFrame frame) {
        var accessor = MONITORS;
        if (accessor == null) {
            return null;
        }
        try {
            var monitors = (Object[]) accessor.invoke(frame);
            return monitors.length == 0 ? null : monitors[0];
        } catch (Throwable broken) {
            return null;
        }
    }
}
