package io.github.uvloop4j.guard;

import java.util.List;

/**
 * Which methods of the JDK a guard is in.
 *
 * @param hooked those that carry a hook now, as class and method; empty when no guard is open
 * @param missing those that this JDK does not have, or not with code
 * @param failed classes that could not be changed, each with the reason; their calls go unseen
 */
public record GuardReport(List<String> hooked, List<String> missing, List<String> failed) {
    /** Copies the lists. */
    public GuardReport {
        hooked = List.copyOf(hooked);
        missing = List.copyOf(missing);
        failed = List.copyOf(failed);
    }
}
