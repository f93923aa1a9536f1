package io.github.uvloop4j.sync;

import io.github.uvloop4j.concurrent.Task;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells locks that others wait for when their owner ends without a release. A callback cannot be taken back from a
 * task, so that each task has one for all its locks, and a lock that is released is forgotten at once.
 */
final class Owners {
    /** The sets are touched by the loop of their task only. */
    private static final ConcurrentHashMap<Task<?>, Set<Lock>> WATCHED = new ConcurrentHashMap<>();

    private Owners() {}

    static void watch(Task<?> owner, Lock lock) {
        var locks = WATCHED.get(owner);
        if (locks == null) {
            locks = new HashSet<>();
            WATCHED.put(owner, locks);
            owner.onDone(() -> ended(owner));
        }
        locks.add(lock);
    }

    static void unwatch(Task<?> owner, Lock lock) {
        var locks = WATCHED.get(owner);
        if (locks != null) {
            locks.remove(lock);
        }
    }

    private static void ended(Task<?> owner) {
        var locks = WATCHED.remove(owner);
        if (locks != null) {
            locks.forEach(Lock::ownerEnded);
        }
    }

    /** How many tasks it knows. Any thread. */
    static int size() {
        return WATCHED.size();
    }
}
