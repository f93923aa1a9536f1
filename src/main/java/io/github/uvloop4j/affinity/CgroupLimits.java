package io.github.uvloop4j.affinity;

import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * What the control groups of this process leave it, of version 1, 2 or both. The groups above count as well: the quota
 * is the least on the way up, as far as the process can see. Immutable. Any thread.
 *
 * @param cpus the CPUs of the cpuset, which may be all; empty when no cpuset is in force or can be seen
 * @param quota how many CPUs' worth of time may be used, say 1.5 of them; greater than 0; absent when there is no limit
 */
public record CgroupLimits(CpuSet cpus, OptionalDouble quota) {
    /** No limit at all. */
    public static final CgroupLimits NONE = new CgroupLimits(CpuSet.empty(), OptionalDouble.empty());

    private static final long DEFAULT_PERIOD = 100_000;

    /** Throws IllegalArgumentException for a quota that is not greater than 0. */
    public CgroupLimits {
        Objects.requireNonNull(cpus, "cpus");
        if (quota.isPresent() && !(quota.getAsDouble() > 0)) {
            throw new IllegalArgumentException("a quota is greater than 0: " + quota.getAsDouble());
        }
    }

    /** Reads the limits as they are now. What is missing or malformed counts as no limit. */
    public static CgroupLimits read() {
        return read(Path.of("/"));
    }

    /**
     * Reads the limits below another directory than {@code /}.
     *
     * @param root holds {@code proc/self/cgroup}, {@code proc/self/mountinfo} and the mounts that it names
     */
    public static CgroupLimits read(Path root) {
        var paths = new CgroupPaths(root);
        var unified = paths.of(CgroupPaths.UNIFIED);
        var quota = DoubleStream.concat(
                        paths.of("cpu").stream().flatMapToDouble(CgroupLimits::quotaOfVersion1),
                        unified.stream().flatMapToDouble(CgroupLimits::quotaOfVersion2))
                .min();
        for (var group : paths.of("cpuset")) {
            var effective = KernelFiles.cpus(group.resolve("cpuset.effective_cpus"));
            var cpus = effective.isEmpty() ? KernelFiles.cpus(group.resolve("cpuset.cpus")) : effective;
            if (!cpus.isEmpty()) {
                return new CgroupLimits(cpus, quota);
            }
        }
        for (var group : unified) {
            var cpus = KernelFiles.cpus(group.resolve("cpuset.cpus.effective"));
            if (!cpus.isEmpty()) {
                return new CgroupLimits(cpus, quota);
            }
        }
        return new CgroupLimits(CpuSet.empty(), quota);
    }

    private static DoubleStream quotaOfVersion1(Path group) {
        var quota = KernelFiles.number(group.resolve("cpu.cfs_quota_us"));
        var period = KernelFiles.number(group.resolve("cpu.cfs_period_us"));
        return quota(quota.orElse(-1), period.orElse(-1));
    }

    private static DoubleStream quotaOfVersion2(Path group) {
        var fields = KernelFiles.text(group.resolve("cpu.max")).split("\\s+", -1);
        var quota = KernelFiles.number(fields[0]);
        return quota(
                quota.orElse(-1),
                fields.length < 2
                        ? DEFAULT_PERIOD
                        : KernelFiles.number(fields[1]).orElse(-1));
    }

    private static DoubleStream quota(long micros, long period) {
        return micros > 0 && period > 0 ? DoubleStream.of((double) micros / period) : DoubleStream.empty();
    }
}
