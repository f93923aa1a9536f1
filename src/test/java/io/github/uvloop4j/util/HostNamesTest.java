package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNamesTest {
    private static final String LABELS = "a23456789.".repeat(25);

    @ParameterizedTest
    @CsvSource({
        "example.org,example.org",
        "Example.ORG.,Example.ORG.",
        "my_service,my_service",
        "bücher.example,xn--bcher-kva.example",
        "☃.net,xn--n3h.net",
        "xn--bcher-kva.example,xn--bcher-kva.example",
        "127.0.0.1,127.0.0.1",
        "fe80::1%eth0,fe80::1%eth0"
    })
    void namesBecomeAscii(String name, String ascii) {
        assertThat(HostNames.ascii(name)).isEqualTo(ascii);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\0b", "a\nb", "\u007f", "ü..de", "-ü.de", "ü_ü.de", "\ud800.de", "ü .de"})
    void whatIsNoNameIsRefused(String name) {
        assertThatThrownBy(() -> HostNames.ascii(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theLongestNameIsTaken() {
        var longest = LABELS + "abc";
        assertThat(longest).hasSize(253);
        assertThat(HostNames.ascii(longest)).isEqualTo(longest);
        assertThat(HostNames.ascii(longest + '.')).hasSize(254);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.", "..", "aa"})
    void longerOnesAreRefused(String more) {
        assertThatThrownBy(() -> HostNames.ascii(LABELS + "abc" + more))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("253");
    }

    @Test
    void theLengthIsThatOfTheAscii() {
        assertThatThrownBy(() -> HostNames.ascii("ü.".repeat(60) + "de"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("253");
        assertThatThrownBy(() -> HostNames.ascii("ü".repeat(60) + ".de")).isInstanceOf(IllegalArgumentException.class);
    }
}
