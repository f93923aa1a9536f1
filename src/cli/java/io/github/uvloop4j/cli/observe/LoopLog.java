package io.github.uvloop4j.cli.observe;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is collected of a loop, as much as is kept. One thread. */
final class LoopLog {
    private static final int SHARES = 40;

    private final int keep;
    private LoopReport.Identity identity;
    private final List<LoopSnapshot> snapshots = new ArrayList<>();
    private @Nullable Instant opened;
    private boolean closed;
    private long thread;
    private final NavigableMap<Instant, Boolean> running = new TreeMap<>();
    final Deque<Stall> stalls = new ArrayDeque<>();
    final Deque<StallEnd> stallEnds = new ArrayDeque<>();
    final Deque<Turn> turns = new ArrayDeque<>();
    final Deque<Oversleep> oversleeps = new ArrayDeque<>();
    final Deque<Wait> waits = new ArrayDeque<>();
    final Deque<Lookup> lookups = new ArrayDeque<>();
    final Tally lost = new Tally();
    final Tally frames = new Tally();
    final Tally innermost = new Tally();
    private final Map<String, Tally> outcomes = new HashMap<>();
    private final Map<String, Tally> errors = new HashMap<>();
    private final Map<String, Tally> blocking = new HashMap<>();
    private LoopReport.@Nullable Schedule schedule;
    private List<String> stuckAt = List.of();

    record StallEnd(Instant at, String what, long nanos) {}

    LoopLog(int keep, String name, long id) {
        this.keep = keep;
        identity = new LoopReport.Identity(name, id, name, "", "", "", 0);
    }

    LoopReport.Identity identity() {
        return identity;
    }

    void identify(LoopReport.Identity seen) {
        identity = seen;
    }

    /** The JVM's number of the thread that runs it; 0 if none does. */
    long thread() {
        return thread;
    }

    void thread(long id) {
        thread = id;
    }

    void opened(Instant at) {
        opened = at;
    }

    void closed(Instant at) {
        closed = true;
        running.put(at, false);
    }

    void schedule(LoopReport.Schedule value) {
        schedule = value;
    }

    void stuckAt(List<String> stack) {
        stuckAt = stack;
    }

    void snapshot(LoopSnapshot snapshot) {
        snapshots.add(snapshot);
        running.put(snapshot.at(), snapshot.running());
        if (snapshots.size() > 2 * keep) {
            thin();
        }
    }

    /** Every other one goes, so that a long recording keeps all of its length. */
    private void thin() {
        snapshots.sort(Comparator.comparing(LoopSnapshot::at));
        var kept = new ArrayList<LoopSnapshot>(snapshots.size() / 2 + 1);
        for (var i = 0; i < snapshots.size(); i++) {
            if (i % 2 == 0 || i == snapshots.size() - 1) {
                kept.add(snapshots.get(i));
            }
        }
        snapshots.clear();
        snapshots.addAll(kept);
    }

    /** Only the newest two stay. */
    void forgetOldSnapshots() {
        snapshots.sort(Comparator.comparing(LoopSnapshot::at));
        while (snapshots.size() > 2) {
            snapshots.removeFirst();
        }
        if (!snapshots.isEmpty()) {
            running.headMap(snapshots.getFirst().at()).clear();
        }
    }

    /** Whether it may have run then: its thread may do something else before and after. */
    boolean ranAt(Instant moment) {
        var before = running.floorEntry(moment);
        var after = running.ceilingEntry(moment);
        return (before == null && after == null)
                || (before != null && before.getValue())
                || (after != null && after.getValue())
                || before == null;
    }

    <T> void keep(Deque<T> list, T entry) {
        list.addLast(entry);
        if (list.size() > keep) {
            list.removeFirst();
        }
    }

    void task(String name, String outcome, String error) {
        var numberless = name.replaceAll("\\d+", "#");
        if (outcomes.size() < keep || outcomes.containsKey(numberless)) {
            outcomes.computeIfAbsent(numberless, _ -> new Tally()).add(outcome);
            if (!error.isEmpty()) {
                errors.computeIfAbsent(numberless, _ -> new Tally()).add(error);
            }
        }
    }

    void blocked(String call, String where) {
        if (blocking.size() < keep || blocking.containsKey(call)) {
            blocking.computeIfAbsent(call, _ -> new Tally()).add(where);
        }
    }

    LoopReport report() {
        return new LoopReport(
                identity,
                sortedSnapshots(),
                closed,
                stallsWithEnds(),
                sorted(turns, Turn::at),
                sorted(oversleeps, Oversleep::at),
                sorted(waits, Wait::at),
                outcomes.entrySet().stream()
                        .map(entry -> outcomesOf(entry.getKey(), entry.getValue()))
                        .sorted(Comparator.comparingLong(TaskOutcomes::ended)
                                .reversed()
                                .thenComparing(TaskOutcomes::name))
                        .toList(),
                sorted(lookups, Lookup::at),
                blocking.entrySet().stream()
                        .flatMap(call -> call.getValue().shares(SHARES).stream()
                                .map(where -> new BlockingCall(call.getKey(), where.name(), where.count())))
                        .sorted(Comparator.comparingLong(BlockingCall::times).reversed())
                        .toList(),
                lost.shares(SHARES),
                new Activity(innermost.total(), frames.shares(SHARES), innermost.shares(SHARES)),
                schedule,
                stuckAt);
    }

    private List<LoopSnapshot> sortedSnapshots() {
        var all = new ArrayList<>(snapshots);
        all.sort(Comparator.comparing(LoopSnapshot::at));
        if (opened != null && (all.isEmpty() || opened.isBefore(all.getFirst().at()))) {
            all.addFirst(new LoopSnapshot.Builder(opened).running(false).build());
        }
        return all;
    }

    private List<Stall> stallsWithEnds() {
        var ends = sorted(stallEnds, StallEnd::at);
        var used = new boolean[ends.size()];
        var all = new ArrayList<Stall>();
        for (var stall : sorted(stalls, Stall::begin)) {
            var whole = stall;
            for (var i = 0; i < ends.size(); i++) {
                var end = ends.get(i);
                if (!used[i] && !end.at().isBefore(stall.begin()) && end.what().equals(stall.what())) {
                    used[i] = true;
                    whole = stall.ended(end.nanos());
                    break;
                }
            }
            all.add(whole);
        }
        return all;
    }

    private TaskOutcomes outcomesOf(String name, Tally tally) {
        var count = new HashMap<String, Long>();
        tally.shares(SHARES).forEach(share -> count.put(share.name(), share.count()));
        var worst = errors.containsKey(name) ? errors.get(name).shares(1) : List.<Share>of();
        return new TaskOutcomes(
                name,
                count.getOrDefault("completed", 0L),
                count.getOrDefault("failed", 0L),
                count.getOrDefault("cancelled", 0L),
                worst.isEmpty() ? "" : worst.getFirst().name());
    }

    private static <T> List<T> sorted(Deque<T> list, Function<T, Instant> time) {
        return list.stream().sorted(Comparator.comparing(time)).toList();
    }
}
