package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import java.util.concurrent.TimeUnit;

/** What the guide "Observing" shows, as a program that runs. */
public final class ObservingGuide {
    private ObservingGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            var before = loop.statistics();
            serve(loop);
            var since = loop.statistics().since(before);
            System.out.println("busy for " + Math.round(100 * since.busyShare()) + " % of the time");
            System.out.println("99 of 100 turns took at most " + since.turns().percentile(99) / 1000 + " us");
            System.out.println("half of the busy time went by in turns of up to "
                    + since.turns().weightedPercentile(50) / 1000 + " us");
        });
    }

    private static void serve(EventLoop loop) throws Exception {
        long end = loop.time() + TimeUnit.MILLISECONDS.toNanos(50);
        while (loop.time() - end < 0) {
            loop.runInExecutor(() -> 6 * 7).await();
        }
    }
}
