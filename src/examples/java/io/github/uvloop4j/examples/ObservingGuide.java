package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingStream;

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
        record();
    }

    private static void serve(EventLoop loop) throws Exception {
        long end = loop.time() + TimeUnit.MILLISECONDS.toNanos(50);
        while (loop.time() - end < 0) {
            loop.runInExecutor(() -> 6 * 7).await();
        }
    }

    private static void record() throws Exception {
        try (var recording = new RecordingStream();
                var loop = EventLoop.create().start()) {
            recording.enable("uvloop4j.Task").withThreshold(Duration.ofMillis(10));
            recording.onEvent(
                    "uvloop4j.Task",
                    task -> System.out.println(task.getString("name") + ' ' + task.getString("outcome") + " after "
                            + task.getDuration().toMillis() + " ms"));
            recording.startAsync();
            loop.call(() -> Task.sleep(Duration.ofMillis(20)));
            recording.stop();
        }
    }
}
