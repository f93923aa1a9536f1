package io.github.uvloop4j.cli.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a loop. Immutable. Any thread.
 *
 * @param identity which loop
 * @param snapshots its numbers, the oldest first; the first is blank where the loop was made meanwhile
 * @param closed whether it was closed
 * @param stalls what kept it, the oldest first
 * @param turns turns that were long, the oldest first
 * @param oversleeps polls that outlasted their limit, the oldest first
 * @param waits what held up its thread, or tasks in a way that holds up the thread
 * @param tasks how its tasks ended, by name
 * @param lookups slow look-ups of host names
 * @param blockingCalls what the guard has found
 * @param lost why connections ended that neither side closed, the most frequent first
 * @param activity what its thread and tasks were seen doing
 * @param schedule what the kernel says of its thread, or null
 * @param stuckAt where its thread is though it makes no turns, innermost first; empty where that is not so
 */
public record LoopReport(
        Identity identity,
        List<LoopSnapshot> snapshots,
        boolean closed,
        List<Stall> stalls,
        List<Turn> turns,
        List<Oversleep> oversleeps,
        List<Wait> waits,
        List<TaskOutcomes> tasks,
        List<Lookup> lookups,
        List<BlockingCall> blockingCalls,
        List<Share> lost,
        Activity activity,
        @Nullable Schedule schedule,
        List<String> stuckAt) {
    /**
     * Which loop.
     *
     * @param name its name
     * @param id its number in its JVM
     * @param label its name, with the number where others have the same name
     * @param cpus the CPUs its thread may run on, such as {@code 0-3}; empty if unknown
     * @param tasksRide {@code carrier}, {@code baton}, or empty if unknown
     * @param thread the name of its thread; empty if none runs it
     * @param threadId the kernel's number of that; 0 if unknown
     */
    public record Identity(
            String name, long id, String label, String cpus, String tasksRide, String thread, long threadId) {
        /** The same loop, told from others of its name. */
        Identity numbered() {
            return new Identity(name, id, name + " #" + id, cpus, tasksRide, thread, threadId);
        }
    }

    /**
     * What the kernel says of a thread.
     *
     * @param seconds in how much time
     * @param ranSeconds how long it ran on a CPU
     * @param waitedSeconds how long it wanted to run and had none
     */
    public record Schedule(double seconds, double ranSeconds, double waitedSeconds) {}

    /** Copies the lists. */
    public LoopReport {
        snapshots = List.copyOf(snapshots);
        stalls = List.copyOf(stalls);
        turns = List.copyOf(turns);
        oversleeps = List.copyOf(oversleeps);
        waits = List.copyOf(waits);
        tasks = List.copyOf(tasks);
        lookups = List.copyOf(lookups);
        blockingCalls = List.copyOf(blockingCalls);
        lost = List.copyOf(lost);
        stuckAt = List.copyOf(stuckAt);
    }

    /** What people call it. */
    public String label() {
        return identity.label();
    }

    /** Its last numbers. */
    public Optional<LoopSnapshot> last() {
        return snapshots.isEmpty() ? Optional.empty() : Optional.of(snapshots.getLast());
    }

    /** Whether it ran when it was seen last. */
    public boolean runs() {
        return !closed && last().map(LoopSnapshot::running).orElse(false);
    }

    /** From the first numbers to the last; empty where there is nothing between. */
    public Optional<Span> whole() {
        return snapshots.size() < 2
                ? Optional.empty()
                : Optional.of(new Span(snapshots.getFirst(), snapshots.getLast()));
    }

    /** From each numbers to the next. */
    public List<Span> spans() {
        var spans = new ArrayList<Span>();
        for (var i = 1; i < snapshots.size(); i++) {
            spans.add(new Span(snapshots.get(i - 1), snapshots.get(i)));
        }
        return spans;
    }

    /** The same under another identity. */
    LoopReport labelled(Identity other) {
        return new LoopReport(
                other,
                snapshots,
                closed,
                stalls,
                turns,
                oversleeps,
                waits,
                tasks,
                lookups,
                blockingCalls,
                lost,
                activity,
                schedule,
                stuckAt);
    }
}
