package io.github.uvloop4j.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostLiteralsTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "2001:db8::1", "0.0.0.0"})
    void addressesAreParsed(String text) throws Exception {
        assertThat(HostLiterals.parse(text)).isEqualTo(InetAddress.ofLiteral(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "name.invalid", "a1", "1a", "0xyz", "a.b.", "1.2.3.com", "."})
    void namesAreNot(String text) throws Exception {
        assertThat(HostLiterals.parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fe80::1%7", "[fe80::1%7]", "ff02::1%7"})
    void aZoneMayBeANumber(String text) throws Exception {
        assertThat(HostLiterals.parse(text))
                .isInstanceOfSatisfying(
                        Inet6Address.class, v6 -> assertThat(v6.getScopeId()).isEqualTo(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fe80::1%lo", "[fe80::1%lo]"})
    void aZoneMayBeAnInterfaceThatHasNoSuchAddress(String text) throws Exception {
        int index = NetworkInterface.getByName("lo").getIndex();
        assertThat(HostLiterals.parse(text))
                .isInstanceOfSatisfying(
                        Inet6Address.class, v6 -> assertThat(v6.getScopeId()).isEqualTo(index));
    }

    @Test
    void anUnknownZoneIsNamed() {
        assertThatThrownBy(() -> HostLiterals.parse("fe80::1%nosuchif"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("nosuchif");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1:2", "fe80::1%", "%lo", "127.0.0.1%lo", "::1::2", "a:80", "[::1", "[]", "[fe80::1%]"})
    void malformedAddressesAreNoNames(String text) {
        assertThatThrownBy(() -> HostLiterals.parse(text))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"256.1.1.1", "1.2.3.4.5", "1.2.3.4.", "0x7f000001", "0x7f.1", "0X7F.0.0.0x1", "example.1", "0x"})
    void whatTheCLibraryMightReadAsAnotherAddressIsRefused(String text) {
        assertThatThrownBy(() -> HostLiterals.parse(text))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining(text);
    }

    @Test
    void theHostOf250DigitsIsRefused() {
        assertThatThrownBy(() -> HostLiterals.parse("0x" + "0".repeat(240) + "7f000001"))
                .isInstanceOf(UnknownHostException.class);
    }
}
