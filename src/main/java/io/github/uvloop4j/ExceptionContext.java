package io.github.uvloop4j;

import org.jspecify.annotations.Nullable;

/**
 * An error that no caller could receive.
 *
 * @param message what happened, for people
 * @param exception the error
 * @param source what failed: a callback, task, protocol, transport or handle; null when unknown
 * @param creation where the source was created, in debug mode; else null
 */
public record ExceptionContext(
        String message,
        Throwable exception,
        @Nullable Object source,
        @Nullable Throwable creation) {}
