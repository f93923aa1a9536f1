package io.github.uvloop4j.affinity;

import io.github.uvloop4j.ffi.libc;
import java.util.Arrays;

/** The CPUs of threads, in masks that are as long as this kernel's. Thread 0 is the caller. Any thread. */
final class Masks {
    private static final int FIRST_BYTES = 128;
    private static final int MOST_BYTES = CpuSet.LIMIT / 8;

    private final AffinityCalls calls;
    private volatile int bytes = FIRST_BYTES;

    /** A call that failed. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failure(String call, int errno) {
            super(describe(call, errno), null, false, false);
        }
    }

    Masks(AffinityCalls calls) {
        this.calls = calls;
    }

    /** The CPUs of a thread. Throws Failure. */
    CpuSet get(int tid) {
        while (true) {
            int size = bytes;
            var mask = new byte[size];
            int result = calls.get(tid, mask);
            if (result >= 0) {
                return CpuSet.fromBytes(mask);
            }
            if (-result != libc.EINVAL() || size >= MOST_BYTES) {
                throw new Failure("sched_getaffinity", -result);
            }
            // The kernel has room for more CPUs than fit.
            bytes = 2 * size;
        }
    }

    /** Sets the CPUs of a thread. Throws Failure. */
    void set(int tid, CpuSet cpus) {
        int result = trySet(tid, cpus);
        if (result < 0) {
            throw new Failure("sched_setaffinity", -result);
        }
    }

    /** Sets the CPUs of a thread; 0 or the negated errno. */
    int trySet(int tid, CpuSet cpus) {
        var set = cpus.toBytes();
        int words = (set.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        return calls.set(tid, Arrays.copyOf(set, Math.max(bytes, words)));
    }

    /** That a call failed, and with what. */
    static String describe(String call, int errno) {
        return call + " failed: " + nameOf(errno);
    }

    private static String nameOf(int errno) {
        if (errno == libc.EPERM()) {
            return "EPERM (operation not permitted)";
        } else if (errno == libc.ESRCH()) {
            return "ESRCH (no such thread)";
        } else if (errno == libc.EINVAL()) {
            return "EINVAL (none of the CPUs can be used now)";
        } else if (errno == libc.ENOSYS()) {
            return "ENOSYS (there is no such system call here)";
        }
        return "errno " + errno;
    }
}
