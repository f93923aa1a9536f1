package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.Placement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupPropertiesTest {
    @Test
    void withoutPropertiesLoopsAreUnpinned() {
        var options = GroupProperties.read(name -> null);
        assertThat(options.loops()).isZero();
        assertThat(options.placement()).isEqualTo(Placement.unbound());
        assertThat(options.cpus().isEmpty()).isTrue();
        assertThat(options.steering()).isEqualTo(Steering.HASH);
        assertThat(options.required()).isTrue();
    }

    @Test
    void readsEachProperty() {
        var options = GroupProperties.read(Map.of(
                "uvloop4j.loops", "3",
                "uvloop4j.placement", "core",
                "uvloop4j.cpus", "0-3,8",
                "uvloop4j.pinning", "optional",
                "uvloop4j.localMemory", "true",
                "uvloop4j.steering", "incoming-cpu",
                "uvloop4j.rebalance", "true",
                "uvloop4j.shutdownSeconds", "7",
                "uvloop4j.shutdownHook", "true")::get);
        assertThat(options)
                .isEqualTo(new GroupOptions(
                        3,
                        Placement.perCore(),
                        CpuSet.parse("0-3,8"),
                        false,
                        true,
                        Steering.INCOMING_CPU,
                        true,
                        Duration.ofSeconds(7),
                        true,
                        LoopOptions.defaults(),
                        null));
    }

    @ParameterizedTest
    @CsvSource({
        "uvloop4j.loops, many",
        "uvloop4j.placement, nowhere",
        "uvloop4j.cpus, 3-1",
        "uvloop4j.pinning, maybe",
        "uvloop4j.localMemory, 1",
        "uvloop4j.steering, left",
        "uvloop4j.shutdownSeconds, soon"
    })
    void aPropertyThatCannotBeReadIsNamed(String name, String value) {
        assertThatThrownBy(() -> GroupProperties.read(Map.of(name, value)::get))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name + '=' + value);
    }

    @Test
    void optionsCheckTheirRanges() {
        var options = GroupProperties.read(name -> null);
        assertThatIllegalArgumentException().isThrownBy(() -> options.loops(-1)).withMessageContaining("loops");
        assertThatIllegalArgumentException().isThrownBy(() -> options.loops(65_537));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.shutdownTimeout(Duration.ofSeconds(-1)))
                .withMessageContaining("shutdownTimeout");
    }

    @ParameterizedTest
    @CsvSource({"HASH, hash", "CPU, cpu", "INCOMING_CPU, incoming-cpu", "CBPF, cbpf", "ACCEPTOR, acceptor"})
    void steeringsHaveTheNamesOfTheCommandLine(Steering steering, String name) {
        assertThat(steering).hasToString(name);
        assertThat(Steering.parse(name)).isEqualTo(steering);
    }
}
