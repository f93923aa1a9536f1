package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/** Timers, tasks, futures, threads: the rest of the loop in one page. */
public final class Tour {
    private Tour() {}

    /** Runs the tour. */
    public static void main(String[] args) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name("tour"))) {
            loop.run(() -> {
                timers(loop);
                tasks(loop);
                threads(loop);
            });
        }
    }

    private static void timers(EventLoop loop) throws Exception {
        var fired = loop.<String>createFuture();
        loop.callLater(Duration.ofMillis(10), () -> fired.complete("10 ms are over"));
        System.out.println(fired.await());
    }

    private static void tasks(EventLoop loop) throws Exception {
        var slow = loop.spawn(() -> {
            Thread.sleep(60_000); // parks only the task, when tasks ride on the loop thread
            return "never";
        });
        loop.callSoon(slow::cancel);
        try {
            slow.await();
        } catch (CancellationException expected) {
            System.out.println("cancelled");
        }
    }

    private static void threads(EventLoop loop) throws Exception {
        int answer = loop.runInExecutor(() -> 6 * 7).await(); // blocking work, off the loop
        System.out.println(answer);

        var posted = loop.<Thread>createFuture();
        Thread.ofPlatform().start(() -> loop.post(() -> posted.complete(Thread.currentThread())));
        System.out.println("posted to " + posted.await().getName());
    }
}
