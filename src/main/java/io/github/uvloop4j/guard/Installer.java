package io.github.uvloop4j.guard;

import io.github.uvloop4j.carrier.HelperThreads;
import io.github.uvloop4j.carrier.RunWatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The hooks are in as long as somebody uses them. They are put in and taken out on a thread of its own, one at a time:
 * a loop thread that waits for it waits for nobody who needs the loop, and a task parks.
 */
final class Installer {
    private static final AtomicInteger USERS = new AtomicInteger();
    private static final Object ONE = new Object();

    private static final Judge JUDGE = new Judge();

    private record Hooks(HookAccess access, Instrumenter instrumenter) {}

    private static @Nullable Hooks hooks;
    private static volatile GuardReport report = new GuardReport(List.of(), List.of(), List.of());

    private Installer() {}

    /** Puts the hooks in, unless they are. */
    static void acquire() {
        if (USERS.getAndUpdate(users -> users > 0 ? users + 1 : 0) > 0) {
            return;
        }
        onHelper(() -> {
            if (USERS.get() == 0) {
                install();
            }
            return USERS.incrementAndGet();
        });
    }

    /** Takes them out if nobody else uses them. */
    static void release() {
        if (USERS.getAndUpdate(users -> users > 1 ? users - 1 : users) > 1) {
            return;
        }
        onHelper(() -> {
            int left = USERS.decrementAndGet();
            if (left == 0) {
                uninstall();
            }
            return left;
        });
    }

    /** Finds or attaches the agent. */
    static void prepare() {
        onHelper(Installer::hooks);
    }

    static GuardReport report() {
        return report;
    }

    private static void install() {
        var hooks = hooks();
        hooks.access.take(JUDGE);
        boolean installed = false;
        try {
            hooks.instrumenter.install();
            installed = true;
        } finally {
            if (!installed) {
                hooks.access.give();
            }
        }
        LoopTable.open(hooks.access);
        report = hooks.instrumenter.report();
    }

    private static void uninstall() {
        var hooks = hooks();
        hooks.instrumenter.uninstall();
        LoopTable.close();
        hooks.access.give();
        report = hooks.instrumenter.report();
    }

    private static Hooks hooks() {
        var known = hooks;
        if (known != null) {
            return known;
        }
        var instrumentation = Attach.instrumentation();
        if (!instrumentation.isRetransformClassesSupported()) {
            throw new GuardUnavailableException("no guard: this JVM cannot change classes that are loaded. "
                    + "The watch, which reports what keeps a loop for long, works without that");
        }
        JUDGE.warmUp();
        var made = new Hooks(HookAccess.open(instrumentation), new Instrumenter(instrumentation, Sites.byClass()));
        RunWatch.listen(LoopTable::refresh);
        hooks = made;
        return made;
    }

    /** The caller may be guarded by another scope, and waits on purpose. */
    private static <T> void onHelper(Supplier<T> action) {
        var done = new CompletableFuture<T>();
        HelperThreads.daemon("uvloop4j-guard", () -> {
                    synchronized (ONE) {
                        try {
                            done.complete(action.get());
                        } catch (Throwable error) {
                            done.completeExceptionally(error);
                        }
                    }
                })
                .start();
        try {
            Guard.allowing(() -> {
                done.join();
            });
        } catch (CompletionException e) {
            if (e.getCause() instanceof GuardUnavailableException unavailable) {
                throw new GuardUnavailableException(String.valueOf(unavailable.getMessage()));
            }
            throw e;
        }
    }
}
