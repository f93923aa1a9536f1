package io.github.uvloop4j.affinity;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.util.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The system calls on the CPUs of a thread, each with 0 or the negated errno. Thread 0 is the caller. Any thread. */
interface AffinityCalls {
    /** Fills a mask; EINVAL when the kernel's own is longer. */
    int get(int tid, byte[] mask);

    /** Sets a mask; the kernel leaves out what the thread must not use, and fails when nothing is left. */
    int set(int tid, byte[] mask);

    /** Those of the kernel. */
    final class Kernel implements AffinityCalls {
        private static final FunctionDescriptor DESCRIPTOR =
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
        private static final MethodHandle GET = Errno.handle(libc.sched_getaffinity$address(), DESCRIPTOR);
        private static final MethodHandle SET = Errno.handle(libc.sched_setaffinity$address(), DESCRIPTOR);

        @Override
        public int get(int tid, byte[] mask) {
            try (var arena = Arena.ofConfined()) {
                var segment = arena.allocate(mask.length, Long.BYTES);
                int result = Errno.call(errno -> (int) GET.invokeExact(errno, tid, (long) mask.length, segment));
                MemorySegment.copy(segment, JAVA_BYTE, 0, mask, 0, mask.length);
                return result;
            }
        }

        @Override
        public int set(int tid, byte[] mask) {
            try (var arena = Arena.ofConfined()) {
                var segment = arena.allocate(mask.length, Long.BYTES);
                MemorySegment.copy(mask, 0, segment, JAVA_BYTE, 0, mask.length);
                return Errno.call(errno -> (int) SET.invokeExact(errno, tid, (long) mask.length, segment));
            }
        }
    }
}
