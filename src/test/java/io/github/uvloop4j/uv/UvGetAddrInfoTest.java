package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("cells")
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvGetAddrInfoTest {
    private static final int CANONNAME = 2;
    private static final int NUMERICHOST = 4;
    private static final int V4MAPPED = 8;

    private record Answer(int status, List<UvAddrInfo> found) {}

    private static Answer ask(UvLoop loop, String node, String service, UvAddrInfo.Hints hints) {
        var answers = new ArrayList<Answer>();
        var request = new UvGetAddrInfo(loop);
        request.start(node, service, hints, (status, found) -> answers.add(new Answer(status, found)));
        assertThat(request.isPending()).isTrue();
        loop.run(UvLoop.Mode.DEFAULT);
        request.free();
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private static UvAddrInfo.Hints streams(int flags) {
        return new UvAddrInfo.Hints(flags, libc.AF_UNSPEC(), libc.SOCK_STREAM(), 0);
    }

    @Test
    void anAddressIsItsOwnAnswer(UvLoop loop) {
        var answer = ask(loop, "127.0.0.1", "8080", streams(NUMERICHOST));
        assertThat(answer.status).isZero();
        assertThat(answer.found)
                .containsExactly(new UvAddrInfo(
                        libc.AF_INET(),
                        libc.SOCK_STREAM(),
                        libc.IPPROTO_TCP(),
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 8080),
                        null));
    }

    @Test
    void allKindsOfSocketsAreAnswered(UvLoop loop) {
        assertThat(ask(loop, "::1", null, UvAddrInfo.Hints.NONE).found)
                .extracting(UvAddrInfo::socketType)
                .containsExactly(libc.SOCK_STREAM(), libc.SOCK_DGRAM(), libc.SOCK_RAW());
    }

    @Test
    void theCanonicalNameIsInTheFirstAnswer(UvLoop loop) {
        var found = ask(loop, "127.0.0.1", null, new UvAddrInfo.Hints(CANONNAME, 0, 0, 0)).found;
        assertThat(found).extracting(UvAddrInfo::canonicalName).containsExactly("127.0.0.1", null, null);
    }

    @Test
    void aMappedAddressStaysOne(UvLoop loop) {
        var hints = new UvAddrInfo.Hints(V4MAPPED, libc.AF_INET6(), libc.SOCK_STREAM(), 0);
        assertThat(ask(loop, "127.0.0.1", "1", hints).found).singleElement().satisfies(info -> {
            assertThat(info.address().getAddress()).isInstanceOf(Inet6Address.class);
            assertThat(info.address().getAddress().getAddress()).endsWith(0xff, 0xff, 127, 0, 0, 1);
        });
    }

    @Test
    void theScopeOfAnAddressIsKept(UvLoop loop) {
        assertThat(ask(loop, "fe80::1%lo", "1", streams(0)).found)
                .singleElement()
                .satisfies(info -> assertThat(info.address().getAddress())
                        .isInstanceOfSatisfying(
                                Inet6Address.class,
                                v6 -> assertThat(v6.getScopeId()).isPositive()));
    }

    @Test
    void aServiceIsFoundByItsName(UvLoop loop) {
        Assumptions.assumeTrue(Files.exists(Path.of("/etc/services")), "no table of services");
        assertThat(ask(loop, null, "http", streams(0)).found)
                .isNotEmpty()
                .allMatch(info -> info.address().getPort() == 80);
    }

    @Test
    void whatIsNotThereFailsWithACode(UvLoop loop) {
        var answer = ask(loop, "name.invalid", null, streams(NUMERICHOST));
        assertThat(UvErrno.of(answer.status)).isEqualTo(UvErrno.EAI_NONAME);
        assertThat(answer.found).isEmpty();
    }

    @Test
    void badHintsFailWithACode(UvLoop loop) {
        assertThat(UvErrno.of(ask(loop, "127.0.0.1", null, new UvAddrInfo.Hints(1 << 30, 0, 0, 0)).status))
                .isEqualTo(UvErrno.EAI_BADFLAGS);
        assertThat(UvErrno.of(ask(loop, "127.0.0.1", null, new UvAddrInfo.Hints(0, 12345, 0, 0)).status))
                .isEqualTo(UvErrno.EAI_FAMILY);
        assertThat(UvErrno.of(ask(loop, "127.0.0.1", null, new UvAddrInfo.Hints(0, 0, 12345, 0)).status))
                .isEqualTo(UvErrno.EAI_SOCKTYPE);
    }

    @Test
    void aRequestCanBeUsedAgainAfterItsCallback(UvLoop loop) {
        var request = new UvGetAddrInfo(loop);
        var seen = new ArrayList<InetSocketAddress>();
        for (int port : new int[] {1, 2}) {
            request.start(
                    "127.0.0.1",
                    "" + port,
                    streams(NUMERICHOST),
                    (status, found) -> seen.add(found.getFirst().address()));
            loop.run(UvLoop.Mode.DEFAULT);
        }
        request.free();
        assertThat(seen).extracting(InetSocketAddress::getPort).containsExactly(1, 2);
    }

    @Test
    void manyAtATimeGetTheirOwnAnswers(UvLoop loop) {
        var ports = new ArrayList<Integer>();
        for (int i = 1; i <= 50; i++) {
            var request = new UvGetAddrInfo(loop);
            request.start("127.0.0.1", "" + i, streams(NUMERICHOST), (status, found) -> {
                ports.add(found.getFirst().address().getPort());
                request.free();
            });
        }
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(ports).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void whatACallbackThrowsReachesTheLoop(UvLoop loop) {
        var request = new UvGetAddrInfo(loop);
        request.start("127.0.0.1", "1", streams(NUMERICHOST), (status, found) -> {
            throw new IllegalStateException("boo");
        });
        assertThatThrownBy(() -> loop.run(UvLoop.Mode.DEFAULT)).hasMessageContaining("boo");
        request.free();
    }

    @Test
    void askedAtOnceItHoldsTheThreadUp(UvLoop loop) {
        assertThat(UvGetAddrInfo.now(loop, "127.0.0.1", "7", streams(NUMERICHOST)))
                .extracting(info -> info.address().getPort())
                .containsExactly(7);
        assertThatThrownBy(() -> UvGetAddrInfo.now(loop, "name.invalid", null, streams(NUMERICHOST)))
                .isInstanceOfSatisfying(
                        UvException.class, error -> assertThat(error.errno()).isEqualTo(UvErrno.EAI_NONAME))
                .hasMessageContaining("name.invalid");
        assertThat(loop.isAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {254, 255, 256, 300, 70_000})
    void aNameThatCWouldCutOffIsRefused(int length, UvLoop loop) {
        var name = "a".repeat(length);
        var request = new UvGetAddrInfo(loop);
        assertThatThrownBy(() -> request.start(name, null, streams(0), (status, found) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("253");
        assertThatThrownBy(() -> UvGetAddrInfo.now(loop, name, null, streams(0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(request.isPending()).isFalse();
        request.free();
    }

    @Test
    void aZeroInANameIsRefused(UvLoop loop) {
        assertThatThrownBy(() -> UvGetAddrInfo.now(loop, "127.0.0.1\0.example", null, streams(0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UvGetAddrInfo.now(loop, "127.0.0.1", "80\0", streams(0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UvGetAddrInfo.now(loop, null, null, streams(0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
