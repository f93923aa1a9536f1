package io.github.uvloop4j.cli.observe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers of a loop under their JSON keys. */
public final class Figures {
    private Figures() {}

    /** What a loop is, and what it did in a span; null of the numbers that need one where there is none. */
    public static Map<String, @Nullable Object> of(LoopReport loop, @Nullable Span span) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        var identity = loop.identity();
        var last = loop.last();
        fields.put("loop", loop.label());
        fields.put("loop_id", identity.id());
        fields.put("running", loop.runs());
        fields.put("thread", identity.thread());
        fields.put("thread_id", identity.threadId());
        fields.put("cpus", identity.cpus());
        fields.put("tasks_ride", identity.tasksRide());
        fields.put("tasks", last.map(LoopSnapshot::tasks).orElse(0));
        fields.put("connections", last.map(LoopSnapshot::connections).orElse(0));
        fields.put("handles", last.map(LoopSnapshot::handles).orElse(""));
        fields.put("stalls", loop.stalls().size());
        if (span != null) {
            rates(fields, span);
            times(fields, span);
        }
        return fields;
    }

    private static void rates(Map<String, @Nullable Object> fields, Span span) {
        fields.put("seconds", span.seconds());
        fields.put("busy_share", span.busyShare());
        fields.put("turns_per_second", span.perSecond(Counter.TURNS));
        fields.put("calls_per_second", span.perSecond(Counter.CALLS));
        fields.put("posts_per_second", span.perSecond(Counter.POSTS));
        fields.put("events_per_second", span.perSecond(Counter.EVENTS));
        fields.put("tasks_made_per_second", span.perSecond(Counter.TASKS_MADE));
        fields.put("offloaded_per_second", span.perSecond(Counter.OFFLOADED));
        fields.put("accepted_per_second", span.perSecond(Counter.ACCEPTED));
        fields.put("received_bytes_per_second", span.perSecond(Counter.BYTES_RECEIVED));
        fields.put("sent_bytes_per_second", span.perSecond(Counter.BYTES_SENT));
        fields.put("pauses_per_second", span.perSecond(Counter.PAUSES));
        fields.put("oversleeps", span.count(Counter.OVERSLEEPS));
        fields.put("ready_polls_share", span.shareOfPolls(Counter.POLLS_FOR_READY));
        fields.put("timer_polls_share", span.shareOfPolls(Counter.POLLS_FOR_TIMERS));
    }

    private static void times(Map<String, @Nullable Object> fields, Span span) {
        var turns = span.histogram(Distribution.TURNS);
        fields.put("turn_p50_us", turns.percentile(50) / 1e3);
        fields.put("turn_p99_us", turns.percentile(99) / 1e3);
        fields.put("turn_max_us", span.max(Distribution.TURNS) / 1e3);
        fields.put("turn_p50_by_weight_us", turns.weightedPercentile(50) / 1e3);
        fields.put(
                "ready_delay_p99_us", span.histogram(Distribution.READY_DELAY).percentile(99) / 1e3);
        fields.put("wake_delay_p99_us", span.histogram(Distribution.WAKE_DELAY).percentile(99) / 1e3);
        fields.put(
                "timer_lateness_p99_us",
                span.histogram(Distribution.TIMER_LATENESS).percentile(99) / 1e3);
        fields.put("turns_by_least_us", ranges(Sizes.counts(turns)));
        fields.put("polls_by_least_us", ranges(Sizes.counts(span.histogram(Distribution.POLLS))));
        var kinds = new LinkedHashMap<String, @Nullable Object>();
        for (var kind : WorkTime.values()) {
            kinds.put(kind.key(), span.count(kind.counter()) / 1e6);
        }
        fields.put("busy_ms_by_kind", kinds);
    }

    private static Map<String, Object> ranges(long[] counts) {
        var ranges = new LinkedHashMap<String, Object>();
        for (var i = 0; i < counts.length; i++) {
            ranges.put(Sizes.KEYS.get(i), counts[i]);
        }
        return ranges;
    }

    /** A stall. */
    public static Map<String, @Nullable Object> of(LoopReport loop, Stall stall) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("loop", loop.label());
        fields.put("at", stall.begin().toString());
        fields.put("lasted_ms", stall.nanos() / 1e6);
        fields.put("over", stall.over());
        fields.put("what", stall.what());
        fields.put("frame", stall.frame());
        fields.put("stack", stall.stack());
        return fields;
    }
}
