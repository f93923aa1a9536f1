package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import java.io.IOException;

/** What tests of tasks do all the time; time is counted in turns of the loop. */
final class Turns {
    private Turns() {}

    /** Runs enough turns for whatever is ready to get anywhere. */
    static void some(EventLoop loop) {
        for (int i = 0; i < 8; i++) {
            loop.runOnce();
        }
    }

    /** Waits for a turn. In a task. */
    static void one() throws Exception {
        var loop = EventLoop.current();
        var turn = loop.<String>createFuture();
        loop.callSoon(() -> turn.complete("x"));
        turn.await();
    }

    /** Waits for some turns. In a task. */
    static void wait(int turns) throws Exception {
        for (int i = 0; i < turns; i++) {
            one();
        }
    }

    /** Awaits what never comes. In a task. */
    static void forever() throws Exception {
        EventLoop.current().createFuture().await();
    }

    /** Runs an action so many turns from now. On the loop. */
    static void later(EventLoop loop, int turns, Runnable action) {
        loop.callSoon(() -> {
            if (turns <= 1) {
                action.run();
            } else {
                later(loop, turns - 1, action);
            }
        });
    }

    static TaskBody failing(String message) {
        return () -> {
            throw new IOException(message);
        };
    }

    /** Awaits for ever and fails in its clean-up. */
    static TaskBody failingWhenCancelled(String message) {
        return () -> {
            try {
                forever();
            } finally {
                failing(message).run();
            }
        };
    }

    /** A task that is not being cancelled any more has neither requests nor an interrupt flag. In a task. */
    static void assertBalanced() throws Exception {
        assertThat(Task.current().cancelling()).as("open requests").isZero();
        assertThat(Thread.currentThread().isInterrupted())
                .as("the interrupt flag")
                .isFalse();
        one();
    }
}
