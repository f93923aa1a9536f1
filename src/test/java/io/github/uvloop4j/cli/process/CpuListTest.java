package io.github.uvloop4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuListTest {
    @Test
    void readsSinglesAndRanges() {
        assertThat(CpuList.parse("8,0-2")).containsExactly(0, 1, 2, 8);
        assertThat(CpuList.format(CpuList.parse("3-4,1"))).isEqualTo("1,3,4");
    }

    @Test
    void knowsWhatThisProcessMayUse() {
        assertThat(CpuList.allowed()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1,", "2-1", "1-2-3", "-1", "99999999"})
    void refusesAnythingElse(String list) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuList.parse(list))
                .withMessageContaining("CPU list");
    }
}
