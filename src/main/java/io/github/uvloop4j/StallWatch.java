package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.carrier.HelperThreads;
import io.github.uvloop4j.carrier.LoopLog;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sees what keeps loops from going on while it does so. One daemon thread looks at the loops that run; it wakes none of
 * them, and sleeps while none runs. A time in which it was late itself is nobody's fault: the JVM was stopped for the
 * garbage collector, or the machine for others.
 */
final class StallWatch {
    /** So late everybody wakes up. */
    private static final long SLACK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** The JVM's first loop runs in code that is loaded, linked and interpreted meanwhile. */
    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long FIRST_NANOS = System.nanoTime();
    private static final Set<WatchedLoop> LOOPS = ConcurrentHashMap.newKeySet();

    private static final class Holder {
        static final Thread THREAD = started();

        private Holder() {}

        private static Thread started() {
            var thread = HelperThreads.daemon("uvloop4j-watch", StallWatch::watch);
            thread.start();
            return thread;
        }
    }

    /** Whether a debugger may hold threads for as long as it likes. */
    private static final class Debugger {
        static final boolean PRESENT = Stream.concat(
                        Stream.of(ProcessHandle.current().info().arguments().orElse(new String[0])),
                        Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
                                .map(name -> System.getenv().getOrDefault(name, "")))
                .anyMatch(words -> words.toLowerCase(Locale.ROOT).contains("jdwp"));

        private Debugger() {}
    }

    private StallWatch() {}

    /** Watches a loop, whose thread calls this, until {@link #end}. Null when it is not to be watched. */
    static @Nullable WatchedLoop begin(Scheduler scheduler) {
        var limit = scheduler.loop().options().stallLimit();
        if (limit.isZero()) {
            return null;
        }
        var loop = new WatchedLoop(scheduler, limit, Affinity.threadId());
        LOOPS.add(loop);
        LockSupport.unpark(Holder.THREAD);
        return loop;
    }

    static void end(@Nullable WatchedLoop loop) {
        if (loop != null && loop.end()) {
            LOOPS.remove(loop);
        }
    }

    static boolean isWatched(EventLoop loop) {
        return LOOPS.stream().anyMatch(watched -> watched.isOf(loop));
    }

    /** Whether the JVM's first loop began to run only a moment ago. */
    static boolean isCold(long now) {
        return now - FIRST_NANOS < COLD_NANOS;
    }

    private static void watch() {
        if (Debugger.PRESENT) {
            return;
        }
        long last = System.nanoTime();
        while (true) {
            if (LOOPS.isEmpty()) {
                LockSupport.park();
                last = System.nanoTime();
            }
            long tick = tickNanos();
            LockSupport.parkNanos(tick);
            Thread.interrupted();
            long now = System.nanoTime();
            long late = Math.max(0, now - last - tick - SLACK_NANOS);
            last = now;
            LOOPS.removeIf(loop -> !lookAt(loop, now, late));
        }
    }

    /** As often as the loop with the shortest limit needs it. */
    private static long tickNanos() {
        long shortest = WatchedLoop.SLOWEST_TICK;
        for (var loop : LOOPS) {
            shortest = Math.min(shortest, loop.tickNanos());
        }
        return shortest;
    }

    private static boolean lookAt(WatchedLoop loop, long now, long late) {
        try {
            return loop.look(now, late);
        } catch (Throwable broken) {
            LoopLog.error("the watch failed", broken);
            return true;
        }
    }
}
