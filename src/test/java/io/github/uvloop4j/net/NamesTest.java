package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.dns.AddrInfo;
import io.github.uvloop4j.dns.AddrInfoFlag;
import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.NameInfo;
import io.github.uvloop4j.dns.NameInfoFlag;
import io.github.uvloop4j.dns.SocketType;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** getAddrInfo and getNameInfo with the default resolver, and what they answer without any. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class NamesTest {
    private static final AddrInfoHints ANY = AddrInfoHints.none();
    private static final AddrInfoHints STREAMS = ANY.type(SocketType.STREAM);

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }

    private static List<AddrInfo> find(EventLoop loop, String host, String service, AddrInfoHints hints)
            throws Exception {
        return loop.runUntilComplete(loop.net().getAddrInfo(host, service, hints));
    }

    private static AddrInfo stream(String host, int port) {
        var address = at(host, port);
        var family = address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
        return new AddrInfo(family, SocketType.STREAM, 6, null, address);
    }

    @Tag("cells")
    @Test
    void anAddressIsAnsweredAtOnceInAllKinds(EventLoop loop) throws Exception {
        var future = loop.net().getAddrInfo("127.0.0.1", 80, ANY);
        assertThat(future.isDone()).isTrue();
        assertThat(future.result())
                .containsExactly(
                        stream("127.0.0.1", 80),
                        new AddrInfo(StandardProtocolFamily.INET, SocketType.DGRAM, 17, null, at("127.0.0.1", 80)),
                        new AddrInfo(StandardProtocolFamily.INET, SocketType.RAW, 0, null, at("127.0.0.1", 80)));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "80,80", "65535,65535", "00080,80", "'',0"})
    void aPortMayBeAText(String service, int port, EventLoop loop) throws Exception {
        assertThat(loop.net().getAddrInfo("::1", service, STREAMS).result()).containsExactly(stream("::1", port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "99999", "4294967297", "100000000000000000000"})
    void aPortOutOfRangeIsRefused(String service, EventLoop loop) {
        assertThatThrownBy(() -> loop.net().getAddrInfo("127.0.0.1", service, ANY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(service);
        assertThatThrownBy(() -> loop.net().getAddrInfo("127.0.0.1", 65_536, ANY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> loop.net().getAddrInfo("127.0.0.1", -1, ANY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void badServicesAreRefused(EventLoop loop) {
        for (var service : List.of("a".repeat(256), "80\0", "ht\0tp")) {
            assertThatThrownBy(() -> loop.net().getAddrInfo("127.0.0.1", service, ANY))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @NullAndEmptySource
    void noHostIsThisMachine(String host, EventLoop loop) {
        assertThat(loop.net().getAddrInfo(host, "80", STREAMS).resultNow())
                .containsExactly(stream("::1", 80), stream("127.0.0.1", 80));
        assertThat(loop.net()
                        .getAddrInfo(host, "80", STREAMS.flags(AddrInfoFlag.PASSIVE))
                        .resultNow())
                .containsExactly(stream("0.0.0.0", 80), stream("::", 80));
        assertThatThrownBy(() -> loop.net().getAddrInfo(host, null, ANY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void localhostIsTheLoopbackWhateverTheResolverSays(EventLoop loop) {
        assertThat(loop.net().getAddrInfo("LocalHost", "1", STREAMS).resultNow())
                .containsExactly(stream("127.0.0.1", 1), stream("::1", 1));
    }

    @ParameterizedTest
    @CsvSource({"STREAM,6,1", "DGRAM,17,1", ",6,1", ",17,1", "STREAM,0,1", "DGRAM,0,1"})
    void kindsAndProtocolsAreChosen(SocketType type, int protocol, int count, EventLoop loop) {
        var found = loop.net()
                .getAddrInfo("127.0.0.1", "1", ANY.type(type).protocol(protocol))
                .resultNow();
        assertThat(found).hasSize(count).allMatch(info -> type == null || info.type() == type);
        assertThat(found).allMatch(info -> protocol == 0 || info.protocol() == protocol);
    }

    @Test
    void kindsThatDoNotFitTheProtocolAreNotFound(EventLoop loop) {
        var hints = ANY.type(SocketType.DGRAM).protocol(6);
        assertThatThrownBy(() -> find(loop, "127.0.0.1", "1", hints)).isInstanceOf(UnknownHostException.class);
    }

    @Tag("cells")
    @Test
    void rareKindsAreTheCLibrarysToTell(EventLoop loop) throws Exception {
        var hints = ANY.type(SocketType.RAW).protocol(1);
        assertThat(find(loop, "127.0.0.1", null, hints))
                .containsExactly(
                        new AddrInfo(StandardProtocolFamily.INET, SocketType.RAW, 1, null, at("127.0.0.1", 0)));
    }

    @Test
    void anAddressOfTheOtherFamilyIsUnknown(EventLoop loop) {
        assertThatThrownBy(() -> find(loop, "127.0.0.1", "1", ANY.family(StandardProtocolFamily.INET6)))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("INET6");
        assertThatThrownBy(() -> find(loop, "::1", "1", ANY.family(StandardProtocolFamily.INET)))
                .isInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> ANY.family(StandardProtocolFamily.UNIX)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAddressIsMappedIntoIpv6(EventLoop loop) {
        var hints = STREAMS.family(StandardProtocolFamily.INET6).flags(AddrInfoFlag.V4MAPPED);
        assertThat(loop.net().getAddrInfo("127.0.0.1", "1", hints).resultNow())
                .singleElement()
                .satisfies(info -> {
                    assertThat(info.family()).isEqualTo(StandardProtocolFamily.INET6);
                    assertThat(info.address().getAddress()).isInstanceOf(Inet6Address.class);
                    assertThat(info.address().getAddress().getAddress()).endsWith(0xff, 0xff, 127, 0, 0, 1);
                });
    }

    @Test
    void theFirstAnswerHasTheCanonicalName(EventLoop loop) {
        assertThat(loop.net()
                        .getAddrInfo("127.0.0.1", "1", ANY.flags(AddrInfoFlag.CANONNAME))
                        .resultNow())
                .extracting(AddrInfo::canonicalName)
                .containsExactly("127.0.0.1", null, null);
    }

    @Test
    void namesAreNotLookedUpWhereOnlyAddressesAreWanted(EventLoop loop) {
        var future = loop.net().getAddrInfo("name.invalid", "1", ANY.flags(AddrInfoFlag.NUMERICHOST));
        assertThat(future.isDone()).isTrue();
        assertThatThrownBy(future::result)
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("name.invalid");
    }

    @Tag("cells")
    @Test
    void aServiceIsFoundByItsName(EventLoop loop) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/etc/services")), "no table of services");
        assertThat(find(loop, "127.0.0.1", "http", STREAMS)).containsExactly(stream("127.0.0.1", 80));
        assertThat(find(loop, "[::1]", "https", STREAMS)).containsExactly(stream("::1", 443));
        assertThat(find(loop, null, "http", STREAMS))
                .isNotEmpty()
                .allMatch(info -> info.address().getPort() == 80);
        assertThatThrownBy(() -> find(loop, "127.0.0.1", "nosuchservice", STREAMS))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("EAI_SERVICE");
        assertThatThrownBy(() -> find(loop, "127.0.0.1", "http", STREAMS.flags(AddrInfoFlag.NUMERICSERV)))
                .isInstanceOf(UnknownHostException.class);
    }

    @Test
    void aZoneIsKept(EventLoop loop) {
        for (var host : List.of("fe80::1%lo", "fe80::1%1")) {
            assertThat(loop.net().getAddrInfo(host, "1", STREAMS).resultNow())
                    .singleElement()
                    .satisfies(info -> assertThat(info.address().getAddress())
                            .isInstanceOfSatisfying(
                                    Inet6Address.class,
                                    v6 -> assertThat(v6.getScopeId()).isPositive()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\0b", "\u00fc..de", "1:2", "fe80::1%nosuchif", "0x7f000001", "256.1.1.1"})
    void whatIsNoHostIsUnknownAtOnce(String host, EventLoop loop) {
        var future = loop.net().getAddrInfo(host, "1", ANY);
        assertThat(future.isDone()).isTrue();
        assertThatThrownBy(future::result).isInstanceOf(UnknownHostException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256, 300, 100_000})
    void aNameThatIsTooLongIsUnknownAtOnce(int length, EventLoop loop) {
        assertThatThrownBy(() ->
                        loop.net().getAddrInfo("a".repeat(length), "1", ANY).result())
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("253");
    }

    @ParameterizedTest
    @EnumSource(AddrInfoFlag.class)
    void everyFlagIsTakenByTheCLibrary(AddrInfoFlag flag, EventLoop loop) throws Exception {
        var flags =
                flag == AddrInfoFlag.ALL ? new AddrInfoFlag[] {flag, AddrInfoFlag.V4MAPPED} : new AddrInfoFlag[] {flag};
        var hints = ANY.type(SocketType.RAW).protocol(1).flags(flags);
        assertThat(find(loop, "127.0.0.1", null, hints)).isNotEmpty();
    }

    // Names of addresses

    @Tag("cells")
    @ParameterizedTest
    @CsvSource({"127.0.0.1,80", "::1,0", "2001:db8::ffff,65535", "255.255.255.255,1"})
    void numbersAreAnsweredAtOnce(String host, int port, EventLoop loop) {
        assertThat(loop.net()
                        .getNameInfo(at(host, port), NameInfoFlag.NUMERICHOST, NameInfoFlag.NUMERICSERV)
                        .resultNow())
                .isEqualTo(new NameInfo(host, "" + port));
    }

    @Tag("cells")
    @Test
    void theLoopbackHasAName(EventLoop loop) throws Exception {
        var found = loop.runUntilComplete(loop.net().getNameInfo(at("127.0.0.1", 0), NameInfoFlag.NUMERICSERV));
        assertThat(found.host()).isNotEmpty().isNotEqualTo("127.0.0.1");
        assertThat(found.service()).isEqualTo("0");
    }

    @Test
    void aServiceHasAName(EventLoop loop) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/etc/services")), "no table of services");
        assertThat(loop.runUntilComplete(loop.net().getNameInfo(at("127.0.0.1", 80), NameInfoFlag.NUMERICHOST)))
                .isEqualTo(new NameInfo("127.0.0.1", "http"));
    }

    @ParameterizedTest
    @EnumSource(NameInfoFlag.class)
    void everyFlagOfNamesIsTaken(NameInfoFlag flag, EventLoop loop) throws Exception {
        assertThat(loop.runUntilComplete(loop.net().getNameInfo(at("127.0.0.1", 9), flag))
                        .host())
                .isNotEmpty();
    }

    @Test
    void anUnresolvedAddressHasNoName(EventLoop loop) {
        assertThatThrownBy(() -> loop.net().getNameInfo(InetSocketAddress.createUnresolved("name", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }
}
