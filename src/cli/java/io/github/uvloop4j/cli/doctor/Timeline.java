package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.LoopReport;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.Pause;
import io.github.uvloop4j.cli.observe.Span;
import io.github.uvloop4j.cli.observe.Stall;
import io.github.uvloop4j.cli.observe.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The busy share of a loop over time, with what kept it. */
final class Timeline {
    private static final int STEPS = 400;
    private static final int MARKS = 300;

    private final Instant begin;
    private final double seconds;

    private Timeline(Observation seen) {
        begin = seen.begin();
        seconds = Math.max(1e-9, seen.seconds());
    }

    static String of(Observation seen, LoopReport loop) {
        var timeline = new Timeline(seen);
        return Svg.timeline(
                "busy share over time",
                timeline.steps(loop.spans()),
                timeline.marks(seen.pauses(), loop.stalls()),
                "0 s",
                Words.seconds(seen.seconds()));
    }

    /** As many as can be told apart: neighbours become one. */
    private List<Svg.Step> steps(List<Span> spans) {
        var every = Math.max(1, (spans.size() + STEPS - 1) / STEPS);
        var steps = new ArrayList<Svg.Step>();
        for (var i = 0; i < spans.size(); i += every) {
            var last = Math.min(spans.size(), i + every) - 1;
            var span = new Span(spans.get(i).from(), spans.get(last).to());
            steps.add(new Svg.Step(at(span.begin()), at(span.end()), span.busyShare()));
        }
        return steps;
    }

    /** The longest of each, if there are too many. */
    private List<Svg.Mark> marks(List<Pause> pauses, List<Stall> stalls) {
        var marks = new ArrayList<Svg.Mark>();
        pauses.stream()
                .sorted(Comparator.comparingLong(Pause::nanos).reversed())
                .limit(MARKS)
                .forEach(pause -> marks.add(new Svg.Mark(
                        at(pause.begin()),
                        length(pause.nanos()),
                        "pause",
                        "garbage collector, " + Words.time(pause.nanos()) + ": " + pause.name())));
        stalls.stream()
                .sorted(Comparator.comparingLong(Stall::nanos).reversed())
                .limit(MARKS)
                .forEach(stall -> marks.add(new Svg.Mark(
                        at(stall.begin()),
                        length(stall.nanos()),
                        "stall",
                        Words.time(stall.nanos()) + " in " + stall.frame())));
        return marks;
    }

    private double at(Instant moment) {
        return Math.clamp(Duration.between(begin, moment).toNanos() / 1e9 / seconds, 0, 1);
    }

    private double length(long nanos) {
        return Math.clamp(nanos / 1e9 / seconds, 0, 1);
    }
}
