package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Placement;
import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a group of loops is made. Immutable; each method that is named like a component and takes a value returns a changed
 * copy. Any thread.
 *
 * @param loops how many, 0 to 65,536; 0 for as many as the placement has room for, which without one is as many as there
 *     are CPUs to use, the quota of a container included
 * @param placement which CPUs each loop gets
 * @param cpus the CPUs to place them on; the empty set stands for all that the process may use
 * @param required whether a loop that cannot be pinned fails the group; otherwise that is logged and the loop runs on
 * @param localMemory whether the memory of each pinned loop is to come from its NUMA node if there is some left
 * @param steering how connections come to the loops
 * @param rebalance whether a loop that has clearly more connections than another passes new ones on to it
 * @param shutdownTimeout how long {@link EventLoopGroup#close} lets connections and tasks end by themselves
 * @param shutdownHook whether the group is shut down when the JVM ends
 * @param loop how each loop is made; its name is the prefix of theirs
 * @param exceptionHandler who is told the errors of all loops that nobody received, on the loop's thread; null logs them
 */
public record GroupOptions(
        int loops,
        Placement placement,
        CpuSet cpus,
        boolean required,
        boolean localMemory,
        Steering steering,
        boolean rebalance,
        Duration shutdownTimeout,
        boolean shutdownHook,
        LoopOptions loop,
        @Nullable BiConsumer<EventLoop, ExceptionContext> exceptionHandler) {
    private static final int MOST_LOOPS = 65_536;

    /** Checks the ranges. */
    public GroupOptions {
        if (loops < 0 || loops > MOST_LOOPS) {
            throw new IllegalArgumentException("loops must be 0 to " + MOST_LOOPS + ": " + loops);
        }
        Objects.requireNonNull(placement, "placement");
        Objects.requireNonNull(cpus, "cpus");
        Objects.requireNonNull(steering, "steering");
        Objects.requireNonNull(loop, "loop");
        Durations.notNegative(shutdownTimeout, "shutdownTimeout");
    }

    /**
     * The defaults: unpinned loops, one for each CPU. The system properties that the command {@code launch} sets change
     * them: {@code uvloop4j.loops}, {@code uvloop4j.placement}, {@code uvloop4j.cpus}, {@code uvloop4j.pinning}
     * ({@code required}, {@code optional}), {@code uvloop4j.localMemory}, {@code uvloop4j.steering},
     * {@code uvloop4j.rebalance}, {@code uvloop4j.shutdownSeconds}, {@code uvloop4j.shutdownHook}.
     *
     * @throws IllegalArgumentException when a property cannot be read; the message names it
     */
    public static GroupOptions defaults() {
        return GroupProperties.read(System::getProperty);
    }

    /**
     * Checks that a group can be made with these options, and can serve, on this machine; without making it.
     *
     * @throws IllegalArgumentException when the placement has no room for the loops, or they cannot be steered to
     * @throws io.github.uvloop4j.affinity.AffinityException when pinning is required, and CPUs may not be used
     */
    public void check() {
        GroupSteering.check(this);
    }

    /** The components while one of them is changed. */
    private static final class Draft {
        private int loops;
        private Placement placement;
        private CpuSet cpus;
        private boolean required;
        private boolean localMemory;
        private Steering steering;
        private boolean rebalance;
        private Duration shutdownTimeout;
        private boolean shutdownHook;
        private LoopOptions loop;
        private @Nullable BiConsumer<EventLoop, ExceptionContext> exceptionHandler;

        Draft(GroupOptions from) {
            loops = from.loops;
            placement = from.placement;
            cpus = from.cpus;
            required = from.required;
            localMemory = from.localMemory;
            steering = from.steering;
            rebalance = from.rebalance;
            shutdownTimeout = from.shutdownTimeout;
            shutdownHook = from.shutdownHook;
            loop = from.loop;
            exceptionHandler = from.exceptionHandler;
        }

        GroupOptions options() {
            return new GroupOptions(
                    loops,
                    placement,
                    cpus,
                    required,
                    localMemory,
                    steering,
                    rebalance,
                    shutdownTimeout,
                    shutdownHook,
                    loop,
                    exceptionHandler);
        }
    }

    private GroupOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** A copy with another number of loops, 0 to 65,536. */
    public GroupOptions loops(int value) {
        return with(draft -> draft.loops = value);
    }

    /** A copy with another placement. */
    public GroupOptions placement(Placement value) {
        return with(draft -> draft.placement = value);
    }

    /** A copy with other CPUs to place the loops on. */
    public GroupOptions cpus(CpuSet value) {
        return with(draft -> draft.cpus = value);
    }

    /** A copy in which pinning is required, or not. */
    public GroupOptions required(boolean value) {
        return with(draft -> draft.required = value);
    }

    /** A copy in which memory is to come from the loop's NUMA node, or not. */
    public GroupOptions localMemory(boolean value) {
        return with(draft -> draft.localMemory = value);
    }

    /** A copy with another steering. */
    public GroupOptions steering(Steering value) {
        return with(draft -> draft.steering = value);
    }

    /** A copy in which loops pass connections on, or not. */
    public GroupOptions rebalance(boolean value) {
        return with(draft -> draft.rebalance = value);
    }

    /** A copy with another limit for {@link EventLoopGroup#close}. */
    public GroupOptions shutdownTimeout(Duration value) {
        return with(draft -> draft.shutdownTimeout = value);
    }

    /** A copy whose group is shut down when the JVM ends, or not. */
    public GroupOptions shutdownHook(boolean value) {
        return with(draft -> draft.shutdownHook = value);
    }

    /** A copy with other options of its loops. */
    public GroupOptions loop(LoopOptions value) {
        return with(draft -> draft.loop = value);
    }

    /** A copy with another exception handler. */
    public GroupOptions exceptionHandler(@Nullable BiConsumer<EventLoop, ExceptionContext> value) {
        return with(draft -> draft.exceptionHandler = value);
    }
}
