package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.cli.CliFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jdk.jfr.consumer.RecordedEvent;
import jdk.management.jfr.RemoteRecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Watches a JVM of this machine by its own flight recorder, through its management. It needs no flag there and leaves
 * nothing behind: the recording is closed with this, and when this JVM ends. Any thread.
 */
public final class LiveSource implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final Duration LEAST_PERIOD = Duration.ofSeconds(1);

    private final long pid;
    private final Attachment attachment;
    private final RemoteRecordingStream stream;
    private final SafetyLimit limit;
    private final Collector collector;
    private final long begin = System.nanoTime();
    private final Map<Long, ThreadSchedule> schedules = new HashMap<>();
    private final CompletableFuture<?> ended;
    private final Thread closer = new Thread(this::closeRecording, "close-recording");
    private volatile @Nullable Throwable failure;

    private LiveSource(
            long pid, Attachment attachment, RemoteRecordingStream stream, SafetyLimit limit, Collector collector) {
        this.pid = pid;
        this.attachment = attachment;
        this.stream = stream;
        this.limit = limit;
        this.collector = collector;
        this.ended = ProcessHandle.of(pid)
                .map(ProcessHandle::onExit)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /**
     * Begins to watch.
     *
     * @param pid the process
     * @param period how often loops tell their numbers
     * @param all whether also what tasks do, what blocks threads and what they run is to be recorded
     * @param keep how many entries of each list are kept
     * @throws CliFailure if that cannot be done
     */
    public static LiveSource watch(long pid, Duration period, boolean all, int keep) {
        var attachment = Attachment.to(pid);
        try {
            var limit = SafetyLimit.before(attachment.connection());
            var stream = new RemoteRecordingStream(attachment.connection());
            limit.made();
            var source = new LiveSource(pid, attachment, stream, limit, new Collector(keep));
            Runtime.getRuntime().addShutdownHook(source.closer);
            stream.setSettings(settings(period.compareTo(LEAST_PERIOD) < 0 ? LEAST_PERIOD : period, all));
            stream.setMaxAge(Duration.ofSeconds(30));
            stream.setReuse(true);
            stream.onEvent(source::take);
            stream.onError(source::failed);
            stream.startAsync();
            source.goesOnFor(period);
            return source;
        } catch (IOException | RuntimeException e) {
            attachment.close();
            throw new CliFailure("cannot record process " + pid + ": " + e.getMessage());
        }
    }

    private static Map<String, String> settings(Duration period, boolean all) {
        var settings = new HashMap<String, String>();
        for (var event : all ? LoopEvents.WANTED : LoopEvents.LIGHT) {
            settings.put(event + "#enabled", "true");
        }
        settings.put(LoopEvents.LOOP + "#period", period.toMillis() + " ms");
        settings.put("jdk.CPULoad#enabled", "true");
        settings.put("jdk.CPULoad#period", "1 s");
        if (all) {
            for (var event : Collector.jdkEvents()) {
                settings.put(event + "#enabled", "true");
                settings.put(event + "#stackTrace", "true");
            }
            Collector.waitEvents().forEach(event -> settings.put(event + "#threshold", "10 ms"));
            settings.put("jdk.ExecutionSample#period", "20 ms");
            settings.put(LoopEvents.LOOKUP + "#threshold", "20 ms");
        }
        return settings;
    }

    /**
     * The recording may be needed for so long from now on: if this JVM is killed, the other one ends it a while after
     * that.
     */
    public void goesOnFor(Duration time) {
        try {
            limit.endAfter(
                    Duration.ofNanos(System.nanoTime() - begin).plus(time).plus(GRACE));
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void take(RecordedEvent event) {
        synchronized (collector) {
            collector.accept(event);
        }
    }

    private void failed(Throwable problem) {
        failure = problem;
    }

    /** Whether the other JVM has ended, or cannot be heard any more. */
    public boolean hasEnded() {
        return ended.isDone() || failure != null;
    }

    /** Waits so long, or until the other JVM ends; returns whether it has. */
    public boolean await(Duration time) throws InterruptedException {
        try {
            ended.get(Math.max(1, time.toMillis()), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException _) {
            return hasEnded();
        } catch (java.util.concurrent.ExecutionException _) {
            return true;
        }
    }

    /** Whether a loop was seen. */
    public boolean hasLoops() {
        synchronized (collector) {
            return collector.hasLoops();
        }
    }

    /** Looks at the threads of the loops, as the kernel sees them; from time to time, so that the first look is early. */
    public void look() {
        synchronized (collector) {
            for (var id : collector.ids()) {
                var loop = collector.loop(id);
                var thread = loop == null ? 0 : loop.identity().threadId();
                if (loop != null && thread > 0) {
                    var schedule = schedules.get(id);
                    if (schedule == null || schedule.thread() != thread) {
                        schedule = ThreadSchedule.begin(pid, thread);
                        schedules.put(id, schedule);
                    }
                    var seen = schedule.since();
                    if (seen != null) {
                        loop.schedule(seen);
                    }
                }
            }
        }
    }

    /** What was seen so far. */
    public Observation observation() {
        synchronized (collector) {
            return collector.observation(source());
        }
    }

    /** What was seen last; it forgets what was before. */
    public Observation present() {
        synchronized (collector) {
            collector.forgetOldSnapshots();
            return collector.observation(source());
        }
    }

    private String source() {
        return "process " + pid;
    }

    /** Ends the recording, waits until all that it holds has come, and looks for loops that are stuck. */
    public void finish() throws InterruptedException {
        if (!hasEnded()) {
            var stopper = Thread.ofPlatform().daemon().name("stop-recording").start(this::stop);
            stopper.join(CLOSE_LIMIT);
        }
    }

    private void stop() {
        try {
            stream.stop();
            findStuck();
        } catch (IOException | RuntimeException e) {
            failed(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void findStuck() throws IOException, InterruptedException {
        var threads = new HashMap<Long, Long>();
        synchronized (collector) {
            for (var id : collector.ids()) {
                var loop = collector.loop(id);
                if (loop != null && loop.thread() > 0 && makesNoTurns(loop.report())) {
                    threads.put(id, loop.thread());
                }
            }
        }
        var found = StuckLoops.find(attachment.connection(), threads);
        synchronized (collector) {
            found.forEach((id, stack) -> {
                var loop = collector.loop(id);
                if (loop != null) {
                    loop.stuckAt(stack);
                }
            });
        }
    }

    private static boolean makesNoTurns(LoopReport loop) {
        return loop.runs()
                && loop.whole()
                        .map(span -> span.from().running() && span.count(Counter.TURNS) == 0)
                        .orElse(false);
    }

    private void closeRecording() {
        try {
            stream.close();
        } catch (RuntimeException _) {
            // The other JVM is gone, and the recording with it.
        }
        attachment.close();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(closer);
        } catch (IllegalStateException _) {
            return;
        }
        closer.setDaemon(true);
        closer.start();
        try {
            closer.join(CLOSE_LIMIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
