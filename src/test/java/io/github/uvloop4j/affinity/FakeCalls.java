package io.github.uvloop4j.affinity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A kernel that has room for so many CPUs in its masks, and may refuse. */
final class FakeCalls implements AffinityCalls {
    static final int EINVAL = 22;

    final List<Integer> sizes = new ArrayList<>();
    byte[] mask;
    int refusal;

    FakeCalls(int kernelBytes, CpuSet cpus) {
        mask = Arrays.copyOf(cpus.toBytes(), kernelBytes);
    }

    @Override
    public int get(int tid, byte[] target) {
        sizes.add(target.length);
        if (target.length < mask.length || target.length % Long.BYTES != 0) {
            return -EINVAL;
        }
        System.arraycopy(mask, 0, target, 0, mask.length);
        return 0;
    }

    @Override
    public int set(int tid, byte[] source) {
        if (refusal != 0) {
            return -refusal;
        }
        mask = Arrays.copyOf(source, mask.length);
        return 0;
    }
}
