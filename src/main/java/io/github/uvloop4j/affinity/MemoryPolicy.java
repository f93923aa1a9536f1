package io.github.uvloop4j.affinity;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.util.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.BitSet;
import java.util.OptionalInt;

/**
 * From which NUMA node a thread takes the memory that it touches first. Without a policy that is the node of the CPU that
 * it runs on; a preferred node holds also while it runs elsewhere, and gives way to others when it is full. Threads that
 * are started inherit the policy of the thread that starts them. Containers often forbid it.
 */
public final class MemoryPolicy {
    /** The calls have other numbers elsewhere. */
    private static final String MACHINE = "amd64";

    private static final int NO_MODE = 0x0fff;
    private static final int MODE = 0x0fff;

    /** Of a mask that is read; more nodes than Linux can have. */
    private static final int MASK_BITS = 4096;

    private static final class Holder {
        static final MethodHandle SET = Errno.handle(
                libc.syscall.address(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        static final MethodHandle GET = Errno.handle(
                libc.syscall.address(),
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));

        /** A policy that does not exist: no call that is there takes it, and nothing has changed. */
        static final boolean AVAILABLE =
                System.getProperty("os.arch").equals(MACHINE) && set(NO_MODE, MemorySegment.NULL, 0) == -libc.EINVAL();

        private Holder() {}

        static int set(int mode, MemorySegment mask, long bits) {
            return Errno.call(
                    errno -> (int) (long) SET.invokeExact(errno, (long) libc.SYS_set_mempolicy(), mode, mask, bits));
        }

        static int get(MemorySegment mode, MemorySegment mask, long bits) {
            return Errno.call(errno -> (int) (long)
                    GET.invokeExact(errno, (long) libc.SYS_get_mempolicy(), mode, mask, bits, MemorySegment.NULL, 0L));
        }
    }

    private MemoryPolicy() {}

    /** Whether there are policies here: the kernel has them and lets this process use them. Any thread. */
    public static boolean isAvailable() {
        return Holder.AVAILABLE;
    }

    /**
     * Prefers a node for the memory that the calling thread touches first from now on. Any platform thread.
     *
     * @throws IllegalArgumentException if this process may have no memory of that node
     * @throws IllegalStateException where policies are not available, or on a virtual thread
     */
    public static void prefer(int node) {
        check();
        if (node < 0 || node >= MASK_BITS) {
            throw noMemory(node);
        }
        var nodes = new BitSet();
        nodes.set(node);
        var words = nodes.toLongArray();
        try (var arena = Arena.ofConfined()) {
            var mask = arena.allocateFrom(JAVA_LONG, words);
            int result = Holder.set(libc.MPOL_PREFERRED(), mask, bits((long) words.length * Long.SIZE));
            if (result == -libc.EINVAL()) {
                throw noMemory(node);
            }
            succeeded(result);
        }
    }

    /** Takes the policy of the calling thread away. Any platform thread. Throws IllegalStateException as above. */
    public static void reset() {
        check();
        succeeded(Holder.set(libc.MPOL_DEFAULT(), MemorySegment.NULL, 0));
    }

    /** The node that the calling thread prefers, if it prefers one. Any thread. */
    public static OptionalInt preferred() {
        if (!isAvailable()) {
            return OptionalInt.empty();
        }
        try (var arena = Arena.ofConfined()) {
            var mode = arena.allocate(JAVA_INT);
            var mask = arena.allocate(MASK_BITS / Byte.SIZE, Long.BYTES);
            if (Holder.get(mode, mask, bits(MASK_BITS)) != 0
                    || (mode.get(JAVA_INT, 0) & MODE) != libc.MPOL_PREFERRED()) {
                return OptionalInt.empty();
            }
            return BitSet.valueOf(mask.toArray(JAVA_BYTE)).stream().findFirst();
        }
    }

    /** The kernel takes one from the number of bits that it is given. */
    private static long bits(long count) {
        return count + 1;
    }

    private static void check() {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("a virtual thread has no memory policy of its own");
        }
        if (!isAvailable()) {
            throw new IllegalStateException("this kernel or container has no memory policies (set_mempolicy)");
        }
    }

    private static IllegalArgumentException noMemory(int node) {
        return new IllegalArgumentException("this process may have no memory of NUMA node " + node);
    }

    private static void succeeded(int result) {
        if (result != 0) {
            throw new IllegalStateException("set_mempolicy failed with errno " + -result);
        }
    }
}
