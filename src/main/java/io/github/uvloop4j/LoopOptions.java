package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.observe.LoopObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a loop is made. Immutable; each method that is named like a component returns a changed copy. Any thread.
 *
 * @param name the loop's name, which its own thread and its default workers carry
 * @param debug whether places of creation are recorded and slow callbacks reported
 * @param slowCallback from which duration on a callback is slow, in debug mode
 * @param tasks what tasks ride on
 * @param executor where {@code runInExecutor} runs, or null for virtual threads of the JVM's scheduler
 * @param fatal which errors stop the loop and leave {@code run}, instead of going to the exception handler
 * @param receiveBuffer how many bytes one read can bring, 4 KiB to 16 MiB
 * @param closeTimeout how long {@code close} waits for cancelled tasks to end
 * @param cancelGrace how long a cancelled task may take to end before it is reported and cancelled again; zero is for
 *     ever
 * @param propagate scoped values that tasks and callbacks get as they were bound where those were made
 * @param pinning to which CPUs the thread is pinned that runs the loop: its own one for good, the one that calls a
 *     {@code run} method until that returns; {@code runOnce} pins nobody
 * @param metrics whether {@link EventLoop#statistics} are kept
 * @param stallLimit how long a call, callback or step of a task may keep the loop before it is reported; zero for ever
 * @param observers who is told what happens on it, beside the JVM's flight recorder
 */
public record LoopOptions(
        String name,
        boolean debug,
        Duration slowCallback,
        Tasks tasks,
        @Nullable Executor executor,
        Predicate<Throwable> fatal,
        int receiveBuffer,
        Duration closeTimeout,
        Duration cancelGrace,
        List<ScopedValue<?>> propagate,
        Pinning pinning,
        boolean metrics,
        Duration stallLimit,
        List<LoopObserver> observers) {
    /** What tasks ride on. */
    public enum Tasks {
        /** The loop thread where the JVM allows it, else the baton. */
        AUTO,
        /** The loop thread; {@code create} fails where the JVM does not allow it. */
        CARRIER,
        /** Virtual threads that run while the loop waits for them: slower, needs no flag. */
        BATON
    }

    private static final LoopOptions DEFAULTS = new LoopOptions(
            "uvloop4j",
            Boolean.getBoolean("uvloop4j.debug"),
            Duration.ofMillis(100),
            Tasks.valueOf(System.getProperty("uvloop4j.tasks", "auto").toUpperCase(java.util.Locale.ROOT)),
            null,
            error -> false,
            128 * 1024,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            List.of(),
            Pinning.NONE,
            Boolean.parseBoolean(System.getProperty("uvloop4j.metrics", "true")),
            Duration.ofMillis(Long.getLong("uvloop4j.stallMillis", 100)),
            List.of());

    /** Checks the ranges. */
    public LoopOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(fatal, "fatal");
        Objects.requireNonNull(pinning, "pinning");
        if (receiveBuffer < 4096 || receiveBuffer > 16 << 20) {
            throw new IllegalArgumentException("receiveBuffer must be 4 KiB to 16 MiB: " + receiveBuffer);
        }
        notNegative(slowCallback, "slowCallback");
        notNegative(closeTimeout, "closeTimeout");
        notNegative(cancelGrace, "cancelGrace");
        notNegative(stallLimit, "stallLimit");
        propagate = List.copyOf(propagate);
        observers = List.copyOf(observers);
    }

    private static void notNegative(Duration duration, String name) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + " is negative: " + duration);
        }
    }

    /**
     * The defaults; {@code debug}, {@code metrics}, {@code stallLimit} and {@code tasks} follow the system properties
     * {@code uvloop4j.debug}, {@code uvloop4j.metrics}, {@code uvloop4j.stallMillis} and {@code uvloop4j.tasks} ({@code auto}, {@code carrier}, {@code baton}).
     */
    public static LoopOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with another name. */
    public LoopOptions name(String value) {
        return new LoopOptions(
                value,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with debug mode on or off. */
    public LoopOptions debug(boolean value) {
        return new LoopOptions(
                name,
                value,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with another limit for slow callbacks. */
    public LoopOptions slowCallback(Duration value) {
        return new LoopOptions(
                name,
                debug,
                value,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with tasks that ride on something else. */
    public LoopOptions tasks(Tasks value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                value,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with another executor. */
    public LoopOptions executor(@Nullable Executor value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                value,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with other fatal errors. */
    public LoopOptions fatal(Predicate<Throwable> value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                value,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with another receive buffer. */
    public LoopOptions receiveBuffer(int value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                value,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with another limit for closing. */
    public LoopOptions closeTimeout(Duration value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                value,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with another grace period for cancelled tasks. */
    public LoopOptions cancelGrace(Duration value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                value,
                propagate,
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy with other scoped values that tasks and callbacks get. */
    public LoopOptions propagate(ScopedValue<?>... values) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                List.of(values),
                pinning,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy whose thread is pinned to CPUs, or not. */
    public LoopOptions pin(Pinning value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                value,
                metrics,
                stallLimit,
                observers);
    }

    /** A copy whose thread must be pinned to some CPUs; to none: which is not pinned. */
    public LoopOptions pin(CpuSet cpus) {
        return pin(Pinning.to(cpus));
    }

    /** A copy that keeps statistics, or does not. */
    public LoopOptions metrics(boolean value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                value,
                stallLimit,
                observers);
    }

    /** A copy with another limit from which on what keeps the loop is reported; zero for never. */
    public LoopOptions stallLimit(Duration value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                value,
                observers);
    }

    /** A copy whose loop tells so many others what happens on it. */
    public LoopOptions observe(LoopObserver... value) {
        return new LoopOptions(
                name,
                debug,
                slowCallback,
                tasks,
                executor,
                fatal,
                receiveBuffer,
                closeTimeout,
                cancelGrace,
                propagate,
                pinning,
                metrics,
                stallLimit,
                List.of(value));
    }
}
