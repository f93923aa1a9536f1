package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupLimitsTest {
    private static final String V2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
    private static final String V1 = """
            31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
            32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 master:3 - cgroup cgroup rw,cpu,cpuacct
            34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset
            40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,xattr,name=systemd""";
    private static final String UNIFIED = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw";

    @TempDir
    Path root;

    private FakeMachine machine;

    @BeforeEach
    void machine() {
        machine = new FakeMachine(root);
    }

    private void process(String groups, String mounts) {
        machine.file("proc/self/cgroup", groups).file("proc/self/mountinfo", mounts);
    }

    private static CgroupLimits limits(String cpus, double quota) {
        return new CgroupLimits(CpuSet.parse(cpus), OptionalDouble.of(quota));
    }

    private static CgroupLimits cpuset(String cpus) {
        return new CgroupLimits(CpuSet.parse(cpus), OptionalDouble.empty());
    }

    private void quota(String directory, String micros, String period) {
        machine.file(directory + "/cpu.cfs_quota_us", micros).file(directory + "/cpu.cfs_period_us", period);
    }

    @Test
    void nothingThereIsNoLimit() {
        assertThat(machine.limits()).isEqualTo(CgroupLimits.NONE);
    }

    @Test
    void version2() {
        process("0::/user.slice/app", V2);
        machine.file("sys/fs/cgroup/user.slice/app/cpu.max", "150000 100000")
                .file("sys/fs/cgroup/user.slice/app/cpuset.cpus.effective", "2-3")
                .file("sys/fs/cgroup/user.slice/cpuset.cpus.effective", "0-3");

        assertThat(machine.limits()).isEqualTo(limits("2-3", 1.5));
    }

    @Test
    void leastQuotaOnTheWayUpCounts() {
        process("0::/a/b/c", V2);
        machine.file("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000")
                .file("sys/fs/cgroup/a/b/cpu.max", "max 100000")
                .file("sys/fs/cgroup/a/cpu.max", "100000 50000")
                .file("sys/fs/cgroup/a/cpuset.cpus.effective", "0-1")
                .file("sys/fs/cgroup/cpuset.cpus.effective", "0-7")
                .file("cpu.max", "1 100000");

        assertThat(machine.limits()).isEqualTo(limits("0-1", 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max 100000|",
                "max|",
                "50000|0.5",
                "50000 20000|2.5",
                "0 100000|",
                "-1 100000|",
                "100000 0|",
                "100000 x|",
                "x|",
                "''|",
                "9223372036854775808 100000|"
            })
    void formsOfCpuMax(String text, Double quota) {
        process("0::/", V2);
        machine.file("sys/fs/cgroup/cpu.max", text);

        assertThat(machine.limits().quota())
                .isEqualTo(quota == null ? OptionalDouble.empty() : OptionalDouble.of(quota));
    }

    @Test
    void version1() {
        process("4:cpu,cpuacct:/app\n3:cpuset:/sets/one\n1:name=systemd:/init", V1);
        quota("sys/fs/cgroup/cpu,cpuacct/app", "250000", "100000");
        quota("sys/fs/cgroup/cpu,cpuacct", "-1", "100000");
        machine.file("sys/fs/cgroup/cpuset/sets/one/cpuset.cpus", "1,4-5")
                .file("sys/fs/cgroup/cpuset/sets/one/cpuset.effective_cpus", "4-5");

        assertThat(machine.limits()).isEqualTo(limits("4-5", 2.5));
    }

    @Test
    void version1OfAnOldKernelHasNoEffectiveCpus() {
        process("3:cpuset:/one", V1);
        machine.file("sys/fs/cgroup/cpuset/one/cpuset.cpus", "1");

        assertThat(machine.limits()).isEqualTo(cpuset("1"));
    }

    @ParameterizedTest
    @CsvSource({"-1, 100000", "0, 100000", "100000, 0", "100000, x", "'', ''"})
    void formsOfNoQuotaInVersion1(String micros, String period) {
        process("4:cpu,cpuacct:/", V1);
        quota("sys/fs/cgroup/cpu,cpuacct", micros, period);

        assertThat(machine.limits()).isEqualTo(CgroupLimits.NONE);
    }

    @Test
    void hybridWithoutControllersInVersion2() {
        process("4:cpu,cpuacct:/job/7\n3:cpuset:/\n0::/job/7", V1 + '\n' + UNIFIED);
        quota("sys/fs/cgroup/cpu,cpuacct/job/7", "-1", "100000");
        quota("sys/fs/cgroup/cpu,cpuacct/job", "50000", "100000");
        machine.file("sys/fs/cgroup/cpuset/cpuset.effective_cpus", "0-1")
                .file("sys/fs/cgroup/unified/job/7/cgroup.controllers", "");

        assertThat(machine.limits()).isEqualTo(limits("0-1", 0.5));
    }

    @Test
    void hybridWithTheCpuControllerInVersion2() {
        process("3:cpuset:/\n0::/app", V1 + '\n' + UNIFIED);
        machine.file("sys/fs/cgroup/unified/app/cpu.max", "300000 100000")
                .file("sys/fs/cgroup/cpuset/cpuset.effective_cpus", "6");

        assertThat(machine.limits()).isEqualTo(limits("6", 3));
    }

    @Test
    void containerThatMountsItsOwnGroupOnly() {
        process(
                "4:cpu,cpuacct:/docker/ab12\n0::/docker/ab12/sub",
                "32 31 0:29 /docker/ab12 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                        + "33 31 0:30 /docker/ab12 /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw");
        quota("sys/fs/cgroup/cpu", "70000", "100000");
        machine.file("sys/fs/cgroup/unified/sub/cpu.max", "60000 100000");

        assertThat(machine.limits().quota()).hasValue(0.6);
    }

    @ParameterizedTest
    @CsvSource({"/docker/gone", "/..", "/../../other", "/.."})
    void pathThatCannotBeSeenIsTheRootOfTheMount(String path) {
        process("0::" + path, V2);
        machine.file("sys/fs/cgroup/cpu.max", "80000 100000")
                .file("sys/fs/cgroup/cpuset.cpus.effective", "4-7")
                .file("sys/fs/other/cpu.max", "1 100000");

        assertThat(machine.limits()).isEqualTo(limits("4-7", 0.8));
    }

    @Test
    void groupWhoseNameBeginsLikeTheMountsIsAnother() {
        process("0::/docker/ab", "33 31 0:30 /docker/a /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
        machine.file("sys/fs/cgroup/cpu.max", "80000 100000").file("sys/fs/cgroup/b/cpu.max", "1 100000");

        assertThat(machine.limits().quota()).hasValue(0.8);
    }

    @Test
    void ofSeveralMountsTheOneThatShowsTheGroupCounts() {
        process("0::/app", "33 31 0:30 /other /mnt/x rw - cgroup2 cgroup2 rw\n" + V2);
        machine.file("mnt/x/cpu.max", "1 100000").file("sys/fs/cgroup/app/cpu.max", "90000 100000");

        assertThat(machine.limits().quota()).hasValue(0.9);
    }

    @Test
    void blanksInNamesAreReadAsTheKernelWritesThem() {
        process("0::/a b", "33 31 0:30 / /mnt/c\\040g rw - cgroup2 cgroup2 rw");
        machine.file("mnt/c g/a b/cpu.max", "110000 100000");

        assertThat(machine.limits().quota()).hasValue(1.1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''",
                "33 31",
                "33 31 0:30 / /sys/fs/cgroup rw - cgroup2",
                "33 31 0:30 / /sys/fs/cgroup rw cgroup2 x y"
            })
    void malformedMountsCountAsAbsent(String mounts) {
        process("0::/\nnonsense\n:::", mounts);
        machine.file("sys/fs/cgroup/cpu.max", "80000 100000");

        assertThat(machine.limits()).isEqualTo(CgroupLimits.NONE);
    }

    @Test
    void malformedCpusetIsThatOfTheGroupAbove() {
        process("0::/a", V2);
        machine.file("sys/fs/cgroup/a/cpuset.cpus.effective", "1-").file("sys/fs/cgroup/cpuset.cpus.effective", "0-3");

        assertThat(machine.limits()).isEqualTo(cpuset("0-3"));
    }

    @Test
    void quotaIsGreaterThanZero() {
        assertThatThrownBy(() -> limits("", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits("", Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thisProcess() {
        var limits = CgroupLimits.read();

        assertThat(CpuTopology.read().possible().containsAll(limits.cpus())).isTrue();
    }
}
