package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.IdentityHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerAddressesTest {
    private final PeerAddresses addresses = new PeerAddresses();

    @AfterEach
    void release() {
        addresses.release();
    }

    @Test
    void whatWasEncodedIsDecodedAndRemembered() throws Exception {
        for (var literal : new String[] {"127.0.0.1", "10.1.2.3", "::1", "2001:db8::7"}) {
            for (int port : new int[] {1, 53, 65_535}) {
                var address = new InetSocketAddress(InetAddress.ofLiteral(literal), port);
                long place = addresses.target(address);
                assertThat(addresses.target(new InetSocketAddress(InetAddress.ofLiteral(literal), port)))
                        .isEqualTo(place);
                var received = addresses.received(place);
                assertThat(received).isEqualTo(address);
                assertThat(addresses.received(place)).isSameAs(received);
            }
        }
    }

    @Test
    void manyPeersDoNotMix() throws Exception {
        for (int i = 0; i < 2_000; i++) {
            var bytes = new byte[] {127, (byte) (i >> 8), (byte) i, 1};
            var address = new InetSocketAddress(InetAddress.getByAddress(bytes), 1 + i % 7);
            assertThat(addresses.received(addresses.target(address))).isEqualTo(address);
        }
    }

    @Test
    void peersThatKeepTakingTurnsAreRemembered() {
        var here = InetAddress.ofLiteral("127.0.0.1");
        var seen = new IdentityHashMap<SocketAddress, Boolean>();
        for (int round = 0; round < 100; round++) {
            seen.clear();
            for (int port = 40_000; port < 60_000; port += 100) {
                var received = addresses.received(addresses.target(new InetSocketAddress(here, port)));
                assertThat(received).isEqualTo(new InetSocketAddress(here, port));
                seen.put(received, true);
            }
        }

        int again = 0;
        for (int port = 40_000; port < 60_000; port += 100) {
            var received = addresses.received(addresses.target(new InetSocketAddress(here, port)));
            again += seen.containsKey(received) ? 1 : 0;
        }
        assertThat(again).isGreaterThan(180);
    }

    @Test
    void theSameNumberOnAnotherInterfaceIsAnotherPeer() throws Exception {
        var link = InetAddress.ofLiteral("fe80::1").getAddress();
        for (int scope : new int[] {1, 2, 1}) {
            var address = new InetSocketAddress(Inet6Address.getByAddress(null, link, scope), 5353);
            var received = (InetSocketAddress) addresses.received(addresses.target(address));
            assertThat(((Inet6Address) received.getAddress()).getScopeId()).isEqualTo(scope);
        }
    }

    @Test
    void whatCannotBeEncodedLeavesNothingBehind() throws Exception {
        var good = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1);
        addresses.target(good);
        assertThatThrownBy(() -> addresses.target(InetSocketAddress.createUnresolved("name", 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(addresses.received(addresses.target(good))).isEqualTo(good);
    }
}
