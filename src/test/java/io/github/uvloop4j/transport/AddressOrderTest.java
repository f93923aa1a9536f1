package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressOrderTest {
    private static List<InetSocketAddress> all(String hosts) {
        return Arrays.stream(hosts.split(" "))
                .map(host -> new InetSocketAddress(InetAddress.ofLiteral(host), 1))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "1.0.0.1 1.0.0.2 ::1 ::2,::1 1.0.0.1 ::2 1.0.0.2",
        "::1 ::2 ::3 1.0.0.1,::1 1.0.0.1 ::2 ::3",
        "1.0.0.1 1.0.0.2 1.0.0.3 ::1,::1 1.0.0.1 1.0.0.2 1.0.0.3",
        "1.0.0.1 1.0.0.1 ::1 ::1,::1 1.0.0.1",
        "::1,::1",
        "1.0.0.1,1.0.0.1"
    })
    void familiesTakeTurnsAndIpv6Begins(String given, String order) {
        assertThat(AddressOrder.interleaved(all(given))).isEqualTo(all(order));
    }

    @Test
    void onlyTheFamilyOfTheLocalAddressRemains() {
        var given = all("::1 1.0.0.1 ::2 1.0.0.2");
        assertThat(AddressOrder.from(all("127.0.0.1").getFirst(), given)).isEqualTo(all("1.0.0.1 1.0.0.2"));
        assertThat(AddressOrder.from(all("::").getFirst(), given)).isEqualTo(all("::1 ::2"));
    }
}
