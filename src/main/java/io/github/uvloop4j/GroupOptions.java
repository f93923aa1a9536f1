package io.github.uvloop4j;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Placement;
import io.github.uvloop4j.util.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
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

    /** A copy with another number of loops, 0 to 65,536. */
    public GroupOptions loops(int value) {
        return copy(value, placement, cpus, steering, shutdownTimeout, loop, exceptionHandler);
    }

    /** A copy with another placement. */
    public GroupOptions placement(Placement value) {
        return copy(loops, value, cpus, steering, shutdownTimeout, loop, exceptionHandler);
    }

    /** A copy with other CPUs to place the loops on. */
    public GroupOptions cpus(CpuSet value) {
        return copy(loops, placement, value, steering, shutdownTimeout, loop, exceptionHandler);
    }

    /** A copy in which pinning is required, or not. */
    public GroupOptions required(boolean value) {
        return new GroupOptions(
                loops,
                placement,
                cpus,
                value,
                localMemory,
                steering,
                rebalance,
                shutdownTimeout,
                shutdownHook,
                loop,
                exceptionHandler);
    }

    /** A copy in which memory is to come from the loop's NUMA node, or not. */
    public GroupOptions localMemory(boolean value) {
        return new GroupOptions(
                loops,
                placement,
                cpus,
                required,
                value,
                steering,
                rebalance,
                shutdownTimeout,
                shutdownHook,
                loop,
                exceptionHandler);
    }

    /** A copy with another steering. */
    public GroupOptions steering(Steering value) {
        return copy(loops, placement, cpus, value, shutdownTimeout, loop, exceptionHandler);
    }

    /** A copy in which loops pass connections on, or not. */
    public GroupOptions rebalance(boolean value) {
        return new GroupOptions(
                loops,
                placement,
                cpus,
                required,
                localMemory,
                steering,
                value,
                shutdownTimeout,
                shutdownHook,
                loop,
                exceptionHandler);
    }

    /** A copy with another limit for {@link EventLoopGroup#close}. */
    public GroupOptions shutdownTimeout(Duration value) {
        return copy(loops, placement, cpus, steering, value, loop, exceptionHandler);
    }

    /** A copy whose group is shut down when the JVM ends, or not. */
    public GroupOptions shutdownHook(boolean value) {
        return new GroupOptions(
                loops,
                placement,
                cpus,
                required,
                localMemory,
                steering,
                rebalance,
                shutdownTimeout,
                value,
                loop,
                exceptionHandler);
    }

    /** A copy with other options of its loops. */
    public GroupOptions loop(LoopOptions value) {
        return copy(loops, placement, cpus, steering, shutdownTimeout, value, exceptionHandler);
    }

    /** A copy with another exception handler. */
    public GroupOptions exceptionHandler(@Nullable BiConsumer<EventLoop, ExceptionContext> value) {
        return copy(loops, placement, cpus, steering, shutdownTimeout, loop, value);
    }

    private GroupOptions copy(
            int loopsValue,
            Placement placementValue,
            CpuSet cpusValue,
            Steering steeringValue,
            Duration timeoutValue,
            LoopOptions loopValue,
            @Nullable BiConsumer<EventLoop, ExceptionContext> handlerValue) {
        return new GroupOptions(
                loopsValue,
                placementValue,
                cpusValue,
                required,
                localMemory,
                steeringValue,
                rebalance,
                timeoutValue,
                shutdownHook,
                loopValue,
                handlerValue);
    }
}
