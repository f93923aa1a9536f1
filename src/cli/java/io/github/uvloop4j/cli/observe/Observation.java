package io.github.uvloop4j.cli.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What was seen of a JVM. Immutable. Any thread.
 *
 * @param source where it comes from, for people
 * @param begin the time of the first event
 * @param end the time of the last
 * @param loops its loops, in the order of their making
 * @param pauses times in which it stood still for the garbage collector
 * @param cpuLoads how busy the machine was
 * @param jvm the JVM's name and version; empty if unknown
 * @param unassigned what tasks were seen doing that could belong to several loops, since those have the same name
 * @param notes what is missing in it, and why
 */
public record Observation(
        String source,
        Instant begin,
        Instant end,
        List<LoopReport> loops,
        List<Pause> pauses,
        List<CpuLoad> cpuLoads,
        String jvm,
        Activity unassigned,
        List<String> notes) {
    /** Copies the lists. */
    public Observation {
        loops = List.copyOf(loops);
        pauses = List.copyOf(pauses);
        cpuLoads = List.copyOf(cpuLoads);
        notes = List.copyOf(notes);
    }

    /** How long it is. */
    public double seconds() {
        return Math.max(0, Duration.between(begin, end).toNanos() / 1e9);
    }

    /** The same with another note. */
    public Observation note(String note) {
        var more = new java.util.ArrayList<>(notes);
        more.add(note);
        return new Observation(source, begin, end, loops, pauses, cpuLoads, jvm, unassigned, more);
    }

    /** The loops that ran when they were seen last. */
    public List<LoopReport> running() {
        return loops.stream().filter(LoopReport::runs).toList();
    }
}
