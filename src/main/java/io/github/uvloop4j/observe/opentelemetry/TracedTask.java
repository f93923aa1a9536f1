package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The context of a task, with a span of its own or without. */
final class TracedTask {
    private static final AttributeKey<String> NAME = AttributeKey.stringKey("uvloop4j.task.name");
    private static final AttributeKey<Long> ID = AttributeKey.longKey("uvloop4j.task.id");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("uvloop4j.task.outcome");

    /** What tells apart tasks that do the same: spans of one name are counted together. */
    private static final Pattern NUMBER = Pattern.compile("-\\d+$");

    private final Context context;
    private final @Nullable Span span;
    private @Nullable Scope scope;
    private @Nullable Thread thread;

    private TracedTask(Context context, @Nullable Span span) {
        this.context = context;
        this.span = span;
    }

    static TracedTask plain(Context context) {
        return new TracedTask(context, null);
    }

    static TracedTask spanned(Tracer tracer, Task<?> task, Context parent) {
        var span = tracer.spanBuilder(NUMBER.matcher(task.name()).replaceFirst(""))
                .setParent(parent)
                .setAttribute(NAME, task.name())
                .setAttribute(ID, task.id())
                .startSpan();
        return new TracedTask(parent.with(span), span);
    }

    /** In the task. */
    @SuppressWarnings("MustBeClosedChecker") // the task's end closes it
    void begin() {
        if (span != null) {
            span.setAttribute(Names.LOOP, EventLoop.current().options().name());
            span.addEvent("begin");
        }
        thread = Thread.currentThread();
        scope = context.makeCurrent();
    }

    /** In the task, or elsewhere when it was cut short: its thread never runs again then. */
    void end(Task<?> task) {
        if (scope != null && thread == Thread.currentThread()) {
            scope.close();
        }
        if (span != null) {
            span.setAttribute(OUTCOME, outcome(task, span));
            span.end();
        }
    }

    private static String outcome(Task<?> task, Span span) {
        if (task.isCancelled()) {
            return "cancelled";
        }
        var failure = task.failureOrNull();
        if (failure == null) {
            return "completed";
        }
        span.recordException(failure);
        span.setStatus(StatusCode.ERROR);
        return "failed";
    }
}
