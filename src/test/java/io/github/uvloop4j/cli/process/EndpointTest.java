package io.github.uvloop4j.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:25000", "localhost:0", "[::1]:65535", "unix:/run/echo", "unix:echo here"})
    void readsAndWritesTheSame(String text) {
        assertThat(Endpoint.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "127.0.0.1", ":1", "[]:1", "::1:5", "a:-1", "a:65536", "a:b", "a:", "unix:"})
    void refusesAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.parse(text));
    }
}
