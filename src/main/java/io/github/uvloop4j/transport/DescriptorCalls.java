package io.github.uvloop4j.transport;

import static io.github.uvloop4j.util.Errno.call;
import static io.github.uvloop4j.util.Errno.handle;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.uvloop4j.ffi.cmsghdr;
import io.github.uvloop4j.ffi.iovec;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.msghdr;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** Messages that carry descriptors. Each call with its result or the negated errno. Any thread. */
final class DescriptorCalls {
    private static final FunctionDescriptor MESSAGE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SEND = handle(libc.sendmsg$address(), MESSAGE);
    private static final MethodHandle RECEIVE = handle(libc.recvmsg$address(), MESSAGE);

    private static final long HEADER = cmsghdr.sizeof();

    /** Room for more than the one that is expected, so that those which came can be closed. */
    private static final long CONTROL = 256;

    private DescriptorCalls() {}

    /**
     * What came.
     *
     * @param count how many bytes, or the negated errno
     * @param flags the system's
     * @param descriptors those of all messages that the bytes are of
     */
    record Arrival(int count, int flags, List<Integer> descriptors) {
        void closeAll() {
            descriptors.forEach(SocketCalls::close);
        }
    }

    static int send(int fd, MemorySegment bytes, int descriptor) {
        try (var arena = Arena.ofConfined()) {
            var control = arena.allocate(HEADER + 8, 8);
            cmsghdr.cmsg_len(control, HEADER + JAVA_INT.byteSize());
            cmsghdr.cmsg_level(control, libc.SOL_SOCKET());
            cmsghdr.cmsg_type(control, libc.SCM_RIGHTS());
            control.set(JAVA_INT, HEADER, descriptor);
            var message = message(arena, bytes, control);
            return call(errno -> (int) (long) SEND.invokeExact(errno, fd, message, libc.MSG_NOSIGNAL()));
        }
    }

    static Arrival receive(int fd, MemorySegment target, int flags) {
        try (var arena = Arena.ofConfined()) {
            var control = arena.allocate(CONTROL, 8);
            var message = message(arena, target, control);
            int all = flags | libc.MSG_CMSG_CLOEXEC();
            int count = call(errno -> (int) (long) RECEIVE.invokeExact(errno, fd, message, all));
            return count < 0
                    ? new Arrival(count, 0, List.of())
                    : new Arrival(count, msghdr.msg_flags(message), descriptors(message, control));
        }
    }

    private static MemorySegment message(Arena arena, MemorySegment bytes, MemorySegment control) {
        var vector = iovec.allocate(arena);
        iovec.iov_base(vector, bytes);
        iovec.iov_len(vector, bytes.byteSize());
        var message = msghdr.allocate(arena).fill((byte) 0);
        msghdr.msg_iov(message, vector);
        msghdr.msg_iovlen(message, 1);
        msghdr.msg_control(message, control);
        msghdr.msg_controllen(message, control.byteSize());
        return message;
    }

    private static List<Integer> descriptors(MemorySegment message, MemorySegment control) {
        var found = new ArrayList<Integer>();
        long end = msghdr.msg_controllen(message);
        for (long at = 0; at + HEADER <= end; ) {
            var header = control.asSlice(at, HEADER);
            long length = cmsghdr.cmsg_len(header);
            if (length < HEADER || at + length > end) {
                break;
            }
            if (cmsghdr.cmsg_level(header) == libc.SOL_SOCKET() && cmsghdr.cmsg_type(header) == libc.SCM_RIGHTS()) {
                for (long next = at + HEADER; next + JAVA_INT.byteSize() <= at + length; next += JAVA_INT.byteSize()) {
                    found.add(control.get(JAVA_INT, next));
                }
            }
            at += (length + 7) & -8;
        }
        return found;
    }
}
