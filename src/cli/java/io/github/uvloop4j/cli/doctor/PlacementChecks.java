package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.cli.doctor.LoadChecks.Whole;
import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.LoopSnapshot;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Span;
import io.github.uvloop4j.cli.observe.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where loops run, and whether each has its share of the work. */
final class PlacementChecks {
    private static final double BUSY = 0.5;
    private static final double TIMES_THE_OTHERS = 3;
    private static final int FEW_CONNECTIONS = 8;

    private PlacementChecks() {}

    /** More loops than CPUs that they may run on. */
    static Stream<Finding> sharedCpus(Observation seen) {
        var placed = new TreeMap<CpuSet, List<LoopReport>>(
                Comparator.<CpuSet>comparingLong(cpus -> cpus.stream().count()).thenComparing(CpuSet::toString));
        for (var loop : seen.running()) {
            cpus(loop)
                    .ifPresent(cpus ->
                            placed.computeIfAbsent(cpus, _ -> new ArrayList<>()).add(loop));
        }
        var told = new ArrayList<CpuSet>();
        var findings = new ArrayList<Finding>();
        for (var cpus : placed.keySet()) {
            var within = placed.entrySet().stream()
                    .filter(entry -> entry.getKey().minus(cpus).isEmpty())
                    .map(Map.Entry::getValue)
                    .flatMap(List::stream)
                    .toList();
            if (within.size() > cpus.stream().count()
                    && told.stream().noneMatch(less -> less.minus(cpus).isEmpty())) {
                told.add(cpus);
                findings.add(shared(cpus, within));
            }
        }
        return findings.stream();
    }

    private static java.util.Optional<CpuSet> cpus(LoopReport loop) {
        try {
            return java.util.Optional.of(CpuSet.parse(loop.identity().cpus())).filter(cpus -> !cpus.isEmpty());
        } catch (IllegalArgumentException _) {
            return java.util.Optional.empty();
        }
    }

    private static Finding shared(CpuSet cpus, List<LoopReport> loops) {
        var count = cpus.stream().count();
        var busy = loops.stream()
                .mapToDouble(loop -> loop.whole().map(Span::busyShare).orElse(0.0))
                .sum();
        var which = (count == 1 ? "CPU " : "CPUs ") + cpus;
        return Draft.of(
                        "shared_cpus",
                        0.3 + 0.5 * Math.min(1, busy / count),
                        loops,
                        number(loops.size()) + " loops share " + which)
                .evidence(loops.stream().map(LoopReport::label).collect(Collectors.joining(", "))
                        + " may run there and nowhere else; together they are busy "
                        + Words.percent(busy) + " of one CPU's time")
                .number("cpus", cpus.toString())
                .number("loops", loops.size())
                .number("busy_share_together", busy)
                .advice("When all have work, some wait: make no more loops than CPUs, or give each its own, as"
                        + " GroupOptions.placement and launch --placement do.");
    }

    private static String number(int number) {
        return switch (number) {
            case 2 -> "two";
            case 3 -> "three";
            case 4 -> "four";
            default -> Integer.toString(number);
        };
    }

    /** Connections that are mostly on one loop. */
    static Stream<Finding> connections(Observation seen) {
        var loops = LoadChecks.running(seen);
        ToDoubleFunction<Whole> open = loop -> loop.span().to().connections();
        return outlier(loops, open)
                .filter(most -> open.applyAsDouble(most) >= FEW_CONNECTIONS)
                .map(most -> {
                    var all = loops.stream().mapToDouble(open).sum();
                    var share = open.applyAsDouble(most) / all;
                    return Draft.of(
                                    "unequal_connections",
                                    0.35 + 0.3 * share,
                                    most.report(),
                                    most.label() + " has " + Words.percent(share) + " of the connections")
                            .evidence(perLoop(
                                    loops, loop -> Words.many(loop.span().to().connections(), "connection")))
                            .number("connections_share", share)
                            .number("connections", (long) all)
                            .advice("Long-lived connections stay where they were accepted: spread them when they come"
                                    + " in, see Steering in docs/pinning.md.");
                });
    }

    /** Work that is mostly on one loop. */
    static Stream<Finding> work(Observation seen) {
        var loops = LoadChecks.running(seen);
        return outlier(loops, loop -> loop.span().busyShare())
                .filter(most -> most.span().busyShare() >= BUSY)
                .map(most -> Draft.of(
                                "unequal_work",
                                0.4 + 0.3 * most.span().busyShare(),
                                most.report(),
                                most.label() + " is busy "
                                        + Words.percent(most.span().busyShare()) + " of the time, the others far less")
                        .evidence(
                                perLoop(loops, loop -> Words.percent(loop.span().busyShare()) + " busy"))
                        .number("busy_share", most.span().busyShare())
                        .advice("Give work to the other loops, by connection or by key (EventLoopGroup.forKey)."));
    }

    /** The one with far more than the others have in the mean. */
    private static Stream<Whole> outlier(List<Whole> loops, ToDoubleFunction<Whole> value) {
        if (loops.size() < 2) {
            return Stream.empty();
        }
        var most = loops.stream().max(Comparator.comparingDouble(value)).orElseThrow();
        var others = (loops.stream().mapToDouble(value).sum() - value.applyAsDouble(most)) / (loops.size() - 1);
        return value.applyAsDouble(most) > TIMES_THE_OTHERS * others ? Stream.of(most) : Stream.empty();
    }

    private static String perLoop(List<Whole> loops, java.util.function.Function<Whole, String> words) {
        return loops.stream()
                .map(loop -> loop.label() + ": " + words.apply(loop))
                .collect(Collectors.joining(", "));
    }

    /** Tasks that do not ride on the loop's thread. */
    static Stream<Finding> baton(Observation seen) {
        var loops = seen.loops().stream()
                .filter(loop -> loop.identity().tasksRide().equals("baton"))
                .filter(loop -> loop.last()
                        .map(last -> last.count(Counter.TASKS_MADE) > 0)
                        .orElse(false))
                .toList();
        if (loops.isEmpty()) {
            return Stream.empty();
        }
        var made = loops.stream()
                .flatMap(loop -> loop.last().stream())
                .mapToLong((LoopSnapshot last) -> last.count(Counter.TASKS_MADE))
                .sum();
        return Stream.of(Draft.of("baton", 0.42, loops, "tasks run on the baton, not on the thread of their loop")
                .evidence(Words.many(made, "task") + " so far; each step costs two switches of threads, and a JDK call"
                        + " that parks blocks the loop")
                .number("tasks_made", made)
                .advice("Start java with --add-opens=java.base/java.lang=ALL-UNNAMED (class path) or"
                        + " --add-opens=java.base/java.lang=io.github.uvloop4j (module path), and without"
                        + " -Duvloop4j.tasks=baton."));
    }
}
