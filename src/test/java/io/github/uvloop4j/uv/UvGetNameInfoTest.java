package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("cells")
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvGetNameInfoTest {
    private static final int NUMERIC = 3;

    private record Answer(int status, String host, String service) {}

    private static Answer ask(UvLoop loop, InetSocketAddress address, int flags) {
        var answers = new ArrayList<Answer>();
        var request = new UvGetNameInfo(loop);
        request.start(address, flags, (status, host, service) -> answers.add(new Answer(status, host, service)));
        loop.run(UvLoop.Mode.DEFAULT);
        request.free();
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "2001:db8::ffff", "255.255.255.255"})
    void numbersAreWrittenAsCDoes(String host, UvLoop loop) {
        var address = new InetSocketAddress(InetAddress.ofLiteral(host), 65_535);
        assertThat(ask(loop, address, NUMERIC)).isEqualTo(new Answer(0, host, "65535"));
        assertThat(UvGetNameInfo.now(loop, address, NUMERIC)).isEqualTo(new UvGetNameInfo.Names(host, "65535"));
    }

    @Test
    void theLoopbackHasAName(UvLoop loop) {
        var answer = ask(loop, new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 2);
        assertThat(answer.status).isZero();
        assertThat(answer.host).isNotEmpty();
        assertThat(answer.service).isEqualTo("0");
    }

    @Test
    void badFlagsFailWithACode(UvLoop loop) {
        var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1);
        assertThat(UvErrno.of(ask(loop, address, 1 << 30).status)).isEqualTo(UvErrno.EAI_BADFLAGS);
        assertThatThrownBy(() -> UvGetNameInfo.now(loop, address, 1 << 30))
                .isInstanceOfSatisfying(
                        UvException.class, error -> assertThat(error.errno()).isEqualTo(UvErrno.EAI_BADFLAGS));
    }

    @Test
    void anUnresolvedAddressIsRefused(UvLoop loop) {
        var name = InetSocketAddress.createUnresolved("example.org", 80);
        assertThatThrownBy(() -> UvGetNameInfo.now(loop, name, 0)).isInstanceOf(IllegalArgumentException.class);
        var request = new UvGetNameInfo(loop);
        assertThatThrownBy(() -> request.start(name, 0, (status, host, service) -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        request.free();
    }
}
