package io.github.uvloop4j.guard;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.guard.Sites.Kind;
import io.github.uvloop4j.guard.Sites.Site;
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
        message(new Found("", ""), Sites.of(0));
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
        if (strictest == GuardMode.LOG) {
            log.warn(found, message(found, site));
        }
        return strictest == GuardMode.RAISE ? error(found, site) : null;
    }

    private static BlockingCallError error(Found found, Site site) {
        var error = new BlockingCallError(found.call(), message(found, site));
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

    private static String message(Found found, Site site) {
        boolean task = Thread.currentThread().isVirtual();
        return found.call() + " would block the loop thread" + (task ? " under the task " : " ")
                + Thread.currentThread().getName() + ", called at " + found.caller() + ": "
                + (parks(site.kind()) && !task
                        ? "call it in a task, which only parks, or by loop.runInExecutor(...)"
                        : "call it by loop.runInExecutor(...)");
    }

    private static boolean parks(Kind kind) {
        return kind != Kind.BLOCK && kind != Kind.BLOCK_ON;
    }
}
