package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Servers on several hosts. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ServerHostsTest {
    private static final ServerOptions OPTIONS = ServerOptions.defaults();

    @Tag("cells")
    @Test
    void oneServerServesSeveralHostsAtOnePort(EventLoop loop) throws Exception {
        loop.run(() -> {
            var hosts = List.of("127.0.0.1", "127.0.0.2", "::1");
            var server = loop.net()
                    .createServer(() -> new Recorder(loop), hosts, 0, OPTIONS)
                    .await();
            assertThat(server.addresses())
                    .extracting(address -> Internet.ip(address).getHostAddress())
                    .containsExactly("127.0.0.1", "127.0.0.2", "0:0:0:0:0:0:0:1");
            for (var host : hosts) {
                loop.net().openConnection(host, server.port()).close();
            }
            server.close();
            server.closeClients();
            server.waitClosed().await();
        });
    }

    @Test
    void anAddressThatComesTwiceIsBoundOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(List.of("localhost", "127.0.0.1", "LOCALHOST"), 0, OPTIONS)) {
                assertThat(listener.addresses()).hasSize(2);
            }
        });
    }

    @Test
    void tasksServeThemToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .startServer(connection -> connection.write("x"), List.of("127.0.0.1", "::1"), 0, OPTIONS)
                    .await();
            for (var host : List.of("127.0.0.1", "::1")) {
                try (var connection = loop.net().openConnection(host, server.port())) {
                    assertThat(connection.readExactly(1)).isEqualTo(new byte[] {'x'});
                }
            }
            server.close();
        });
    }

    @Test
    void ifOneFailsNoneIsLeft(EventLoop loop) throws Exception {
        loop.run(() -> {
            var before = Descriptors.now();
            assertThatThrownBy(() -> loop.net()
                            .createServer(() -> new Recorder(loop), List.of("127.0.0.1", "192.0.2.77"), 0, OPTIONS)
                            .await())
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("192.0.2.77");
            assertThatThrownBy(() -> loop.net().listen(List.of("127.0.0.1", "a b"), 0, OPTIONS))
                    .isInstanceOf(UnknownHostException.class);
            assertThat(Descriptors.leakedSince(before)).isEmpty();
        });
    }

    @Test
    void badListsAreRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().listen(List.of(), 0, OPTIONS))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.net().listen(List.of("127.0.0.1"), 65_536, OPTIONS))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void withDualStackEveryInterfaceIsOneSocket(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen((String) null, 0, OPTIONS.dualStack(true))) {
                assertThat(listener.addresses())
                        .singleElement()
                        .satisfies(address -> assertThat(Internet.ip(address)).isEqualTo(InetAddress.ofLiteral("::")));
                for (var host : List.of("127.0.0.1", "::1")) {
                    loop.net().openConnection(host, listener.port()).close();
                    listener.accept().close();
                }
            }
        });
    }

    @Test
    void theZoneOfAnAddressIsKeptToTheSocket(EventLoop loop) throws Exception {
        // Nobody has this address: the kernel refuses it by that, and not for want of a zone (EINVAL).
        loop.run(() -> assertThatThrownBy(() -> loop.net().listen("fe80::dead:beef%lo", 0))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("EADDRNOTAVAIL"));
        assertThatThrownBy(() ->
                        loop.run(() -> loop.net().listen(new InetSocketAddress("fe80::dead:beef", 0), OPTIONS)))
                .hasMessageContaining("EINVAL");
    }
}
