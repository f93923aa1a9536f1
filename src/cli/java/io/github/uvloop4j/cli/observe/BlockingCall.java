package io.github.uvloop4j.cli.observe;

/**
 * Blocking calls that the guard has found.
 *
 * @param call what was called
 * @param frame where, or the task that called it
 * @param times how often
 */
public record BlockingCall(String call, String frame, long times) {}
