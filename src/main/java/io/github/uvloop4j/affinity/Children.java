package io.github.uvloop4j.affinity;

import java.util.HashSet;
import java.util.Set;

/**
 * The processes that pinned threads have started, and theirs. Each is looked at once, when it is seen first: what it
 * does with its CPUs later is its own affair. Sweeper's thread only.
 */
final class Children {
    /** So many looks at the threads of a process that may start others meanwhile. */
    private static final int LOOKS = 3;

    private static final int MOST_PROCESSES = 10_000;

    private final Binder binder;
    private final Set<Integer> seen = new HashSet<>();

    Children(Binder binder) {
        this.binder = binder;
    }

    /** Gives new children of some threads the initial CPUs if they have one of some sets; whether any had. */
    boolean look(Set<CpuSet> sets, Set<Integer> parents) {
        boolean found = false;
        var present = new HashSet<Integer>();
        for (int tid : parents) {
            for (int child : ProcTasks.children(tid)) {
                present.add(child);
                if (seen.add(child)) {
                    found |= release(child, sets, new HashSet<>());
                }
            }
        }
        seen.retainAll(present);
        return found;
    }

    private boolean release(int pid, Set<CpuSet> sets, Set<Integer> visited) {
        if (!visited.add(pid) || visited.size() > MOST_PROCESSES) {
            return false;
        }
        boolean found = false;
        for (int look = 0; look < LOOKS && releaseThreads(pid, sets); look++) {
            found = true;
        }
        // Now that its threads are released, those that it starts from here on are as well.
        for (int tid : ProcTasks.threads(pid)) {
            for (int child : ProcTasks.children(pid, tid)) {
                found |= release(child, sets, visited);
            }
        }
        return found;
    }

    private boolean releaseThreads(int pid, Set<CpuSet> sets) {
        boolean found = false;
        for (int tid : ProcTasks.threads(pid)) {
            if (binder.hasOneOf(tid, sets)) {
                found |= binder.masks().trySet(tid, binder.initial()) >= 0;
            }
        }
        return found;
    }
}
