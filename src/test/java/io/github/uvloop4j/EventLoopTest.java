package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.LoopExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LoopExtension.class)
class EventLoopTest {
    @Test
    void runReturnsTheResultOfItsTask(EventLoop loop) throws Exception {
        assertThat(loop.<Integer>run(() -> 42)).isEqualTo(42);
    }

    @Test
    void runThrowsWhatItsTaskThrew(EventLoop loop) {
        assertThatThrownBy(() -> loop.run(() -> {
                    throw new java.io.IOException("x");
                }))
                .isInstanceOf(java.io.IOException.class)
                .hasMessage("x");
    }

    @Test
    void closeIsRepeatable(EventLoop loop) {
        loop.close();
        loop.close();
        assertThat(loop.isClosed()).isTrue();
    }
}
