package io.github.uvloop4j.cli.observe;

import java.util.List;

/**
 * What threads were seen doing when the recorder looked at them.
 *
 * @param samples how often it saw them run Java code
 * @param frames the innermost frames of the program itself, the most frequent first
 * @param innermost the innermost frames of all, the most frequent first
 */
public record Activity(long samples, List<Share> frames, List<Share> innermost) {
    /** Nobody was seen. */
    public static final Activity NONE = new Activity(0, List.of(), List.of());

    /** Copies the lists. */
    public Activity {
        frames = List.copyOf(frames);
        innermost = List.copyOf(innermost);
    }
}
