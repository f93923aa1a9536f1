package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.observe.LoopObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries OpenTelemetry's context into the tasks of loops, and makes spans of tasks and connections.
 *
 * {@snippet :
 * var options = LoopOptions.defaults().observe(new LoopTraces(openTelemetry));
 * }
 *
 * <p>A task has the context that was current where it was made, until it ends; with {@link TraceOptions#tasks} that of a
 * span of its own, whose parent is the span that was current there. What is current in a task is so in no other, nor on
 * the bare thread of the loop. Callbacks and posts have no context but the one that their makers wrap them in.
 *
 * <p>Not with several observers of this kind on one loop. Any thread.
 */
public final class LoopTraces implements LoopObserver {
    private final Tracer tracer;
    private final TraceOptions options;
    private final Map<Task<?>, TracedTask> tasks = new ConcurrentHashMap<>();
    private final Map<ConnectionLife, Span> connections = new ConcurrentHashMap<>();

    /** With the default options. */
    public LoopTraces(OpenTelemetry openTelemetry) {
        this(openTelemetry, TraceOptions.defaults());
    }

    /** With options. */
    public LoopTraces(OpenTelemetry openTelemetry, TraceOptions options) {
        this.tracer = openTelemetry.getTracer(Names.SCOPE);
        this.options = options;
    }

    @Override
    public void taskMade(Task<?> task) {
        var here = Context.current();
        if (options.tasks()) {
            tasks.put(task, TracedTask.spanned(tracer, task, here));
        } else if (here != Context.root()) {
            tasks.put(task, TracedTask.plain(here));
        }
    }

    @Override
    public void taskBegins(Task<?> task) {
        var traced = tasks.get(task);
        if (traced != null) {
            traced.begin();
        }
    }

    @Override
    public void taskEnded(Task<?> task) {
        var traced = tasks.remove(task);
        if (traced != null) {
            traced.end(task);
        }
    }

    @Override
    public void connectionOpened(ConnectionLife connection) {
        if (options.connections()) {
            connections.put(connection, ConnectionSpans.begin(tracer, connection));
        }
    }

    @Override
    public void connectionClosed(ConnectionLife connection, @Nullable Throwable cause) {
        var span = connections.remove(connection);
        if (span != null) {
            ConnectionSpans.end(span, connection, cause);
        }
    }
}
