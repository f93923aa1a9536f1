package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.Activity;
import io.github.uvloop4j.cli.observe.Counter;
import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Share;
import io.github.uvloop4j.cli.observe.Span;
import io.github.uvloop4j.cli.observe.Words;
import io.github.uvloop4j.cli.observe.WorkTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How much there is to do, and what it is. */
final class LoadChecks {
    private static final double SATURATED = 0.9;
    private static final double BUSY = 0.5;
    private static final double MOST_POLLS = 0.8;
    private static final long FEW_POLLS = 100;
    private static final double OFTEN = 500;
    private static final long ENOUGH_SAMPLES = 25;
    private static final double HOT = 0.25;
    private static final double IDLE = 0.05;

    /** What a loop counts in any case. */
    private static final List<Counter> WORK =
            List.of(Counter.TASKS_MADE, Counter.ACCEPTED, Counter.BYTES_RECEIVED, Counter.BYTES_SENT);

    private LoadChecks() {}

    /** Loops that are busy nearly all the time. */
    static Stream<Finding> saturated(Observation seen) {
        return spans(seen).filter(loop -> loop.span().busyShare() >= SATURATED).map(loop -> {
            var span = loop.span();
            return Draft.of(
                            "saturated",
                            0.6 + 4 * (span.busyShare() - SATURATED),
                            loop.report(),
                            loop.label() + " is busy " + Words.percent(span.busyShare()) + " of the time")
                    .evidence(Words.count(span.perSecond(Counter.TURNS)) + " turns a second, most of the time in "
                            + kinds(span))
                    .number("busy_share", span.busyShare())
                    .number("turns_per_second", span.perSecond(Counter.TURNS))
                    .advice("It has no reserve: spread the work over more loops, or take away what costs most.");
        });
    }

    /** A ready queue that never empties, though the loop has much to do. */
    static Stream<Finding> readyNeverEmpties(Observation seen) {
        return spans(seen)
                .filter(loop -> loop.span().polls() >= FEW_POLLS
                        && loop.span().shareOfPolls(Counter.POLLS_FOR_READY) >= MOST_POLLS
                        && loop.span().busyShare() >= BUSY)
                .map(loop -> {
                    var span = loop.span();
                    var share = span.shareOfPolls(Counter.POLLS_FOR_READY);
                    return Draft.of(
                                    "ready_never_empties",
                                    0.5 + 0.3 * span.busyShare(),
                                    loop.report(),
                                    "poll returns at once " + Words.percent(share) + " of the time on " + loop.label()
                                            + ": the ready queue never empties")
                            .evidence(Words.count(span.count(Counter.POLLS_FOR_READY)) + " of "
                                    + Words.many(span.polls(), "poll") + " did not block since something was ready; "
                                    + Words.count(
                                            span.count(Counter.CALLS) / (double) Math.max(1, span.count(Counter.TURNS)))
                                    + " calls a turn")
                            .number("ready_polls_share", share)
                            .number("polls", span.polls())
                            .number("busy_share", span.busyShare())
                            .advice("Either there is more to do than one loop can, or something queues itself again and"
                                    + " again: wait for an event, or use a timer, in place of asking over and over.");
                });
    }

    /** Timers that wake an idle loop very often. */
    static Stream<Finding> timersWake(Observation seen) {
        return spans(seen)
                .filter(loop -> loop.span().perSecond(Counter.POLLS_FOR_TIMERS) >= OFTEN
                        && loop.span().shareOfPolls(Counter.POLLS_FOR_TIMERS) >= MOST_POLLS
                        && loop.span().count(Counter.EVENTS) < loop.span().polls() / 2)
                .map(loop -> Draft.of(
                                "timers_wake_often",
                                0.35,
                                loop.report(),
                                "timers wake " + loop.label() + ' '
                                        + Words.count(loop.span().perSecond(Counter.POLLS_FOR_TIMERS))
                                        + " times a second")
                        .evidence(Words.percent(loop.span().shareOfPolls(Counter.POLLS_FOR_TIMERS))
                                + " of its polls were limited by a timer, and few brought an event")
                        .number("timer_polls_per_second", loop.span().perSecond(Counter.POLLS_FOR_TIMERS))
                        .advice("Each costs a system call or two: let one timer serve many, or fire less often."));
    }

    /** Loops that do not say what they do. */
    static Stream<Finding> blank(Observation seen) {
        return spans(seen)
                .filter(loop -> loop.span().to().isBlank()
                        && WORK.stream().anyMatch(counter -> loop.span().count(counter) > 0))
                .map(loop -> Draft.of("no_statistics", 0.2, loop.report(), loop.label() + " keeps no statistics")
                        .evidence("It works, and has counted no turn")
                        .advice("Little can be told of it without LoopOptions.metrics(true), or with"
                                + " -Duvloop4j.metrics=false."));
    }

    /** Code that most of the time goes to. */
    static Stream<Finding> hotFrames(Observation seen) {
        return seen.loops().stream()
                .filter(loop -> loop.activity().samples() >= ENOUGH_SAMPLES)
                .flatMap(loop -> {
                    var busy = loop.whole().map(Span::busyShare).orElse(1.0);
                    return hottest(loop.activity())
                            .filter(top -> busy >= IDLE)
                            .map(top -> hot(loop, top, busy))
                            .stream();
                });
    }

    private static Optional<Share> hottest(Activity activity) {
        return activity.frames().stream().findFirst().filter(top -> top.share() >= HOT);
    }

    private static Finding hot(LoopReport loop, Share top, double busy) {
        var list = loop.activity().frames().stream().limit(5).toList();
        return Draft.of(
                        "hot_code",
                        0.15 + 0.4 * top.share() * busy,
                        loop,
                        Words.percent(top.share()) + " of the samples of " + loop.label() + " are in " + top.name())
                .evidence("Of " + Words.many(loop.activity().samples(), "sample") + " of its Java code: "
                        + list.stream()
                                .map(frame -> Words.percent(frame.share()) + ' ' + frame.name())
                                .collect(Collectors.joining(", ")))
                .number("samples", loop.activity().samples())
                .number("frame", top.name())
                .number("share", top.share())
                .advice("This is where less work saves most; native code and the kernel are not in the samples.");
    }

    /** The kinds of work that take most of the busy time, in words. */
    static String kinds(Span span) {
        var busy = Math.max(1, span.count(Counter.BUSY));
        var kinds = Arrays.stream(WorkTime.values())
                .filter(kind -> span.count(kind.counter()) > 0)
                .sorted(Comparator.comparingLong((WorkTime kind) -> span.count(kind.counter()))
                        .reversed())
                .limit(3)
                .map(kind -> String.format(
                        Locale.ROOT,
                        "%s (%s)",
                        kind.label(),
                        Words.percent(span.count(kind.counter()) / (double) busy)))
                .toList();
        return kinds.isEmpty() ? "nothing that is counted" : String.join(", ", kinds);
    }

    /** A loop and what it did all the time. */
    record Whole(LoopReport report, Span span) {
        String label() {
            return report.label();
        }
    }

    static Stream<Whole> spans(Observation seen) {
        return seen.loops().stream().flatMap(loop -> loop.whole().map(span -> new Whole(loop, span)).stream());
    }

    static List<Whole> running(Observation seen) {
        return spans(seen).filter(loop -> loop.report().runs()).toList();
    }
}
