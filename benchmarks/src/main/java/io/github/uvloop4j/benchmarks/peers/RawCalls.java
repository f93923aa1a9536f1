package io.github.uvloop4j.benchmarks.peers;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** recv and send on a non-blocking socket, straight from Java's heap. One thread at a time. */
final class RawCalls {
    static final int WOULD_BLOCK = -11;

    private static final int MSG_NOSIGNAL = 0x4000;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle RECV = handle("recv");
    private static final MethodHandle SEND = handle("send");

    private final MemorySegment state = Arena.global().allocate(STATE);

    private static MethodHandle handle(String function) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(function),
                FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT),
                Linker.Option.captureCallState("errno"),
                Linker.Option.critical(true));
    }

    /** The count, 0 at the end of the stream, or the negated errno. */
    int receive(int fd, MemorySegment target) {
        try {
            return result((long) RECV.invokeExact(state, fd, target, target.byteSize(), 0));
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    /** The count, or the negated errno. */
    int send(int fd, MemorySegment source) {
        try {
            return result((long) SEND.invokeExact(state, fd, source, source.byteSize(), MSG_NOSIGNAL));
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private int result(long count) {
        return count < 0 ? -(int) ERRNO.get(state, 0L) : (int) count;
    }
}
