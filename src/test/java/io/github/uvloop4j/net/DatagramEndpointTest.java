package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams for tasks, and the operations on raw sockets. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class DatagramEndpointTest {
    private static final DatagramOptions ANY = DatagramOptions.bound("127.0.0.1", 0);

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Datagram datagram) {
        return StandardCharsets.UTF_8.decode(datagram.data()).toString();
    }

    private static int port(DatagramEndpoint endpoint) {
        return ((InetSocketAddress) endpoint.localAddress()).getPort();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("cells")
    void aPlainSocketIsAnswered(boolean batch, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY.batch(batch));
                    var peer = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
                peer.setSoTimeout(20_000);
                // On a platform thread: a virtual one would make the JDK open pollers that stay.
                Executor thread = work -> Thread.ofPlatform().daemon().start(work);
                var answered = loop.runInExecutor(thread, () -> {
                    var packet = new DatagramPacket("ping".getBytes(StandardCharsets.UTF_8), 4);
                    packet.setSocketAddress(server.localAddress());
                    peer.send(packet);
                    var answer = new DatagramPacket(new byte[100], 100);
                    peer.receive(answer);
                    return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8);
                });
                var got = server.receive();
                assertThat(text(got)).isEqualTo("ping");
                assertThat(got.truncated()).isFalse();
                server.sendTo(text("pong"), got.sender());
                assertThat(answered.await()).isEqualTo("pong");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatComesBeforeAnyoneAsksIsKept(boolean batch, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net()
                            .openDatagramEndpoint(ANY.receiveBuffer(1 << 20).batch(batch));
                    var client =
                            loop.net().openDatagramEndpoint(DatagramOptions.connected("127.0.0.1", port(server)))) {
                for (int i = 0; i < 300; i++) {
                    client.sendTo(text("m" + i));
                }
                Task.sleep(Duration.ofMillis(20));
                for (int i = 0; i < 300; i++) {
                    assertThat(text(server.receive())).isEqualTo("m" + i);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSmallBufferGetsTheBeginningAndIsToldSo(boolean waiting, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY);
                    var client = loop.net().openDatagramEndpoint(ANY)) {
                var buffer = ByteBuffer.allocate(6).position(2);
                Task<Received> receiving = null;
                if (waiting) {
                    receiving = loop.spawn(() -> server.receive(buffer));
                    Task.sleep(Duration.ZERO);
                }
                client.sendTo(text("123456"), server.localAddress());
                client.sendTo(text("ab"), server.localAddress());
                if (!waiting) {
                    Task.sleep(Duration.ofMillis(20));
                }
                var first = receiving == null ? server.receive(buffer) : receiving.await();
                assertThat(first).isEqualTo(new Received(4, client.localAddress(), true));
                assertThat(buffer.position()).isEqualTo(6);
                var second = server.receive(buffer.clear());
                assertThat(second.length()).isEqualTo(2);
                assertThat(second.truncated()).isFalse();
                assertThat(buffer.flip()).isEqualTo(text("ab"));
            }
        });
    }

    @Test
    void aCancelledTaskTakesNoDatagramWithIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY);
                    var client = loop.net().openDatagramEndpoint(ANY)) {
                for (boolean into : new boolean[] {true, false}) {
                    var task = loop.spawn(() -> into ? server.receive(ByteBuffer.allocate(10)) : server.receive());
                    Task.sleep(Duration.ZERO);
                    client.sendTo(text("x"), server.localAddress());
                    task.cancel();
                    assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                    assertThat(text(server.receive())).isEqualTo("x");
                }
            }
        });
    }

    @Test
    void oneTaskReceivesAtATime(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY)) {
                var first = loop.spawn(() -> server.receive());
                Task.sleep(Duration.ZERO);
                assertThatThrownBy(server::receive)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another task");
                first.cancel();
            }
        });
    }

    @Test
    void whoIsRefusedLeavesTheOtherItsBuffer(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY);
                    var client = loop.net().openDatagramEndpoint(ANY)) {
                var buffer = ByteBuffer.allocate(4);
                var first = loop.spawn(() -> server.receive(buffer));
                Task.sleep(Duration.ZERO);
                assertThatThrownBy(() -> server.receive(ByteBuffer.allocate(1)))
                        .isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(server::receive).isInstanceOf(IllegalStateException.class);
                client.sendTo(text("mine"), server.localAddress());
                assertThat(first.await().length()).isEqualTo(4);
                assertThat(buffer.flip()).isEqualTo(text("mine"));
            }
        });
    }

    @Test
    @Tag("cells")
    void closeEndsTheWait(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net().openDatagramEndpoint(ANY);
            var waiting = loop.spawn(() -> server.receive());
            Task.sleep(Duration.ZERO);
            server.close();
            server.close();
            assertThatThrownBy(waiting::await).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(server::receive).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> server.sendTo(text("x"), new InetSocketAddress("127.0.0.1", 9)))
                    .isInstanceOf(ClosedChannelException.class);
        });
    }

    @Test
    void thatNobodyListensIsThrownOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            int port;
            try (var gone = loop.net().openDatagramEndpoint(ANY)) {
                port = port(gone);
            }
            Task.sleep(Duration.ofMillis(5));
            try (var client = loop.net().openDatagramEndpoint(DatagramOptions.connected("127.0.0.1", port))) {
                client.sendTo(text("x"));
                assertThatThrownBy(client::receive).isInstanceOf(PortUnreachableException.class);
                try (var server = loop.net().openDatagramEndpoint(DatagramOptions.bound("127.0.0.1", port))) {
                    client.sendTo(text("y"));
                    server.sendTo(text("z"), server.receive().sender());
                    assertThat(text(client.receive())).isEqualTo("z");
                }
            }
        });
    }

    @Test
    void flushWaitsForWhatABatchKeeps(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = loop.net().openDatagramEndpoint(ANY.batch(true));
                    var client = loop.net().openDatagramEndpoint(ANY.batch(true))) {
                for (int i = 0; i < 100; i++) {
                    client.sendTo(text("m" + i), server.localAddress());
                }
                assertThat(client.writeBufferSize()).isPositive();
                client.flush();
                assertThat(client.writeBufferSize()).isZero();
                for (int i = 0; i < 100; i++) {
                    assertThat(text(server.receive())).isEqualTo("m" + i);
                }
            }
        });
    }

    // Raw sockets

    @Test
    @Tag("cells")
    void rawSocketsSendAndReceive(EventLoop loop) throws Exception {
        loop.run(() -> {
            var sockets = loop.sockets();
            try (var server = sockets.openUdp(StandardProtocolFamily.INET);
                    var client = sockets.openUdp(StandardProtocolFamily.INET)) {
                server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                client.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                var waiting = sockets.sockRecvFrom(server, 100);
                sockets.sockSendTo(client, text("one"), server.localAddress()).await();
                var got = waiting.await();
                assertThat(text(got)).isEqualTo("one");
                assertThat(got.sender()).isEqualTo(client.localAddress());
                sockets.sockSendTo(client, ByteBuffer.allocateDirect(3), server.localAddress())
                        .await();
                sockets.sockSendTo(client, ByteBuffer.allocate(0), server.localAddress())
                        .await();
                var target = ByteBuffer.allocateDirect(2);
                assertThat(sockets.sockRecvFromInto(server, target).await())
                        .isEqualTo(new Received(2, client.localAddress(), true));
                assertThat(target.remaining()).isZero();
                assertThat(sockets.sockRecvFrom(server, 1).await().data().remaining())
                        .isZero();
                sockets.sockConnect(client, server.localAddress()).await();
                sockets.sockSendAll(client, text("two")).await();
                assertThat(text(sockets.sockRecvFrom(server, 3).await())).isEqualTo("two");
            }
        });
    }

    @Test
    void aCancelledReceiveLosesNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var sockets = loop.sockets();
            try (var server = sockets.openUdp(StandardProtocolFamily.INET);
                    var client = sockets.openUdp(StandardProtocolFamily.INET)) {
                server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                var first = sockets.sockRecvFrom(server, 100);
                first.cancel();
                sockets.sockSendTo(client, text("x"), server.localAddress()).await();
                assertThat(text(sockets.sockRecvFrom(server, 100).await())).isEqualTo("x");
                var pending = sockets.sockRecvFrom(server, 100);
                assertThatThrownBy(() -> sockets.sockRecvFrom(server, 100)).isInstanceOf(IllegalStateException.class);
                pending.cancel();
                assertThatThrownBy(() -> sockets.sockRecvFrom(server, 0)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void aStreamIsNotReceivedFrom(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var stream = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                assertThatThrownBy(() -> loop.sockets().sockRecvFrom(stream, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("datagrams");
                assertThatThrownBy(() -> loop.sockets().sockRecvFromInto(stream, ByteBuffer.allocate(1)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void anAddressInUseStaysItsOwners(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var first = loop.sockets().openUdp(StandardProtocolFamily.INET);
                    var second = loop.sockets().openUdp(StandardProtocolFamily.INET)) {
                first.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                assertThatThrownBy(() -> second.bind(first.localAddress())).isInstanceOf(java.net.BindException.class);
            }
        });
    }
}
