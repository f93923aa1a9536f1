package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.dns.Resolver;
import io.github.uvloop4j.dns.Resolvers;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.util.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a loop is made. Immutable; each method that is named like a component returns a changed copy. Any thread.
 *
 * @param name the loop's name, which its own thread and its default workers carry
 * @param debug whether places of creation are recorded, buffers revoked after the call that lent them, and what is left
 *     when the loop is closed told
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
 * @param resolver who finds the addresses of hosts
 */
public record LoopOptions(
        String name,
        boolean debug,
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
        List<LoopObserver> observers,
        Resolver resolver) {
    /** What tasks ride on. */
    public enum Tasks {
        /** The loop thread where the JVM allows it, else the baton. */
        AUTO,
        /** The loop thread; {@code create} fails where the JVM does not allow it. */
        CARRIER,
        /** Virtual threads that run while the loop waits for them: slower, needs no flag. */
        BATON;

        private static Tasks parse(String text) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "auto" -> AUTO;
                case "carrier" -> CARRIER;
                case "baton" -> BATON;
                default -> throw new IllegalArgumentException("neither auto nor carrier nor baton");
            };
        }
    }

    private static final Predicate<Throwable> NONE_IS_FATAL = error -> false;

    /** Checks the ranges. */
    public LoopOptions {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(fatal, "fatal");
        Objects.requireNonNull(pinning, "pinning");
        Objects.requireNonNull(resolver, "resolver");
        if (receiveBuffer < 4096 || receiveBuffer > 16 << 20) {
            throw new IllegalArgumentException("receiveBuffer must be 4 KiB to 16 MiB: " + receiveBuffer);
        }
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
     * The defaults. Each of these may be set from outside, by a system property or else a variable of the environment:
     * {@code debug} by {@code uvloop4j.debug} or {@code UVLOOP4J_DEBUG} (true, false, 1, 0), {@code metrics} by
     * {@code uvloop4j.metrics} or {@code UVLOOP4J_METRICS}, {@code stallLimit} by {@code uvloop4j.stallMillis} or
     * {@code UVLOOP4J_STALL_MILLIS}, {@code tasks} by {@code uvloop4j.tasks} or {@code UVLOOP4J_TASKS} (auto, carrier,
     * baton). They are read anew each time.
     *
     * @throws IllegalArgumentException when one cannot be read; the message has its name and value
     */
    public static LoopOptions defaults() {
        return defaults(Settings.ofJvm());
    }

    static LoopOptions defaults(Settings settings) {
        return new LoopOptions(
                "uvloop4j",
                settings.truth("uvloop4j.debug", false),
                settings.value("uvloop4j.tasks", Tasks.AUTO, Tasks::parse),
                null,
                NONE_IS_FATAL,
                128 * 1024,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                List.of(),
                Pinning.NONE,
                settings.truth("uvloop4j.metrics", true),
                settings.value("uvloop4j.stallMillis", Duration.ofMillis(100), LoopOptions::millis),
                List.of(),
                Resolvers.jdk());
    }

    private static Duration millis(String text) {
        long millis;
        try {
            millis = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number of milliseconds", e);
        }
        if (millis < 0) {
            throw new IllegalArgumentException("it is negative");
        }
        return Duration.ofMillis(millis);
    }

    /** The components while one of them is changed. */
    private static final class Draft {
        private String name;
        private boolean debug;
        private Tasks tasks;
        private @Nullable Executor executor;
        private Predicate<Throwable> fatal;
        private int receiveBuffer;
        private Duration closeTimeout;
        private Duration cancelGrace;
        private List<ScopedValue<?>> propagate;
        private Pinning pinning;
        private boolean metrics;
        private Duration stallLimit;
        private List<LoopObserver> observers;
        private Resolver resolver;

        Draft(LoopOptions from) {
            name = from.name;
            debug = from.debug;
            tasks = from.tasks;
            executor = from.executor;
            fatal = from.fatal;
            receiveBuffer = from.receiveBuffer;
            closeTimeout = from.closeTimeout;
            cancelGrace = from.cancelGrace;
            propagate = from.propagate;
            pinning = from.pinning;
            metrics = from.metrics;
            stallLimit = from.stallLimit;
            observers = from.observers;
            resolver = from.resolver;
        }

        LoopOptions options() {
            return new LoopOptions(
                    name,
                    debug,
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
                    observers,
                    resolver);
        }
    }

    private LoopOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** A copy with another name. */
    public LoopOptions name(String value) {
        return with(draft -> draft.name = value);
    }

    /** A copy with debug mode on or off. */
    public LoopOptions debug(boolean value) {
        return with(draft -> draft.debug = value);
    }

    /** A copy with tasks that ride on something else. */
    public LoopOptions tasks(Tasks value) {
        return with(draft -> draft.tasks = value);
    }

    /** A copy with another executor. */
    public LoopOptions executor(@Nullable Executor value) {
        return with(draft -> draft.executor = value);
    }

    /** A copy with other fatal errors. */
    public LoopOptions fatal(Predicate<Throwable> value) {
        return with(draft -> draft.fatal = value);
    }

    /** A copy with another receive buffer. */
    public LoopOptions receiveBuffer(int value) {
        return with(draft -> draft.receiveBuffer = value);
    }

    /** A copy with another limit for closing. */
    public LoopOptions closeTimeout(Duration value) {
        return with(draft -> draft.closeTimeout = value);
    }

    /** A copy with another grace period for cancelled tasks. */
    public LoopOptions cancelGrace(Duration value) {
        return with(draft -> draft.cancelGrace = value);
    }

    /** A copy with other scoped values that tasks and callbacks get. */
    public LoopOptions propagate(ScopedValue<?>... values) {
        return with(draft -> draft.propagate = List.of(values));
    }

    /** A copy whose thread is pinned to CPUs, or not. */
    public LoopOptions pin(Pinning value) {
        return with(draft -> draft.pinning = value);
    }

    /** A copy whose thread must be pinned to some CPUs; to none: which is not pinned. */
    public LoopOptions pin(CpuSet cpus) {
        return pin(Pinning.to(cpus));
    }

    /** A copy that keeps statistics, or does not. */
    public LoopOptions metrics(boolean value) {
        return with(draft -> draft.metrics = value);
    }

    /** A copy with another limit from which on what keeps the loop is reported; zero for never. */
    public LoopOptions stallLimit(Duration value) {
        return with(draft -> draft.stallLimit = value);
    }

    /** A copy whose loop tells so many others what happens on it. */
    public LoopOptions observe(LoopObserver... value) {
        return with(draft -> draft.observers = List.of(value));
    }

    /** A copy whose loop finds the addresses of hosts in another way. */
    public LoopOptions resolver(Resolver value) {
        return with(draft -> draft.resolver = value);
    }
}
