package io.github.uvloop4j.guard;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.guard.Sites.Kind;
import io.github.uvloop4j.guard.Sites.Site;
import io.github.uvloop4j.jfr.FlightRecording;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** What the hooks call, on a guarded thread only: the slow path, some microseconds. */
final class Judge implements ObjIntConsumer<@Nullable Object> {
    private static final String OWN = Judge.class.getPackageName() + ".";

    private final LogBook log = new LogBook();

    @Override
    public void accept(@Nullable Object subject, int id) {
        if (Allowed.here()) {
            return;
        }
        var allowed = Allowed.enter();
        BlockingCallError error;
        try {
            error = judge(subject, Sites.of(id));
        } finally {
            allowed.leave();
        }
        if (error != null) {
            throw error;
        }
    }

    /** Loads what it needs, while nobody is guarded. */
    void warmUp() {
        judge(null, Sites.of(0));
        Found.at(Sites.of(0));
        log.warmUp();
        raised(new Found("", ""), Sites.of(0));
        logged(new Found("", ""), Sites.of(0));
    }

    private @Nullable BlockingCallError judge(@Nullable Object subject, Site site) {
        var blocks = site.blocks();
        if (blocks != null && subject != null && !blocks.test(subject)) {
            return null;
        }
        var open = Scopes.open();
        if (open.isEmpty()) {
            return null;
        }
        var found = Found.at(site);
        if (found == null) {
            return null;
        }
        var loop = LoopContext.current();
        GuardMode strictest = null;
        for (var scope : open) {
            if (scope.covers(loop)) {
                scope.saw(found.call());
                if (strictest == null || scope.mode().compareTo(strictest) < 0) {
                    strictest = scope.mode();
                }
            }
        }
        if (strictest != null && loop != null) {
            FlightRecording.blockingCall(loop, found.call(), found.caller());
        }
        if (strictest == GuardMode.LOG) {
            log.warn(found.caller(), logged(found, site));
        }
        return strictest == GuardMode.RAISE ? error(found, site) : null;
    }

    private static BlockingCallError error(Found found, Site site) {
        var error = new BlockingCallError(found.call(), raised(found, site));
        error.setStackTrace(stack(error));
        return error;
    }

    /** From the method of the JDK on. */
    static StackTraceElement[] stack(Throwable error) {
        return Arrays.stream(error.getStackTrace())
                .dropWhile(frame -> isGuards(frame.getClassName()))
                .toArray(StackTraceElement[]::new);
    }

    /** Whether a class on top of the stack is part of the guard; a test may be in its package. */
    static boolean isGuards(String className) {
        return className.equals(Hook.NAME)
                || className.equals(Judge.class.getName())
                || className.equals(Found.class.getName())
                || className.equals(OWN + "LogBook");
    }

    private static String raised(Found found, Site site) {
        return found.call() + " would block " + whom() + ", called at " + found.caller() + ": " + advice(site);
    }

    private static String logged(Found found, Site site) {
        return found.caller() + ": " + found.call() + " blocks " + whom() + ": " + advice(site);
    }

    private static String whom() {
        var thread = Thread.currentThread();
        return "the loop thread" + (thread.isVirtual() ? " under the task " : " ") + thread.getName();
    }

    private static String advice(Site site) {
        return parks(site.kind()) && !Thread.currentThread().isVirtual()
                ? "call it in a task, which only parks, or by loop.runInExecutor(...)"
                : "call it by loop.runInExecutor(...)";
    }

    private static boolean parks(Kind kind) {
        return kind != Kind.BLOCK && kind != Kind.BLOCK_ON;
    }
}
