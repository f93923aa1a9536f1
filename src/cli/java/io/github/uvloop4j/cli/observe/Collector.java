package io.github.uvloop4j.cli.observe;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * Makes an {@link Observation} of events in any order. It keeps so many entries of each list, the newest, and forgets
 * who ran what only when too much waits for the loop that it belongs to. One thread at a time.
 */
public final class Collector {
    private static final int PENDING = 20_000;
    private static final Map<String, Wait.Kind> WAITS = waits();

    private final int keep;
    private final Map<Long, LoopLog> loops = new TreeMap<>();
    private final Map<Long, Long> loopOfThread = new HashMap<>();
    private final Deque<Pending> pending = new ArrayDeque<>();
    private final Deque<Pause> pauses = new ArrayDeque<>();
    private final Deque<CpuLoad> cpuLoads = new ArrayDeque<>();
    private final List<String> notes = new ArrayList<>();
    private String jvm = "";
    private long lostBytes;
    private @Nullable Instant begin;
    private @Nullable Instant end;

    /** Something that a thread did, whose loop is not known yet; a wait, or a sample when there is none. */
    private record Pending(
            Instant at,
            long thread,
            String name,
            boolean virtual,
            String frame,
            String innermost,
            @Nullable Wait held) {}

    /** A collector that keeps so many entries of each list. */
    public Collector(int keep) {
        this.keep = keep;
    }

    /** The JVM's own events that it wants. */
    static List<String> jdkEvents() {
        var names = new ArrayList<>(WAITS.keySet());
        names.addAll(List.of("jdk.ExecutionSample", "jdk.GCPhasePause", "jdk.CPULoad", "jdk.JVMInformation"));
        return names;
    }

    /** Those of them that tell of waits. */
    static List<String> waitEvents() {
        return List.copyOf(WAITS.keySet());
    }

    private static Map<String, Wait.Kind> waits() {
        var kinds = new HashMap<String, Wait.Kind>();
        for (var kind : Wait.Kind.values()) {
            kinds.put(kind.event(), kind);
        }
        return Map.copyOf(kinds);
    }

    /** Takes an event; one that it does not know changes nothing. */
    public void accept(RecordedEvent event) {
        var fields = new Fields(event);
        var name = fields.name();
        var wait = WAITS.get(name);
        if (wait != null) {
            wait(wait, fields);
        } else if (event.hasField("loopId")) {
            LoopEvents.take(name, fields, loop(fields), this);
        } else {
            switch (name) {
                case "jdk.ExecutionSample" -> sample(fields);
                case "jdk.GCPhasePause" -> keep(pauses, new Pause(fields.begin(), fields.nanos(), fields.text("name")));
                case "jdk.CPULoad" ->
                    keep(
                            cpuLoads,
                            new CpuLoad(
                                    fields.begin(),
                                    fields.share("jvmUser") + fields.share("jvmSystem"),
                                    fields.share("machineTotal")));
                case "jdk.JVMInformation" -> jvm = fields.text("jvmVersion").replaceFirst(" for .*", "");
                case "jdk.DataLoss" -> lostBytes += fields.number("amount");
                default -> {
                    return;
                }
            }
        }
        saw(fields.begin());
        saw(fields.end());
    }

    private void saw(Instant moment) {
        begin = begin == null || moment.isBefore(begin) ? moment : begin;
        end = end == null || moment.isAfter(end) ? moment : end;
    }

    private LoopLog loop(Fields fields) {
        return loops.computeIfAbsent(fields.number("loopId"), id -> new LoopLog(keep, fields.text("loop"), id));
    }

    /** The thread that runs a loop. */
    void runs(@Nullable RecordedThread thread, LoopLog loop) {
        if (thread != null && thread.getJavaThreadId() > 0) {
            loopOfThread.put(thread.getJavaThreadId(), loop.identity().id());
        }
    }

    /** The thread of a task of a loop. Any other may have told of the task's end when the loop was closed. */
    void runsTask(@Nullable RecordedThread thread, LoopLog loop) {
        if (thread != null && thread.isVirtual() && loopOfThread.size() < PENDING) {
            loopOfThread.put(thread.getJavaThreadId(), loop.identity().id());
        }
    }

    private <T> void keep(Deque<T> list, T entry) {
        list.addLast(entry);
        if (list.size() > keep) {
            list.removeFirst();
        }
    }

    private void sample(Fields fields) {
        var thread = fields.thread("sampledThread");
        var stack = Frames.of(fields.stack());
        if (thread != null && !stack.isEmpty()) {
            later(thread, fields.begin(), Frames.method(Frames.telling(stack)), Frames.method(stack.getFirst()), null);
        }
    }

    private void wait(Wait.Kind kind, Fields fields) {
        var thread = fields.thread();
        var stack = Frames.of(fields.stack());
        if (thread == null || (thread.isVirtual() && !kind.blocksTasks()) || isOfTheLoop(stack)) {
            return;
        }
        var frame = Frames.telling(stack);
        var wait = new Wait(fields.begin(), kind, fields.nanos(), frame, fields.about(kind.field()));
        later(thread, fields.begin(), frame, "", wait);
    }

    /** The loop's own way to wait, such as for a task that has the baton. */
    private static boolean isOfTheLoop(List<String> stack) {
        return stack.stream()
                .filter(frame -> !frame.startsWith("java.") && !frame.startsWith("jdk."))
                .findFirst()
                .map(frame -> frame.startsWith("io.github.uvloop4j.carrier."))
                .orElse(false);
    }

    private void later(RecordedThread thread, Instant at, String frame, String innermost, @Nullable Wait wait) {
        var name = thread.isVirtual() ? thread.getJavaName() : "";
        var id = thread.getJavaThreadId();
        pending.addLast(new Pending(at, id, name == null ? "" : name, thread.isVirtual(), frame, innermost, wait));
        if (pending.size() > PENDING) {
            settle();
            while (pending.size() > PENDING / 2) {
                pending.removeFirst();
            }
        }
    }

    /** Gives what waits for its loop to it, where that is known by now. */
    private void settle() {
        pending.removeIf(this::settled);
    }

    private boolean settled(Pending entry) {
        var owner = owner(entry);
        if (owner != null && owner.ranAt(entry.at())) {
            if (entry.held() != null) {
                owner.keep(owner.waits, entry.held());
            } else {
                owner.frames.add(entry.frame());
                owner.innermost.add(entry.innermost());
            }
        }
        return owner != null;
    }

    private @Nullable LoopLog owner(Pending entry) {
        var id = loopOfThread.get(entry.thread());
        if (id != null) {
            return loops.get(id);
        }
        var named = entry.virtual() ? named(entry.name()) : List.<LoopLog>of();
        return named.size() == 1 ? named.getFirst() : null;
    }

    /** The loops whose name the thread of a task begins with. */
    private List<LoopLog> named(String thread) {
        var longest = loops.values().stream()
                .map(loop -> loop.identity().name())
                .filter(name -> thread.startsWith(name + '/'))
                .max(Comparator.comparingInt(String::length));
        return longest.map(name -> loops.values().stream()
                        .filter(loop -> loop.identity().name().equals(name))
                        .toList())
                .orElse(List.of());
    }

    /** Something that is missing, in words. */
    public void note(String note) {
        notes.add(note);
    }

    /** Whether a loop was seen. */
    public boolean hasLoops() {
        return !loops.isEmpty();
    }

    /** The loop of that number; null if none was seen. */
    @Nullable
    LoopLog loop(long id) {
        return loops.get(id);
    }

    /** The numbers of the loops. */
    List<Long> ids() {
        return List.copyOf(loops.keySet());
    }

    /** Forgets all snapshots but the newest two of each loop, for who shows the present only. */
    public void forgetOldSnapshots() {
        loops.values().forEach(LoopLog::forgetOldSnapshots);
    }

    /** What was seen so far. */
    public Observation observation(String source) {
        settle();
        var unassigned = new Tally();
        var innermost = new Tally();
        for (var entry : pending) {
            if (entry.held() == null && entry.virtual() && named(entry.name()).size() > 1) {
                unassigned.add(entry.frame());
                innermost.add(entry.innermost());
            }
        }
        var all = new ArrayList<>(notes);
        if (lostBytes > 0) {
            all.add("the flight recorder has lost " + lostBytes + " bytes of events: the machine was too busy");
        }
        if (unassigned.total() > 0) {
            all.add(unassigned.total()
                    + " samples are of tasks whose loop has the same name as others: give each a name"
                    + " of its own (LoopOptions.name)");
        }
        var first = begin == null ? Instant.EPOCH : begin;
        return new Observation(
                source,
                first,
                end == null ? first : end,
                loops.values().stream().map(this::report).toList(),
                pauses.stream().sorted(Comparator.comparing(Pause::begin)).toList(),
                cpuLoads.stream().sorted(Comparator.comparing(CpuLoad::at)).toList(),
                jvm,
                new Activity(unassigned.total(), unassigned.shares(20), innermost.shares(20)),
                all);
    }

    private LoopReport report(LoopLog loop) {
        var report = loop.report();
        var name = report.identity().name();
        var alone = loops.values().stream()
                        .filter(other -> other.identity().name().equals(name))
                        .count()
                == 1;
        return alone ? report : report.labelled(report.identity().numbered());
    }
}
