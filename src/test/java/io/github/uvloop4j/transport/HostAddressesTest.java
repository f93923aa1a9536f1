package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressesTest {
    private static List<InetAddress> now(String host) {
        var found = HostAddresses.known(host, 7);
        assertThat(found).as("without a look-up").isNotNull().allMatch(address -> address.getPort() == 7);
        return found.stream().map(InetSocketAddress::getAddress).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "2001:db8::1", "0.0.0.0"})
    void aLiteralIsAnsweredAtOnce(String literal) {
        assertThat(now(literal)).containsExactly(InetAddress.ofLiteral(literal));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST"})
    void localhostIsBothLoopbacks(String name) {
        assertThat(now(name)).containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
    }

    @ParameterizedTest
    @NullAndEmptySource
    void noHostIsEveryInterface(String host) {
        assertThat(now(host)).allMatch(InetAddress::isAnyLocalAddress).hasSize(2);
    }

    @Test
    void aNameNeedsALookUp() {
        assertThat(HostAddresses.known("name.invalid", 7)).isNull();
    }

    @Test
    void portsAreChecked() {
        for (int port : new int[] {-1, 65_536, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> HostAddresses.known("127.0.0.1", port))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + port);
        }
    }
}
