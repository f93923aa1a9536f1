package io.github.uvloop4j.observe.opentelemetry;

/**
 * What {@link LoopTraces} makes spans of. Immutable; each method that is named like a component returns a changed copy.
 * Any thread.
 *
 * @param tasks a span for each task
 * @param connections a span for each connection
 */
public record TraceOptions(boolean tasks, boolean connections) {
    private static final TraceOptions DEFAULTS = new TraceOptions(true, false);

    /**
     * The defaults: tasks, but no connections, whose spans only come when they are over, which may take days.
     */
    public static TraceOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with spans for tasks, or without. */
    public TraceOptions tasks(boolean value) {
        return new TraceOptions(value, connections);
    }

    /** A copy with spans for connections, or without. */
    public TraceOptions connections(boolean value) {
        return new TraceOptions(tasks, value);
    }
}
