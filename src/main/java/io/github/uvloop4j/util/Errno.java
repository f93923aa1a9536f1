package io.github.uvloop4j.util;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** System calls with the errno that they leave, which the JVM may overwrite at once. Any thread. */
public final class Errno {
    /** Where a call leaves its errno. */
    public static final StructLayout LAYOUT = Linker.Option.captureStateLayout();

    private static final VarHandle VALUE = LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private Errno() {}

    /** A call that is given the segment for its errno. */
    @FunctionalInterface
    public interface Call {
        /** Calls; a negative result is a failure. */
        int invoke(MemorySegment errno) throws Throwable;
    }

    /** A handle for a function that takes the segment for its errno before its own arguments. */
    public static MethodHandle handle(MemorySegment address, FunctionDescriptor descriptor, Linker.Option... more) {
        var options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = CAPTURE;
        return LINKER.downcallHandle(address, descriptor, options);
    }

    /** What the last call that was given a segment left there. */
    public static int of(MemorySegment errno) {
        return (int) VALUE.get(errno, 0L);
    }

    /** The result of a call, or its negated errno. */
    public static int call(Call call) {
        try (var arena = Arena.ofConfined()) {
            var errno = arena.allocate(LAYOUT);
            int result = call.invoke(errno);
            return result < 0 ? -of(errno) : result;
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
    }
}
