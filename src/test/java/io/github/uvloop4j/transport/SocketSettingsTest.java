package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What options do to the kernel's sockets, on both sides. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class SocketSettingsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Both sides of a connection that was made with options. */
    private record Sides(StreamBase client, StreamBase server) {
        static void with(
                EventLoop loop, ConnectOptions connect, ServerOptions serve, java.util.function.Consumer<Sides> test)
                throws Exception {
            loop.run(() -> {
                var accepted = loop.<Transport>createFuture();
                var server = loop.net()
                        .createServer(() -> new Silent(accepted::complete), "127.0.0.1", 0, serve)
                        .await();
                var client = loop.net().openConnection("127.0.0.1", server.port(), connect);
                var transport = accepted.await(LIMIT);
                test.accept(new Sides((StreamBase) client, (StreamBase) transport));
                client.close();
                server.close();
                server.waitClosed().await(LIMIT);
            });
        }
    }

    private record Silent(java.util.function.Consumer<Transport> made) implements Protocol {
        @Override
        public void connectionMade(Transport transport) {
            made.accept(transport);
        }

        @Override
        public void dataReceived(ByteBuffer data) {}
    }

    private static int noDelay(StreamBase side) {
        return SocketOptions.get(side.stream.fileno(), libc.IPPROTO_TCP(), libc.TCP_NODELAY());
    }

    private static int keepAlive(StreamBase side) {
        int on = SocketOptions.get(side.stream.fileno(), libc.SOL_SOCKET(), libc.SO_KEEPALIVE());
        return on == 0 ? 0 : SocketOptions.get(side.stream.fileno(), libc.IPPROTO_TCP(), libc.TCP_KEEPIDLE());
    }

    @Test
    void smallWritesAreSentAtOnceByDefault(EventLoop loop) throws Exception {
        Sides.with(loop, ConnectOptions.defaults(), ServerOptions.defaults(), sides -> {
            assertThat(noDelay(sides.client)).isNotZero();
            assertThat(noDelay(sides.server)).isNotZero();
            assertThat(keepAlive(sides.client)).isZero();
            assertThat(keepAlive(sides.server)).isZero();
        });
    }

    @Test
    void smallWritesCanBeGathered(EventLoop loop) throws Exception {
        Sides.with(
                loop,
                ConnectOptions.defaults().noDelay(false),
                ServerOptions.defaults().noDelay(false),
                sides -> {
                    assertThat(noDelay(sides.client)).isZero();
                    assertThat(noDelay(sides.server)).isZero();
                });
    }

    @Test
    void keepAliveProbesStartAfterTheirTime(EventLoop loop) throws Exception {
        Sides.with(
                loop,
                ConnectOptions.defaults().keepAliveSeconds(77),
                ServerOptions.defaults().keepAliveSeconds(88),
                sides -> {
                    assertThat(keepAlive(sides.client)).isEqualTo(77);
                    assertThat(keepAlive(sides.server)).isEqualTo(88);
                });
    }

    @Test
    void optionsHoldForSocketsThatWereMadeElsewhere(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createServer(() -> new Silent(transport -> {}), "127.0.0.1", 0)
                    .await();
            for (int round = 0; round < 2; round++) {
                var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
                loop.sockets().sockConnect(socket, server.address()).await(LIMIT);
                if (round == 0) {
                    var options = ConnectOptions.defaults().keepAliveSeconds(66);
                    var transport = loop.net()
                            .createConnection(() -> new Silent(made -> {}), socket, options)
                            .await(LIMIT)
                            .transport();
                    assertThat(noDelay((StreamBase) transport)).isNotZero();
                    assertThat(keepAlive((StreamBase) transport)).isEqualTo(66);
                    transport.close();
                } else {
                    var connection = loop.net().openConnection(socket);
                    assertThat(noDelay((StreamBase) connection)).isNotZero();
                    connection.close();
                }
            }
            server.close();
            server.waitClosed().await(LIMIT);
        });
    }

    @Test
    void descriptorsAreNotInheritedByPrograms(EventLoop loop) throws Exception {
        Sides.with(loop, ConnectOptions.defaults(), ServerOptions.defaults(), sides -> {
            assertThat(SocketCalls.control(sides.client.stream.fileno(), libc.F_GETFD(), 0) & 1)
                    .isOne();
            assertThat(SocketCalls.control(sides.server.stream.fileno(), libc.F_GETFD(), 0) & 1)
                    .isOne();
        });
    }
}
