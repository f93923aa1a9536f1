package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.doctor.LoadChecks.Whole;
import io.github.uvloop4j.cli.observe.Distribution;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Turn;
import io.github.uvloop4j.cli.observe.Words;
import java.util.List;
import java.util.stream.Stream;

/** What comes late, and turns that make it so. */
final class DelayChecks {
    private static final long MILLI = 1_000_000;
    private static final long LONG_TURN = 10 * MILLI;
    private static final long LATE = 10 * MILLI;
    private static final long FEW = 20;
    private static final double MANY_PIECES = 100;

    private DelayChecks() {}

    /** Calls and steps that wait long for their turn. */
    static Stream<Finding> readyDelay(Observation seen) {
        return late(
                seen,
                Distribution.READY_DELAY,
                "ready_delay",
                "what is ready waits for its turn",
                "Turns are too long: the connections that wait for theirs see this as latency.");
    }

    /** Posts that take long. */
    static Stream<Finding> wakeDelay(Observation seen) {
        return late(
                seen,
                Distribution.WAKE_DELAY,
                "slow_posts",
                "a post to the sleeping loop takes",
                "The loop's thread gets a CPU late: too many threads want the same, see the machine's load and the"
                        + " loops' CPUs.");
    }

    /** Timers that are late. */
    static Stream<Finding> timers(Observation seen) {
        return late(
                seen,
                Distribution.TIMER_LATENESS,
                "late_timers",
                "timers are late by",
                "Something else has the loop when they are due: see the long turns and the stalls.");
    }

    private static Stream<Finding> late(
            Observation seen, Distribution which, String kind, String words, String advice) {
        return LoadChecks.spans(seen).flatMap(loop -> {
            var histogram = loop.span().histogram(which);
            var usual = histogram.percentile(95);
            if (histogram.count() < FEW || usual < LATE) {
                return Stream.empty();
            }
            return Stream.of(Draft.of(
                            kind,
                            0.35 + 0.4 * Math.min(1, usual / (100.0 * MILLI)),
                            loop.report(),
                            "on " + loop.label() + ' ' + words + ' ' + Words.time(usual) + " or more, one time in 20")
                    .evidence("Of " + Words.count(histogram.count()) + ", half were within "
                            + Words.time(histogram.percentile(50)) + ", 99 % within "
                            + Words.time(histogram.percentile(99)))
                    .number("count", histogram.count())
                    .number("p50_ms", histogram.percentile(50) / 1e6)
                    .number("p95_ms", usual / 1e6)
                    .number("p99_ms", histogram.percentile(99) / 1e6)
                    .advice(advice));
        });
    }

    /** Turns of 10 ms and more that neither the collector nor a stall explains. */
    static Stream<Finding> longTurns(Observation seen) {
        return LoadChecks.spans(seen).flatMap(loop -> {
            var count = loop.span().histogram(Distribution.TURNS).countFrom(LONG_TURN);
            var unexplained = loop.report().turns().stream()
                    .filter(turn -> !explained(turn, seen.pauses()))
                    .toList();
            var explained = loop.report().turns().size() - unexplained.size();
            var left = count - explained - loop.report().stalls().size();
            return left <= 0 ? Stream.empty() : Stream.of(longTurn(loop, left, unexplained));
        });
    }

    private static Finding longTurn(Whole loop, long count, List<Turn> turns) {
        var histogram = loop.span().histogram(Distribution.TURNS);
        var perSecond = loop.span().seconds() > 0 ? count / loop.span().seconds() : 0;
        var draft = Draft.of(
                        "long_turns",
                        0.4 + 0.28 * Math.min(1, perSecond),
                        loop.report(),
                        Words.many(count, "turn") + " of " + loop.label()
                                + " kept its thread for 10 ms or longer, up to "
                                + Words.time(loop.span().max(Distribution.TURNS)))
                .evidence("Half of its busy time went by in turns of "
                        + Words.time(histogram.weightedPercentile(50)) + " or longer; of all turns half took up to "
                        + Words.time(histogram.percentile(50)))
                .number("count", count)
                .number("longest_ms", loop.span().max(Distribution.TURNS) / 1e6)
                .number("p50_by_weight_ms", histogram.weightedPercentile(50) / 1e6);
        if (MachineChecks.lacksCpu(loop.report())) {
            return draft.evidence("Its thread was often without a CPU, which alone makes turns long")
                    .advice("See to that first: it may not be the code that is slow.");
        }
        if (turns.isEmpty()) {
            return draft.advice("Record with uvloop4j.Turn to see what they are made of.");
        }
        var pieces = turns.stream()
                .mapToInt(turn -> turn.calls() + turn.events())
                .average()
                .orElse(0);
        var ready = turns.stream().mapToLong(Turn::readyNanos).sum();
        var busy = Math.max(1, turns.stream().mapToLong(Turn::busyNanos).sum());
        return draft.evidence(Words.count(pieces) + " calls and events in such a turn; "
                        + Words.percent(ready / (double) busy)
                        + " of its time in calls, timers and steps, the rest in callbacks of events")
                .number("pieces_per_turn", pieces)
                .number("ready_share", ready / (double) busy)
                .advice(
                        pieces >= MANY_PIECES
                                ? "Many small pieces: the loop has more to do at a time than it should; spread it over"
                                        + " more loops."
                                : "Few pieces, so single ones take long: split them, or move them off the loop.");
    }

    /** Turns that were long since the JVM stood still. */
    static Stream<Finding> collector(Observation seen) {
        return seen.loops().stream().flatMap(loop -> {
            var explained = loop.turns().stream()
                    .filter(turn -> explained(turn, seen.pauses()))
                    .toList();
            if (explained.isEmpty()) {
                return Stream.empty();
            }
            var longest = explained.stream().mapToLong(Turn::busyNanos).max().orElse(0);
            return Stream.of(Draft.of(
                            "gc_pauses",
                            0.4 + 0.3 * Math.min(1, longest / (200.0 * MILLI)),
                            loop,
                            "the garbage collector explains " + Words.many(explained.size(), "long turn") + " of "
                                    + loop.label() + ", up to " + Words.time(longest))
                    .evidence(Words.many(seen.pauses().size(), "pause") + " of the whole JVM, "
                            + Words.time(seen.pauses().stream()
                                    .mapToLong(Pause::nanos)
                                    .sum()) + " together, the longest "
                            + Words.time(seen.pauses().stream()
                                    .mapToLong(Pause::nanos)
                                    .max()
                                    .orElse(0)))
                    .number("turns", explained.size())
                    .number("longest_turn_ms", longest / 1e6)
                    .number("pauses", seen.pauses().size())
                    .number(
                            "paused_ms",
                            seen.pauses().stream().mapToLong(Pause::nanos).sum() / 1e6)
                    .advice(
                            "No code on the loop is to blame: allocate less, give the heap more room, or take a collector"
                                    + " with short pauses (-XX:+UseZGC)."));
        });
    }

    /** Whether the JVM stood still for half of it or more. */
    static boolean explained(Turn turn, List<Pause> pauses) {
        var stood = pauses.stream()
                .mapToLong(pause -> pause.within(turn.begin(), turn.at()))
                .sum();
        return stood > 0 && stood * 2 >= turn.busyNanos();
    }
}
