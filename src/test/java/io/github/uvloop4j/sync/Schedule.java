package io.github.uvloop4j.sync;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/**
 * A random sequence of uses, cancels, time limits and turns on one object. After each come to rest, and at the end, the
 * object's promises are tested.
 */
abstract class Schedule {
    private static final int STEPS = 8;
    private static final Duration SOON = Duration.ofNanos(1);
    private static final Duration LATE = Duration.ofHours(1);

    final EventLoop loop;
    final Random random;
    private final ArrayList<Task<?>> live = new ArrayList<>();
    private final ArrayList<Event> gates = new ArrayList<>();

    Schedule(EventLoop loop, Random random) {
        this.loop = loop;
        this.random = random;
    }

    /** Something random with the object, from outside any task. */
    abstract void use();

    /** What holds when no task can go on by itself. */
    abstract void testAtRest();

    /** Lets everything go on that waits. */
    abstract void letGo();

    /** What holds at the end. */
    abstract void testAtEnd();

    final void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        rest();
        testAtRest();
        int rounds = 0;
        while (!live.isEmpty()) {
            require(++rounds < 100, "tasks hang");
            gates.forEach(Event::set);
            letGo();
            loop.runOnce();
            reap();
        }
        testAtEnd();
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> use();
            case 4, 5 -> {
                if (!live.isEmpty()) {
                    live.get(random.nextInt(live.size())).cancel();
                }
            }
            case 6 -> {
                if (!gates.isEmpty()) {
                    gates.remove(random.nextInt(gates.size())).set();
                }
            }
            case 7, 8 -> loop.runOnce();
            default -> {
                rest();
                testAtRest();
            }
        }
        reap();
    }

    private void rest() {
        for (int i = 0; i < 8; i++) {
            loop.runOnce();
        }
        reap();
    }

    private void reap() {
        live.removeIf(task -> {
            if (!task.isDone()) {
                return false;
            }
            var failure = task.failureOrNull();
            if (failure != null
                    && !(failure instanceof CancellationException)
                    && !(failure instanceof TimeoutException)) {
                throw new AssertionError(task + " failed", failure);
            }
            return true;
        });
    }

    /** AssertJ's own work would be most of a schedule's. */
    static void require(boolean promise, String what) {
        if (!promise) {
            throw new AssertionError(what);
        }
    }

    final void spawn(TaskBody body) {
        live.add(loop.spawn(body));
    }

    /** Holds up one task in so many until the schedule lets it go. */
    final void hold(int oneIn) {
        if (random.nextInt(oneIn) == 0) {
            var gate = new Event();
            gates.add(gate);
            try {
                gate.await();
            } finally {
                gates.remove(gate);
            }
        }
    }

    /** One time in three a limit that ends at once, one time in three a long one, else null. */
    final Duration limit() {
        return switch (random.nextInt(3)) {
            case 0 -> SOON;
            case 1 -> LATE;
            default -> Duration.ofSeconds(Long.MAX_VALUE);
        };
    }

    final boolean isUntimed(Duration limit) {
        return limit.getSeconds() == Long.MAX_VALUE;
    }
}
