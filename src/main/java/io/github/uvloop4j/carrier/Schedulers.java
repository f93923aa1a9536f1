package io.github.uvloop4j.carrier;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads whose scheduler is ours. The JDK has the constructor but does not export it, so that it is asked for
 * at start-up and done without where {@code java.lang} is not opened to us.
 */
public final class Schedulers {
    private static final @Nullable MethodHandle CONSTRUCTOR;
    private static final Executor STANDARD;
    private static final String REASON;

    static {
        MethodHandle constructor = null;
        Executor standard = step -> {
            throw new IllegalStateException("no virtual thread has a scheduler of ours");
        };
        var reason = "";
        try {
            var type = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
            var declared = type.getDeclaredConstructor(Executor.class);
            declared.setAccessible(true);
            var scheduler = Class.forName("java.lang.VirtualThread").getDeclaredMethod("defaultScheduler");
            scheduler.setAccessible(true);
            standard = (Executor) scheduler.invoke(null);
            constructor = MethodHandles.lookup().unreflectConstructor(declared);
        } catch (ReflectiveOperationException e) {
            reason = "this JDK has no such constructor or scheduler: " + e;
        } catch (RuntimeException e) {
            reason = "start java with " + flag();
        }
        CONSTRUCTOR = constructor;
        STANDARD = standard;
        REASON = reason;
    }

    private Schedulers() {}

    /** Whether tasks can ride on the loop thread. Any thread. */
    public static boolean available() {
        return CONSTRUCTOR != null;
    }

    /** Why they cannot, with the flag that would change it; empty when they can. Any thread. */
    public static String reason() {
        return REASON;
    }

    /** The flag of the JVM that lets tasks ride on the loop thread. Any thread. */
    public static String flag() {
        var module = Schedulers.class.getModule();
        return "--add-opens=java.base/java.lang=" + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }

    /** The JVM's scheduler of virtual threads. */
    static Executor standard() {
        return STANDARD;
    }

    static Thread.Builder.OfVirtual builder(Executor scheduler) {
        var constructor = CONSTRUCTOR;
        if (constructor == null) {
            throw new IllegalStateException("tasks cannot ride on the loop thread: " + REASON);
        }
        try {
            return (Thread.Builder.OfVirtual) constructor.invoke(scheduler);
        } catch (Throwable e) {
            throw new IllegalStateException("the virtual thread's constructor failed", e);
        }
    }
}
