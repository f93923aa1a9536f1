package io.github.uvloop4j.cli.launch;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopApplication;
import io.github.uvloop4j.affinity.AffinityException;
import io.github.uvloop4j.cli.process.Signals;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One run of a {@link LoopApplication}: its group, the signals that stop it, and what is done if it does not stop. */
final class ApplicationRun {
    /** By how much a group's shutdown may exceed its limit: blocked callbacks are waited for. */
    static final Duration SLACK = Duration.ofSeconds(10);

    private static final long RETURN_SECONDS = 2;
    private static final long INTERRUPT_SECONDS = 1;
    private static final int FAILURE = 1;
    private static final int BAD_ARGUMENTS = 2;
    private static final int HIGHEST_STATUS = 255;

    private final GroupOptions options;
    private final Thread thread;
    private final CountDownLatch returned = new CountDownLatch(1);
    private @Nullable EventLoopGroup group;
    private @Nullable Signals stop;

    /** A run on a thread, which is the calling one. */
    ApplicationRun(GroupOptions options, Thread thread) {
        this.options = options;
        this.thread = thread;
    }

    /** Runs it to its end; returns the exit status. */
    int run(Constructor<? extends LoopApplication> constructor, List<String> arguments) {
        listen();
        LoopApplication application;
        try {
            application = constructor.newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            (e.getCause() == null ? e : e.getCause()).printStackTrace();
            return FAILURE;
        }
        EventLoopGroup made;
        try {
            made = EventLoopGroup.create(options);
        } catch (IllegalArgumentException e) {
            ApplicationMain.complain(e.getMessage());
            return BAD_ARGUMENTS;
        } catch (AffinityException | LinkageError e) {
            ApplicationMain.complain(e.getMessage());
            return FAILURE;
        }
        return run(application, made, arguments);
    }

    private void listen() {
        for (var signal : Signals.values()) {
            if (!signal.handle(() -> stop(signal)) && signal == Signals.TERM) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(signal), "launch-stop"));
            }
        }
        ParentWatch.start(() -> stop(Signals.HUP));
    }

    private int run(LoopApplication application, EventLoopGroup made, List<String> arguments) {
        var early = started(made);
        if (early != null) {
            made.shutdown(Duration.ZERO);
            return early.exitStatus();
        }
        int status;
        Throwable failure = null;
        try {
            status = checked(application.run(made, arguments));
        } catch (Throwable error) {
            failure = error;
            status = status(error);
        }
        returned();
        try {
            made.shutdown(options.shutdownTimeout());
        } catch (Throwable error) {
            if (error != failure) {
                error.printStackTrace();
            }
            return status == 0 ? FAILURE : status;
        }
        return status;
    }

    private static int checked(int status) {
        if (status < 0 || status > HIGHEST_STATUS) {
            ApplicationMain.complain("the application returned " + status + ", which is no exit status (0 to 255)");
            return FAILURE;
        }
        return status;
    }

    private synchronized int status(Throwable error) {
        if (stop != null && (error instanceof RejectedExecutionException || error instanceof InterruptedException)) {
            // It was stopped before it served, or would not stop by itself.
            return stop.exitStatus();
        }
        error.printStackTrace();
        return FAILURE;
    }

    private synchronized void returned() {
        returned.countDown();
        // An interrupt that came a moment late must not hit what follows.
        Thread.interrupted();
    }

    /** The group is there; the signal that came before, if one did. */
    private synchronized @Nullable Signals started(EventLoopGroup made) {
        group = made;
        return stop;
    }

    private synchronized void stop(Signals signal) {
        if (stop != null) {
            return;
        }
        stop = signal;
        var running = group;
        if (running != null) {
            var end = running.shutdownAsync(options.shutdownTimeout());
            Thread.ofPlatform().daemon().name("launch-stop").start(() -> {
                try {
                    end.get(options.shutdownTimeout().plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException | java.util.concurrent.ExecutionException _) {
                    // Whatever became of the group, the application has to return now.
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
                insist();
            });
        }
    }

    private void insist() {
        try {
            if (returned.await(RETURN_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            interrupt();
            if (returned.await(INTERRUPT_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            // Then at once.
        }
        ApplicationMain.complain("the application was stopped and interrupted, but its run() does not return: exiting");
        Runtime.getRuntime().halt(FAILURE);
    }

    private synchronized void interrupt() {
        if (returned.getCount() > 0) {
            thread.interrupt();
        }
    }

    /** Where signals cannot be handled: the JVM is going down already. */
    private void stopAndWait(Signals signal) {
        stop(signal);
        try {
            returned.await(options.shutdownTimeout().plus(SLACK).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
