package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumaPagesTest {
    private static final String NUMA_MAPS = """
            00400000 default file=/usr/bin/N1=9 mapped=2 N0=2 kernelpagesize_kB=4
            7f0000000000 prefer:1 anon=10 dirty=10 active=0 N0=4 N1=6 kernelpagesize_kB=4
            7f0040000000 default file=/anon_hugepage\\040(deleted) huge anon=3 dirty=3 N1=3 kernelpagesize_kB=2048
            7f0080000000 default
            ffffffffff600000 default N0=1 kernelpagesize_kB=4""";

    private static final String MAPS = """
            00400000-00402000 r-xp 00000000 08:01 131 /usr/bin/x
            7f0000000000-7f0000100000 rw-p 00000000 00:00 0
            7f0040000000-7f0040600000 rw-p 00000000 00:0f 42 /anon_hugepage (deleted)
            7f0080000000-7f0080001000 ---p 00000000 00:00 0
            ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]""";

    @TempDir
    Path root;

    private void process() {
        new FakeMachine(root).file("numa_maps", NUMA_MAPS).file("maps", MAPS);
    }

    @Test
    void bytesOfTheProcessByNode() {
        process();
        var pages = NumaPages.ofProcess(root);

        assertThat(pages.bytes()).isEqualTo(Map.of(0, 7 * 4096L, 1, 6 * 4096L + 3 * 2048 * 1024));
        assertThat(pages.total()).isEqualTo(13 * 4096L + 3 * 2048 * 1024);
    }

    @Test
    void bytesOfTheMappingThatHoldsAnAddress() {
        process();

        assertThat(NumaPages.ofMapping(root, 0x7f0000000000L).bytes()).isEqualTo(Map.of(0, 16384L, 1, 24576L));
        assertThat(NumaPages.ofMapping(root, 0x7f00000fffffL).share(1)).isEqualTo(0.6, within(1e-9));
        assertThat(NumaPages.ofMapping(root, 0x7f0000000000L).share(7)).isZero();
        assertThat(NumaPages.ofMapping(root, 0x7f0040000001L).bytes()).isEqualTo(Map.of(1, 3 * 2048 * 1024L));
        assertThat(NumaPages.ofMapping(root, 0xffffffffff600fffL).bytes()).isEqualTo(Map.of(0, 4096L));
    }

    @Test
    void whatIsNotMappedOrNotTouchedLiesNowhere() {
        process();

        assertThat(NumaPages.ofMapping(root, 0x7f0000100000L).bytes()).isEmpty();
        assertThat(NumaPages.ofMapping(root, 0).bytes()).isEmpty();
        assertThat(NumaPages.ofMapping(root, 0x7f0080000000L).share(0)).isNaN();
    }

    @Test
    void kernelWithoutNodesTellsNone() {
        assertThat(NumaPages.ofProcess(root).total()).isZero();
        assertThat(NumaPages.ofProcess(root).share(0)).isNaN();
        assertThat(NumaPages.ofMapping(root, 1).bytes()).isEmpty();
    }

    @Test
    void malformedLinesCountAsAbsent() {
        new FakeMachine(root)
                .file("maps", "x-y r\n1000-2000 rw-p\n\n")
                .file("numa_maps", "zz default N0=1\n1000 default N0=x N=1 Nx=2 N-1=3 N1=2 kernelpagesize_kB=?\n\n");

        assertThat(NumaPages.ofMapping(root, 0x1000).bytes()).isEqualTo(Map.of(0, 0L, 1, 0L));
    }

    @Test
    void memoryOfThisProcessLiesOnItsNodes() {
        var pages = NumaPages.ofProcess();
        assumeThat(pages.total()).as("memory in /proc/self/numa_maps").isPositive();

        assertThat(CpuTopology.read().nodes().keySet())
                .containsAll(pages.bytes().keySet());
        try (var arena = Arena.ofConfined()) {
            long length = 4 << 20;
            var buffer = arena.allocate(length).fill((byte) 1);
            assertThat(NumaPages.ofMapping(buffer.address()).total()).isGreaterThanOrEqualTo(length);
        }
    }
}
