package io.github.uvloop4j.affinity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which threads are pinned, and to what. Whoever changes the CPUs of a thread holds this object's monitor, so that no
 * thread is found unpinned between two steps; nothing in it blocks. Any thread.
 */
final class Pins {
    private final Map<Integer, Pin> pins = new HashMap<>();

    /** Threads that were pinned, and what others may still have from them. */
    private final Set<Former> former = new HashSet<>();

    /** A thread that was pinned to a set. */
    record Former(int tid, CpuSet cpus) {}

    /** What was found pinned: threads that may have passed on what they are or were pinned to. */
    record View(Set<Integer> threads, Set<CpuSet> sets, Set<Former> former) {}

    private record Pin(Thread thread, long started, CpuSet cpus) {
        /** A thread that came from native code lives on as a native thread, with its CPUs, once it is detached. */
        boolean isOver(int tid) {
            return !thread.isAlive() && (started < 0 || startOf(tid) != started);
        }
    }

    /** The calling thread has CPUs of its own. */
    synchronized void add(int tid, CpuSet cpus) {
        var old = pins.put(tid, new Pin(Thread.currentThread(), startOf(tid), cpus));
        if (old != null && !old.cpus.equals(cpus)) {
            former.add(new Former(tid, old.cpus));
        }
    }

    /** A thread has none of its own any more. */
    synchronized void remove(int tid) {
        var old = pins.remove(tid);
        if (old != null) {
            former.add(new Former(tid, old.cpus));
        }
    }

    /** What a thread is pinned to, or null. */
    synchronized @Nullable CpuSet of(int tid) {
        var pin = pins.get(tid);
        return pin == null || pin.isOver(tid) ? null : pin.cpus;
    }

    /** Drops threads that have ended, and tells what is left. */
    synchronized View view() {
        for (Iterator<Map.Entry<Integer, Pin>> each = pins.entrySet().iterator(); each.hasNext(); ) {
            var entry = each.next();
            if (entry.getValue().isOver(entry.getKey())) {
                former.add(new Former(entry.getKey(), entry.getValue().cpus));
                each.remove();
            }
        }
        var threads = new HashSet<>(pins.keySet());
        var sets = new HashSet<CpuSet>();
        pins.values().forEach(pin -> sets.add(pin.cpus));
        for (var thread : former) {
            threads.add(thread.tid);
            sets.add(thread.cpus);
        }
        return new View(threads, sets, Set.copyOf(former));
    }

    /** Whether threads are or were pinned to a set. */
    synchronized boolean knows(CpuSet cpus) {
        return pins.values().stream().anyMatch(pin -> pin.cpus.equals(cpus))
                || former.stream().anyMatch(thread -> thread.cpus.equals(cpus));
    }

    /** Nobody has anything from these threads, which were pinned before. */
    synchronized void forget(Set<Former> threads) {
        former.removeAll(threads);
    }

    /** When a thread of this process started, in ticks since the machine did; -1 when it has ended. */
    static long startOf(int tid) {
        try {
            var stat = Files.readString(Path.of("/proc/self/task/" + tid + "/stat"), StandardCharsets.ISO_8859_1);
            // The name, which may hold anything, ends at the last parenthesis; the state is field 3.
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[22 - 3]);
        } catch (IOException | RuntimeException gone) {
            return -1;
        }
    }
}
