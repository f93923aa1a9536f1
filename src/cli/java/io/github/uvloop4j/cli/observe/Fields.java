package io.github.uvloop4j.cli.observe;

import java.time.Instant;
import java.util.Objects;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an event of any version of the library or the JVM: one that is not there, or is something else, reads as
 * empty or zero.
 *
 * @param event the event
 */
record Fields(RecordedEvent event) {
    String name() {
        return event.getEventType().getName();
    }

    Instant begin() {
        return event.getStartTime();
    }

    Instant end() {
        return event.getEndTime();
    }

    long nanos() {
        return nanosOf(event::getDuration);
    }

    String text(String field) {
        return Objects.requireNonNullElse(textOrNull(field), "");
    }

    @Nullable
    String textOrNull(String field) {
        return value(field) instanceof String text ? text : null;
    }

    long number(String field) {
        return value(field) instanceof Number number ? number.longValue() : 0;
    }

    double share(String field) {
        return value(field) instanceof Number number ? number.doubleValue() : 0;
    }

    boolean flag(String field) {
        return value(field) instanceof Boolean flag && flag;
    }

    long nanos(String field) {
        return event.hasField(field) ? nanosOf(() -> event.getDuration(field)) : 0;
    }

    @Nullable
    RecordedThread thread(String field) {
        return value(field) instanceof RecordedThread thread ? thread : null;
    }

    @Nullable
    RecordedThread thread() {
        return event.getThread();
    }

    @Nullable
    RecordedStackTrace stack() {
        return event.getStackTrace();
    }

    /** What a field says, be it a text or a class. */
    String about(String field) {
        return switch (field.isEmpty() ? null : value(field)) {
            case String text -> text;
            case RecordedClass type -> type.getName();
            case null, default -> "";
        };
    }

    private @Nullable Object value(String field) {
        return event.hasField(field) ? event.getValue(field) : null;
    }

    private interface Read {
        java.time.Duration read();
    }

    /** A span that never ends, or is none, is 0. */
    private static long nanosOf(Read read) {
        try {
            return Math.max(0, read.read().toNanos());
        } catch (ArithmeticException | IllegalArgumentException _) {
            return 0;
        }
    }
}
