package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.util.Loopback;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressesTest {
    private static List<InetAddress> now(String host) throws UnknownHostException {
        return HostAddresses.known(host, Loopback.WILDCARDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "2001:db8::1", "0.0.0.0"})
    void aLiteralIsAnsweredAtOnce(String literal) throws Exception {
        assertThat(now(literal)).containsExactly(InetAddress.ofLiteral(literal));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "localhost."})
    void localhostIsBothLoopbacks(String name) throws Exception {
        assertThat(now(name)).containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
    }

    @ParameterizedTest
    @NullAndEmptySource
    void noHostIsWhatItIsFor(String host) throws Exception {
        assertThat(now(host)).allMatch(InetAddress::isAnyLocalAddress).hasSize(2);
        assertThat(HostAddresses.known(host, Loopback.ADDRESSES)).isEqualTo(Loopback.ADDRESSES);
    }

    @Test
    void aNameNeedsALookUp() throws Exception {
        assertThat(now("name.invalid")).isNull();
        assertThat(now("localhost.invalid")).isNull();
    }

    @Test
    void portsAreChecked() {
        for (int port : new int[] {-1, 65_536, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> HostAddresses.checkPort(port))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("" + port);
        }
    }
}
