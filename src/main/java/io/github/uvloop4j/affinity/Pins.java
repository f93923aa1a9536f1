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

    /** Sets that threads were pinned to, and that others may still have from them. */
    private final Set<CpuSet> former = new HashSet<>();

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
            former.add(old.cpus);
        }
    }

    /** A thread has none of its own any more. */
    synchronized void remove(int tid) {
        var old = pins.remove(tid);
        if (old != null) {
            former.add(old.cpus);
        }
    }

    /** What a thread is pinned to, or null. */
    synchronized @Nullable CpuSet of(int tid) {
        var pin = pins.get(tid);
        return pin == null || pin.isOver(tid) ? null : pin.cpus;
    }

    /** Drops threads that have ended. */
    synchronized void prune() {
        for (Iterator<Map.Entry<Integer, Pin>> each = pins.entrySet().iterator(); each.hasNext(); ) {
            var entry = each.next();
            if (entry.getValue().isOver(entry.getKey())) {
                former.add(entry.getValue().cpus);
                each.remove();
            }
        }
    }

    /** The threads that are pinned. */
    synchronized Set<Integer> threads() {
        return Set.copyOf(pins.keySet());
    }

    /** The sets that threads are pinned to, or were. */
    synchronized Set<CpuSet> sets() {
        var sets = new HashSet<>(former);
        pins.values().forEach(pin -> sets.add(pin.cpus));
        return sets;
    }

    /** Nobody has one of these sets from a thread that was pinned before. */
    synchronized void forget(Set<CpuSet> sets) {
        former.removeAll(sets);
    }

    synchronized boolean isEmpty() {
        return pins.isEmpty() && former.isEmpty();
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
