package io.github.uvloop4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSpecTest {
    @Test
    void fillsInTheAddress() {
        assertThat(ServerSpec.parse("c=./server -a={addr} 'one word'"))
                .isEqualTo(new ServerSpec("c", List.of("./server", "-a=127.0.0.1:0", "one word")));
    }

    @Test
    void appendsTheAddress() {
        assertThat(ServerSpec.parse("c=server \"\" x=y").command())
                .containsExactly("server", "", "x=y", "--addr", "127.0.0.1:0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c", "=server", "c=", "c= ", "c='server"})
    void refusesAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ServerSpec.parse(text));
    }
}
