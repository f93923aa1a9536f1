package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, error codes, versions and features. */
@Tag("cells")
class UvNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "255.255.255.255", "0.0.0.0", "::1", "2001:db8::ffff", "::"})
    void anAddressSurvivesTheWayToCAndBack(String host) {
        var address = new InetSocketAddress(InetAddress.ofLiteral(host), 65535);
        try (var arena = Arena.ofConfined()) {
            assertThat(SocketAddresses.decode(SocketAddresses.encode(address, arena)))
                    .isEqualTo(address);
        }
    }

    @Test
    void theScopeOfAnAddressSurvives() throws Exception {
        var ip =
                Inet6Address.getByAddress(null, InetAddress.ofLiteral("fe80::1").getAddress(), 7);
        try (var arena = Arena.ofConfined()) {
            var back = SocketAddresses.decode(SocketAddresses.encode(new InetSocketAddress(ip, 1), arena));
            assertThat(back.getAddress()).isInstanceOfSatisfying(Inet6Address.class, same -> {
                assertThat(same.getScopeId()).isEqualTo(7);
            });
        }
    }

    @Test
    void thePortIsInNetworkOrder() {
        try (var arena = Arena.ofConfined()) {
            var segment =
                    SocketAddresses.encode(new InetSocketAddress(InetAddress.ofLiteral("1.2.3.4"), 0x1234), arena);
            assertThat(segment.get(ValueLayout.JAVA_SHORT, 0)).isEqualTo((short) libc.AF_INET());
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 2)).isEqualTo((byte) 0x12);
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 0x34);
            assertThat(segment.get(ValueLayout.JAVA_BYTE, 4)).isEqualTo((byte) 1);
        }
    }

    @Test
    void otherFamiliesAndNamesAreRefused() {
        try (var arena = Arena.ofConfined()) {
            var segment = arena.allocate(128);
            segment.set(ValueLayout.JAVA_SHORT, 0, (short) libc.AF_UNIX());
            assertThatThrownBy(() -> SocketAddresses.decode(segment)).isInstanceOf(IllegalArgumentException.class);
            var name = InetSocketAddress.createUnresolved("example.org", 80);
            assertThatThrownBy(() -> SocketAddresses.encode(name, arena))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("example.org");
        }
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1,'127.0.0.1:80'", "::1,'[0:0:0:0:0:0:0:1]:80'"})
    void anAddressIsWrittenAsPeopleDo(String host, String text) {
        assertThat(SocketAddresses.text(new InetSocketAddress(InetAddress.ofLiteral(host), 80)))
                .isEqualTo(text);
        assertThat(SocketAddresses.text(InetSocketAddress.createUnresolved("name", 80)))
                .isEqualTo("name:80");
    }

    @ParameterizedTest
    @EnumSource(UvErrno.class)
    void everyCodeFindsItsConstantAndHasWords(UvErrno errno) {
        assertThat(errno.code()).isNegative();
        assertThat(UvErrno.of(errno.code())).isSameAs(errno);
        assertThat(errno.description()).isNotBlank();
    }

    @Test
    void unknownCodesStayVisible() {
        assertThat(UvErrno.of(-123_456)).isSameAs(UvErrno.UNKNOWN);
        assertThat(UvErrno.of(0)).isSameAs(UvErrno.UNKNOWN);
        assertThat(new UvException(-123_456, "try").getMessage()).isEqualTo("try: error -123456 (unknown error)");
    }

    @Test
    void anExceptionNamesOperationCodeAndMeaning() {
        var error = new UvException(UvErrno.ECONNREFUSED.code(), "connect 127.0.0.1:1");
        assertThat(error).hasMessage("connect 127.0.0.1:1: ECONNREFUSED (connection refused)");
        assertThat(error.errno()).isSameAs(UvErrno.ECONNREFUSED);
        assertThat(error.getStackTrace()).isNotEmpty();
    }

    @Test
    void aStacklessExceptionHasNoStack() {
        var error = UvException.stackless(UvErrno.EPIPE.code(), "write");
        assertThat(error.getStackTrace()).isEmpty();
        assertThat(error).hasMessage("write: EPIPE (broken pipe)");
    }

    @ParameterizedTest
    @CsvSource({"1.50.0,1.44.2,1", "1.44.2,1.44.2,0", "1.44.1,1.44.2,-1", "2.0.0,1.99.99,1", "1.9.0,1.10.0,-1"})
    void versionsAreComparedByTheirNumbers(String one, String other, int sign) {
        assertThat(Integer.signum(version(one).compareTo(version(other)))).isEqualTo(sign);
        assertThat(version(one).atLeast(version(other))).isEqualTo(sign >= 0);
        assertThat(version(one)).hasToString(one);
    }

    private static UvVersion version(String text) {
        var parts = text.split("\\.", -1);
        return new UvVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    @Test
    void theLoadedVersionIsOneThatWorks() {
        assertThat(UvVersion.loaded().atLeast(UvVersion.OLDEST)).isTrue();
        assertThat(UvVersion.origin()).isNotBlank();
    }

    @ParameterizedTest
    @EnumSource(UvFeature.class)
    void aMissingFeatureNamesBothVersions(UvFeature feature) {
        assertThat(feature.isAvailable()).isEqualTo(UvVersion.loaded().atLeast(feature.since()));
        if (feature.isAvailable()) {
            feature.require();
        } else {
            assertThatThrownBy(feature::require)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining(feature.name())
                    .hasMessageContaining(feature.since().toString())
                    .hasMessageContaining(UvVersion.loaded().toString());
        }
    }
}
