package io.github.uvloop4j.guard;

import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** The hook class of this JVM, seen from here: its table of threads and its judge. */
final class HookAccess {
    private final MethodHandle setThreads;
    private final Class<?> type;

    private HookAccess(Class<?> type) throws ReflectiveOperationException {
        this.type = type;
        this.setThreads = MethodHandles.publicLookup().findStaticSetter(type, Hook.THREADS, Thread[].class);
    }

    /** Finds the class, or defines it: once for each JVM. */
    static HookAccess open(Instrumentation instrumentation) {
        try {
            return new HookAccess(type(instrumentation));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new GuardUnavailableException("no guard: this JDK does not take the hook class: " + e
                    + ". The watch, which reports what keeps a loop for long, works without it");
        }
    }

    private static Class<?> type(Instrumentation instrumentation) throws ReflectiveOperationException {
        try {
            return Class.forName(Hook.NAME, true, null);
        } catch (ClassNotFoundException first) {
            var own = HookAccess.class.getModule();
            instrumentation.redefineModule(
                    Object.class.getModule(), Set.of(), Map.of(), Map.of("java.lang", Set.of(own)), Set.of(), Map.of());
            return MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup())
                    .defineClass(Hook.bytes());
        }
    }

    /** Makes a judge the one that the hooks call, until it is given back. */
    void take(ObjIntConsumer<@Nullable Object> judge) {
        synchronized (type) {
            var other = judge();
            if (other != null && other != judge) {
                throw new GuardUnavailableException(
                        "no guard: another copy of this library, in another class loader, " + "has one open");
            }
            judge(judge);
        }
    }

    /** Undoes {@link #take}, once the hooks are out. */
    void give() {
        synchronized (type) {
            judge(null);
        }
    }

    private @Nullable Object judge() {
        try {
            return type.getField(Hook.HANDLER).get(null);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError(impossible.toString(), impossible);
        }
    }

    private void judge(@Nullable Object judge) {
        try {
            type.getField(Hook.HANDLER).set(null, judge);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError(impossible.toString(), impossible);
        }
    }

    /** Guards these threads and no others. Any thread. */
    void guard(Set<Thread> threads) {
        try {
            setThreads.invokeExact(table(threads));
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** As the hooks search it: by the thread's number, the next slot when that is taken, at least a quarter empty. */
    private static @Nullable Thread[] table(Set<Thread> threads) {
        int size = Integer.highestOneBit(Math.max(1, threads.size() * 4 - 1)) * 2;
        var table = new @Nullable Thread[threads.isEmpty() ? 1 : size];
        for (var thread : threads) {
            int slot = (int) thread.threadId() & (size - 1);
            while (table[slot] != null) {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = thread;
        }
        return table;
    }
}
