package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Pairs of connected descriptors, close-on-exec, which the caller closes. Any thread.
 *
 * @param first the end to read of a pipe, or either of two sockets
 * @param second the end to write of a pipe, or the other socket
 */
public record UvDescriptors(int first, int second) {
    private interface Maker {
        int make(MemorySegment fds);
    }

    /** A pipe. Binds {@code uv_pipe}. */
    public static UvDescriptors pipe(boolean readNonBlocking, boolean writeNonBlocking) {
        return made(fds -> uv.uv_pipe(fds, flags(readNonBlocking), flags(writeNonBlocking)), "pipe");
    }

    /**
     * Two connected Unix sockets. Binds {@code uv_socketpair}.
     *
     * @param type the system's {@code SOCK_STREAM} and so on
     */
    public static UvDescriptors sockets(int type, boolean firstNonBlocking, boolean secondNonBlocking) {
        return made(
                fds -> uv.uv_socketpair(type, 0, fds, flags(firstNonBlocking), flags(secondNonBlocking)), "socketpair");
    }

    private static int flags(boolean nonBlocking) {
        return nonBlocking ? uv.UV_NONBLOCK_PIPE() : 0;
    }

    private static UvDescriptors made(Maker maker, String operation) {
        try (var arena = Arena.ofConfined()) {
            var fds = arena.allocate(ValueLayout.JAVA_INT, 2);
            UvException.check(maker.make(fds), operation);
            return new UvDescriptors(fds.getAtIndex(ValueLayout.JAVA_INT, 0), fds.getAtIndex(ValueLayout.JAVA_INT, 1));
        }
    }
}
