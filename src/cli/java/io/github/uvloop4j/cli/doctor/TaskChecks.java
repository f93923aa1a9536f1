package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.Lookup;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.LoopSnapshot;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Share;
import io.github.uvloop4j.cli.observe.TaskOutcomes;
import io.github.uvloop4j.cli.observe.Words;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tasks, connections and look-ups. */
final class TaskChecks {
    private static final int FEW_SNAPSHOTS = 5;
    private static final int GROWN_BY = 20;
    private static final double GROWN_TO = 1.5;
    private static final double MOSTLY = 0.8;
    private static final long FEW_FAILURES = 5;
    private static final double OFTEN = 0.1;
    private static final long FEW_LOOKUPS = 3;
    private static final long SLOW_NANOS = 100_000_000L;

    private TaskChecks() {}

    /** Tasks that become more and more. */
    static Stream<Finding> growth(Observation seen) {
        return seen.loops().stream()
                .filter(loop -> loop.snapshots().size() >= FEW_SNAPSHOTS)
                .flatMap(loop -> {
                    var spans = loop.spans();
                    var first = loop.snapshots().getFirst();
                    var last = loop.snapshots().getLast();
                    var rising = spans.stream()
                            .filter(span -> span.to().tasks() >= span.from().tasks())
                            .count();
                    if (last.tasks() < first.tasks() * GROWN_TO + GROWN_BY
                            || rising < MOSTLY * spans.size()
                            || !grewToTheEnd(loop)) {
                        return Stream.empty();
                    }
                    return Stream.of(grown(loop, first, last));
                });
    }

    /** Not one jump, as when many clients come at once. */
    private static boolean grewToTheEnd(LoopReport loop) {
        var half = loop.snapshots().get(loop.snapshots().size() / 2).tasks();
        var first = loop.snapshots().getFirst().tasks();
        var last = loop.snapshots().getLast().tasks();
        return half - first >= (last - first) / 5 && last - half >= (last - first) / 5;
    }

    private static Finding grown(LoopReport loop, LoopSnapshot first, LoopSnapshot last) {
        var connections = last.connections() - first.connections();
        var tasks = last.tasks() - first.tasks();
        var together = connections >= tasks / 2;
        return Draft.of(
                        "tasks_grow",
                        together ? 0.35 : 0.6,
                        loop,
                        "the tasks of " + loop.label() + " become more and more: from " + Words.count(first.tasks())
                                + " to " + Words.count(last.tasks()))
                .evidence(
                        together
                                ? "Its connections grew too, from " + first.connections() + " to " + last.connections()
                                : "Its connections did not grow with them: " + first.connections() + ", then "
                                        + last.connections())
                .number("tasks_first", first.tasks())
                .number("tasks_last", last.tasks())
                .number("connections_first", first.connections())
                .number("connections_last", last.connections())
                .advice(
                        "If that does not level off, something is never ended: loop.dumpTasks() shows what each task waits"
                                + " for.");
    }

    /** Tasks that fail often. */
    static Stream<Finding> failures(Observation seen) {
        return seen.loops().stream()
                .flatMap(
                        loop -> loop.tasks().stream()
                                .filter(task -> task.failed() >= FEW_FAILURES && task.failed() >= OFTEN * task.ended())
                                .sorted(Comparator.comparingLong(TaskOutcomes::failed)
                                        .reversed())
                                .limit(FEW_FAILURES)
                                .map(
                                        task -> Draft.of(
                                                        "tasks_fail",
                                                        0.4 + 0.25 * task.failed() / (double) task.ended(),
                                                        loop,
                                                        "tasks \"" + task.name() + "\" of " + loop.label() + " fail: "
                                                                + Words.count(task.failed()) + " of "
                                                                + Words.count(task.ended()))
                                                .evidence("Most often with "
                                                        + (task.error().isEmpty()
                                                                ? "an error that is not known"
                                                                : task.error()))
                                                .number("task", task.name())
                                                .number("failed", task.failed())
                                                .number("ended", task.ended())
                                                .number("error", task.error())
                                                .advice(
                                                        "See to the cause, or handle the failure within the task if it is to be expected.")));
    }

    /** Look-ups that take long. */
    static Stream<Finding> lookups(Observation seen) {
        return seen.loops().stream().flatMap(loop -> {
            var slow = loop.lookups().stream()
                    .filter(lookup -> lookup.nanos() >= SLOW_NANOS)
                    .toList();
            var longest = slow.stream().max(Comparator.comparingLong(Lookup::nanos));
            if (longest.isEmpty() || (slow.size() < FEW_LOOKUPS && longest.get().nanos() < 10 * SLOW_NANOS)) {
                return Stream.empty();
            }
            var failed =
                    slow.stream().filter(lookup -> !lookup.failure().isEmpty()).count();
            return Stream.of(Draft.of(
                            "slow_lookups",
                            0.4,
                            loop,
                            Words.many(slow.size(), "look-up") + " of host names took " + Words.time(SLOW_NANOS)
                                    + " or longer on " + loop.label())
                    .evidence("The longest, " + longest.get().host() + ", took "
                            + Words.time(longest.get().nanos()) + (failed > 0 ? "; " + failed + " of them failed" : ""))
                    .evidence("Hosts: "
                            + slow.stream()
                                    .map(Lookup::host)
                                    .distinct()
                                    .limit(5)
                                    .collect(Collectors.joining(", ")))
                    .number("count", slow.size())
                    .number("failed", failed)
                    .number("longest_ms", longest.get().nanos() / 1e6)
                    .number("host", longest.get().host())
                    .advice(
                            "The loop goes on meanwhile, but who waits for the answer does not: see to the name server, or"
                                    + " keep addresses and connections (package pool)."));
        });
    }

    /** Writers that have to wait for slow readers. */
    static Stream<Finding> pauses(Observation seen) {
        return LoadChecks.spans(seen)
                .filter(loop -> loop.span().perSecond(Counter.PAUSES) >= 1
                        && loop.span().count(Counter.PAUSES) >= 3)
                .map(loop -> Draft.of(
                                "writers_paused",
                                0.35 + 0.2 * Math.min(1, loop.span().perSecond(Counter.PAUSES) / 100),
                                loop.report(),
                                "writers of " + loop.label() + " were paused "
                                        + Words.times(loop.span().count(Counter.PAUSES))
                                        + ": their peers read too slowly")
                        .evidence(Words.count(loop.span().perSecond(Counter.PAUSES)) + " a second, with "
                                + Words.many(loop.span().to().connections(), "connection") + " and "
                                + Words.bytes(loop.span().perSecond(Counter.BYTES_SENT)) + " a second sent")
                        .number("pauses", loop.span().count(Counter.PAUSES))
                        .number("pauses_per_second", loop.span().perSecond(Counter.PAUSES))
                        .number("sent_bytes_per_second", loop.span().perSecond(Counter.BYTES_SENT))
                        .advice(
                                "Back-pressure works as it should. Send less at a time, raise the write buffer's limits, or"
                                        + " see to the peers and the network."));
    }

    /** Connections that break. */
    static Stream<Finding> lost(Observation seen) {
        return seen.loops().stream().flatMap(loop -> {
            var lost = loop.lost().stream().mapToLong(Share::count).sum();
            if (lost < FEW_FAILURES) {
                return Stream.empty();
            }
            return Stream.of(Draft.of(
                            "connections_lost",
                            0.3,
                            loop,
                            Words.many(lost, "connection") + " of " + loop.label() + " ended with an error")
                    .evidence(loop.lost().stream()
                            .limit(3)
                            .map(cause -> Words.times(cause.count()) + ' ' + cause.name())
                            .collect(Collectors.joining(", ")))
                    .number("count", lost)
                    .number(
                            "causes",
                            loop.lost().stream().limit(5).map(Share::name).toList())
                    .advice("Peers that go away are usual; many at once are not."));
        });
    }
}
