package io.github.uvloop4j.concurrent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What failed in a group: each failure once, the first one first. */
final class GroupFailures {
    private final List<Throwable> failures = new ArrayList<>();
    private @Nullable TaskGroupException thrown;

    void add(Throwable error) {
        failures.add(error);
    }

    List<Throwable> list() {
        return List.copyOf(failures);
    }

    /** Whether it is known: a body that awaits a child, or joins, throws what is among the failures already. */
    boolean contain(Throwable error) {
        if (error == thrown) {
            return true;
        }
        for (var seen : failures) {
            if (seen == error) {
                return true;
            }
        }
        return false;
    }

    /** All of them as the exception that the group throws, or null when nothing failed. */
    @Nullable
    TaskGroupException thrownBy(String group) {
        if (!failures.isEmpty()) {
            thrown = new TaskGroupException(group, failures);
        }
        return thrown;
    }

    /** The failures among what a cancel suppresses, directly or through its causes and other cancels. */
    static List<Throwable> carriedBy(Throwable cancellation) {
        var carried = new ArrayList<Throwable>();
        collect(cancellation, carried);
        return carried;
    }

    private static void collect(Throwable cancellation, List<Throwable> carried) {
        var cause = cancellation.getCause();
        if (cause != null && Interrupts.isCancel(cause)) {
            collect(cause, carried);
        }
        for (var error : cancellation.getSuppressed()) {
            if (Interrupts.isCancel(error)) {
                collect(error, carried);
            } else {
                carried.add(error);
            }
        }
    }
}
