package io.github.uvloop4j.cli;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.FlightRecorder;
import jdk.jfr.RecordingState;

/** What {@link TopTest} and {@link DoctorTest} look at. Each says when it is ready, and ends with its standard input. */
public final class ObservedApps {
    private ObservedApps() {}

    private static void ready() throws Exception {
        System.out.println("ready");
        while (System.in.read() >= 0) {
            // Whoever started this holds it open.
        }
    }

    /**
     * Keeps its loop for 300 ms, again and again, and has another that is idle. With a number as its argument it ends once
     * so many of these stalls were seen while it was recorded.
     */
    public static final class Stalls {
        private Stalls() {}

        static void crunchNumbers() {
            var end = System.nanoTime() + 300_000_000;
            while (System.nanoTime() - end < 0) {
                Thread.onSpinWait();
            }
        }

        private static void keepAgain(EventLoop loop) {
            loop.callLater(Duration.ofMillis(200), () -> {
                crunchNumbers();
                keepAgain(loop);
            });
        }

        private static boolean isRecorded() {
            return FlightRecorder.isInitialized()
                    && FlightRecorder.getFlightRecorder().getRecordings().stream()
                            .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
        }

        /** Runs. */
        public static void main(String[] args) throws Exception {
            var loop = EventLoop.create(LoopOptions.defaults().name("stalls")).start();
            EventLoop.create(LoopOptions.defaults().name("idle")).start();
            var left = new AtomicInteger(args.length == 0 ? Integer.MAX_VALUE : Integer.parseInt(args[0]));
            loop.stallHandler(stall -> {
                if (isRecorded() && left.decrementAndGet() == 0) {
                    System.exit(0);
                }
            });
            loop.post(() -> keepAgain(loop));
            ready();
            System.exit(0);
        }
    }

    /** Has a loop that waits for ever, and one that is idle. */
    public static final class Stuck {
        private Stuck() {}

        static void waitForEver() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        /** Runs. */
        public static void main(String[] args) throws Exception {
            var loop = EventLoop.create(LoopOptions.defaults().name("stuck")).start();
            loop.stallHandler(stall -> {});
            loop.post(() -> {
                try {
                    waitForEver();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            EventLoop.create(LoopOptions.defaults().name("idle")).start();
            ready();
            System.exit(0);
        }
    }

    /** Has no loop. */
    public static final class NoLoop {
        private NoLoop() {}

        /** Runs. */
        public static void main(String[] args) throws Exception {
            ready();
        }
    }
}
