package io.github.uvloop4j.concurrent;

import java.util.List;

/**
 * What the tasks of a group failed with, together: the first failure is the cause, the others are suppressed ones.
 */
public final class TaskGroupException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Throwable> failures;

    TaskGroupException(String group, List<Throwable> failures) {
        super(describe(group, failures), failures.getFirst());
        this.failures = List.copyOf(failures);
        for (var other : failures.subList(1, failures.size())) {
            addSuppressed(other);
        }
    }

    private static String describe(String group, List<Throwable> failures) {
        int count = failures.size();
        return "group " + group + ": " + (count == 1 ? "a task failed" : count + " tasks failed, the first") + " with "
                + failures.getFirst();
    }

    /** All failures, in the order in which they happened; at least one. */
    public List<Throwable> failures() {
        return failures;
    }

    /** The failure that came first. */
    public Throwable first() {
        return failures.getFirst();
    }
}
