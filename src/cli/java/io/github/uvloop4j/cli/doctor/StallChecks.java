package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.BlockingCall;
import io.github.uvloop4j.cli.observe.Frames;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Stall;
import io.github.uvloop4j.cli.observe.Wait;
import io.github.uvloop4j.cli.observe.Words;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What keeps a loop from going on, by the code that does it. */
final class StallChecks {
    private static final int MOST = 10;
    private static final int FRAMES = 8;
    private static final String ELSEWHERE =
            "Move it off the loop with loop.runOnCpu or loop.runInExecutor, or do it in small parts";

    private StallChecks() {}

    /** Stalls, those of one method together. */
    static Stream<Finding> stalls(Observation seen) {
        return seen.loops().stream()
                .flatMap(loop -> grouped(loop.stalls(), stall -> Frames.method(stall.frame())).entrySet().stream()
                        .map(group -> stall(seen, loop, group.getKey(), group.getValue())));
    }

    private static Finding stall(Observation seen, LoopReport loop, String method, List<Stall> stalls) {
        var longest =
                stalls.stream().max(Comparator.comparingLong(Stall::nanos)).orElseThrow();
        var total = stalls.stream().mapToLong(Stall::nanos).sum();
        var share = seen.seconds() > 0 ? total / 1e9 / seen.seconds() : 0;
        var atLeast = longest.over() ? "" : "at least ";
        var draft = Draft.of(
                        "stall",
                        0.7 + 0.3 * Math.min(1, share * 2),
                        loop,
                        loop.label() + " was kept " + Words.times(stalls.size()) + " by " + method + ", for up to "
                                + Words.time(longest.nanos()))
                .evidence((stalls.size() == 1 ? "It lasted " : "The longest lasted ") + atLeast
                        + Words.time(longest.nanos())
                        + (stalls.size() == 1 ? "" : ", all together " + Words.time(total))
                        + "; " + longest.what())
                .evidence("Stack: "
                        + String.join(
                                " < ", longest.stack().stream().limit(FRAMES).toList()));
        if (longest.created() != null) {
            draft.evidence("Created at "
                    + longest.created().lines().limit(3).map(String::strip).collect(Collectors.joining(" < ")));
        }
        return draft.number("method", method)
                .number("frame", longest.frame())
                .number("count", stalls.size())
                .number("longest_ms", longest.nanos() / 1e6)
                .number("total_ms", total / 1e6)
                .number("first_at", stalls.getFirst().begin().toString())
                .number("stack", longest.stack())
                .advice(ELSEWHERE + ": nothing else ran on the loop meanwhile.");
    }

    /** A loop that makes no turns, and is not in its poll. */
    static Stream<Finding> stuck(Observation seen) {
        return seen.loops().stream().filter(loop -> !loop.stuckAt().isEmpty()).map(StallChecks::stuck);
    }

    private static Finding stuck(LoopReport loop) {
        var frames = loop.activity().frames();
        var inTask = !Frames.isOfProgram(Frames.telling(loop.stuckAt()));
        var where = inTask
                ? frames.isEmpty() ? "a step of a task" : frames.getFirst().name()
                : Frames.telling(loop.stuckAt());
        return Draft.of(
                        "stuck",
                        1,
                        loop,
                        loop.label() + " made no turn all the time: it is stuck in " + Frames.method(where))
                .evidence("Stack of its thread: "
                        + String.join(
                                " < ", loop.stuckAt().stream().limit(FRAMES).toList()))
                .number("frame", where)
                .number("stack", loop.stuckAt())
                .advice("Find out what it waits for, or why it does not end: nothing else runs on this loop until it"
                        + " does.");
    }

    /** What the guard has found. */
    static Stream<Finding> blockingCalls(Observation seen) {
        return seen.loops().stream()
                .flatMap(loop -> grouped(loop.blockingCalls(), BlockingCall::call).entrySet().stream()
                        .map(call -> blockingCall(loop, call.getKey(), call.getValue())));
    }

    private static Finding blockingCall(LoopReport loop, String call, List<BlockingCall> where) {
        var times = where.stream().mapToLong(BlockingCall::times).sum();
        return Draft.of(
                        "blocking_call",
                        0.65,
                        loop,
                        "the guard has found the blocking call " + call + " on " + loop.label() + ", "
                                + Words.times(times))
                .evidence("Called "
                        + where.stream()
                                .limit(3)
                                .map(one -> (one.frame().contains("(") ? "at " : "") + one.frame() + " ("
                                        + Words.times(one.times()) + ")")
                                .collect(Collectors.joining(", ")))
                .number("call", call)
                .number("count", times)
                .number("frames", where.stream().map(BlockingCall::frame).toList())
                .advice("Use what the loop offers for it, or move it off the loop with loop.runInExecutor.");
    }

    /** Calls that the JVM has seen block the loop's thread. */
    static Stream<Finding> waits(Observation seen) {
        return seen.loops().stream()
                .flatMap(loop -> loop.waits().stream()
                        .collect(Collectors.groupingBy(Wait::kind, LinkedHashMap::new, Collectors.toList()))
                        .entrySet()
                        .stream()
                        .map(kind -> wait(seen, loop, kind.getKey(), kind.getValue())));
    }

    private static Finding wait(Observation seen, LoopReport loop, Wait.Kind kind, List<Wait> waits) {
        var total = waits.stream().mapToLong(Wait::nanos).sum();
        var longest = waits.stream().max(Comparator.comparingLong(Wait::nanos)).orElseThrow();
        var share = seen.seconds() > 0 ? total / 1e9 / seen.seconds() : 0;
        return Draft.of(
                        "blocked",
                        0.45 + 0.45 * Math.min(1, share * 2),
                        loop,
                        "the thread of " + loop.label() + ' ' + kind.words() + ": " + Words.times(waits.size())
                                + ", for up to " + Words.time(longest.nanos()))
                .evidence("Longest in " + longest.frame() + (longest.what().isEmpty() ? "" : ", " + longest.what())
                        + "; all together " + Words.time(total))
                .number("how", kind.name().toLowerCase(java.util.Locale.ROOT))
                .number("count", waits.size())
                .number("longest_ms", longest.nanos() / 1e6)
                .number("total_ms", total / 1e6)
                .number("frame", longest.frame())
                .number("about", longest.what())
                .advice(
                        kind == Wait.Kind.MONITOR
                                ? "Hold that lock for shorter, or let the loop own what it guards."
                                : ELSEWHERE + ".");
    }

    /** The groups with most in them first, as many as are worth telling. */
    private static <T> Map<String, List<T>> grouped(List<T> all, java.util.function.Function<T, String> key) {
        var groups = all.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
        return groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> -group.getValue().size()))
                .limit(MOST)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, _) -> a, LinkedHashMap::new));
    }
}
