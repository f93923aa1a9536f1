package io.github.uvloop4j.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of CPUs, and the texts and bytes that they are read from. */
class CpuSetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|''",
                "0|0",
                "0-3,8|0-3,8",
                "3,1,2,0|0-3",
                "0,1|0-1",
                "0-3,2-5|0-5",
                "' 4-7 , 9 '|4-7,9",
                "0-7:2/4|0-1,4-5",
                "0-9:1/3|0,3,6,9",
                "0-2:4/8|0-2",
                "1500|1500",
                "65535|65535"
            })
    void listsAreReadAndPrinted(String list, String printed) {
        assertThat(CpuSet.parse(list)).hasToString(printed).isEqualTo(CpuSet.parse(printed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "1,",
                ",1",
                "1,,2",
                "-",
                "1-",
                "-1",
                "3-1",
                "a",
                "1-b",
                "0x1",
                "65536",
                "99999999999",
                "0-3:2",
                "0-3:0/2",
                "0-3:3/2",
                "0-3:1/",
                "1 2",
                "\u0661"
            })
    void listsThatCannotBeReadAreQuoted(String list) {
        assertThatThrownBy(() -> CpuSet.parse(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("CPUs \"" + list.strip() + "\": ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|''|0",
                "1|0|1",
                "f|0-3|f",
                "0000010f|0-3,8|10f",
                "0x10F|0-3,8|10f",
                "1,00000000|32|1,00000000",
                "1,0|32|1,00000000",
                "ff00000000|32-39|ff,00000000",
                "00000000,00000003|0-1|3"
            })
    void masksAreReadAndPrinted(String mask, String list, String printed) {
        assertThat(CpuSet.parseMask(mask)).hasToString(list);
        assertThat(CpuSet.parseMask(mask).toMask()).isEqualTo(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "g", "0x", "1,,2", "1,123456789", "-1", " 1 2"})
    void masksThatCannotBeReadAreQuoted(String mask) {
        assertThatThrownBy(() -> CpuSet.parseMask(mask))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("CPUs \"" + mask.strip() + "\": ");
    }

    @Test
    void bytesAreThoseOfTheSystemCalls() {
        assertThat(CpuSet.of(0, 9).toBytes()).containsExactly(1, 2);
        assertThat(CpuSet.empty().toBytes()).isEmpty();
        assertThat(CpuSet.of(1500).toBytes()).hasSize(188);
        assertThat(CpuSet.fromBytes(new byte[] {1, 2, 0, 0})).isEqualTo(CpuSet.of(0, 9));
        assertThat(CpuSet.fromBytes(new byte[128])).isSameAs(CpuSet.empty());
        var tooLong = new byte[CpuSet.LIMIT / 8 + 1];
        tooLong[CpuSet.LIMIT / 8] = 1;
        assertThatThrownBy(() -> CpuSet.fromBytes(tooLong)).hasMessageContaining("65536");
    }

    @Test
    void algebra() {
        var low = CpuSet.range(0, 3);
        var high = CpuSet.range(2, 5);
        assertThat(low.union(high)).isEqualTo(CpuSet.range(0, 5)).hasSameHashCodeAs(CpuSet.range(0, 5));
        assertThat(low.intersect(high)).isEqualTo(CpuSet.of(2, 3));
        assertThat(low.minus(high)).isEqualTo(CpuSet.of(1, 0));
        assertThat(low.minus(low)).isSameAs(CpuSet.empty());
        assertThat(low).isEqualTo(CpuSet.parse("0-3")).isNotEqualTo(high).isNotEqualTo("0-3");
        assertThat(low.containsAll(CpuSet.of(1))).isTrue();
        assertThat(low.containsAll(high)).isFalse();
        assertThat(low.contains(3)).isTrue();
        assertThat(low.contains(4)).isFalse();
        assertThat(low.contains(-1)).isFalse();
        assertThat(low.size()).isEqualTo(4);
        assertThat(high.first()).isEqualTo(2);
        assertThat(high.last()).isEqualTo(5);
        assertThat(high.stream()).containsExactly(2, 3, 4, 5);
    }

    @Test
    void badInputIsRefused() {
        assertThatThrownBy(() -> CpuSet.of(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> CpuSet.of(CpuSet.LIMIT)).hasMessageContaining("65536");
        assertThatThrownBy(() -> CpuSet.range(3, 1)).hasMessageContaining("3-1");
        assertThatThrownBy(() -> CpuSet.empty().first()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> CpuSet.empty().last()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> CpuSet.parse(null)).hasMessage("list");
        assertThatThrownBy(() -> CpuSet.parseMask(null)).hasMessage("mask");
        assertThatThrownBy(() -> CpuSet.fromBytes(null)).hasMessage("mask");
    }

    @Test
    void whatIsPrintedIsReadAgain() {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            var bits = new BitSet();
            int count = random.nextInt(40);
            for (int k = 0; k < count; k++) {
                bits.set(random.nextInt(2_000));
            }
            var set = CpuSet.of(bits.stream().toArray());
            assertThat(CpuSet.parse(set.toString())).isEqualTo(set);
            assertThat(CpuSet.parseMask(set.toMask())).isEqualTo(set);
            assertThat(CpuSet.fromBytes(set.toBytes())).isEqualTo(set);
        }
    }
}
