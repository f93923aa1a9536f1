package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolOptionsTest {
    private enum Limit {
        acquireTimeout(value -> PoolOptions.defaults().acquireTimeout(value)),
        maxIdleTime(value -> PoolOptions.defaults().maxIdleTime(value)),
        maxLifetime(value -> PoolOptions.defaults().maxLifetime(value)),
        validateAfterIdle(value -> PoolOptions.defaults().validateAfterIdle(value));

        private final Function<Duration, PoolOptions> with;

        Limit(Function<Duration, PoolOptions> with) {
            this.with = with;
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway")
    void aWrongDurationIsNamed(Limit limit) {
        assertThatThrownBy(() -> limit.with.apply(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(limit.name());
        assertThatThrownBy(() -> limit.with.apply(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(limit.name());
        assertThat(limit.with.apply(Duration.ofSeconds(Long.MAX_VALUE))).isNotNull();
    }

    @Test
    void zeroMakesSenseOnlyForTheCheck() {
        assertThatThrownBy(() -> PoolOptions.defaults().acquireTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PoolOptions.defaults().maxIdleTime(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PoolOptions.defaults().maxLifetime(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(PoolOptions.defaults().validateAfterIdle(Duration.ZERO)).isNotNull();
    }

    @Test
    @SuppressWarnings("NullAway")
    void aWrongSizeIsNamed() {
        assertThatThrownBy(() -> PoolOptions.defaults().maxSize(0)).hasMessageContaining("maxSize");
        assertThatThrownBy(() -> PoolOptions.defaults().maxWaiting(-1)).hasMessageContaining("maxWaiting");
        assertThatThrownBy(() -> PoolOptions.defaults().name(null)).hasMessage("name");
        assertThatThrownBy(() -> PoolOptions.defaults().order(null)).hasMessage("order");
    }

    @Test
    void eachChangeLeavesTheRest() {
        var changed = PoolOptions.defaults()
                .name("x")
                .maxSize(3)
                .maxWaiting(4)
                .acquireTimeout(Duration.ofSeconds(5))
                .maxIdleTime(Duration.ofSeconds(6))
                .maxLifetime(Duration.ofSeconds(7))
                .validateAfterIdle(Duration.ofSeconds(8))
                .order(PoolOptions.Order.FIFO);
        assertThat(changed)
                .isEqualTo(new PoolOptions(
                        "x",
                        3,
                        4,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(7),
                        Duration.ofSeconds(8),
                        PoolOptions.Order.FIFO));
    }
}
