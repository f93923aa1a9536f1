package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class DatagramProtocolTest {
    private static final DatagramOptions ANY = DatagramOptions.bound("127.0.0.1", 0);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Keeps what happens, and answers when told to. */
    private static class Peer implements DatagramProtocol {
        final List<String> events = new ArrayList<>();
        final List<@Nullable SocketAddress> senders = new ArrayList<>();
        final List<IOException> errors = new ArrayList<>();
        DatagramTransport transport;

        @Override
        public void connectionMade(DatagramTransport made) {
            transport = made;
            events.add("made");
        }

        @Override
        public void datagramReceived(ByteBuffer data, @Nullable SocketAddress sender) {
            events.add("got " + StandardCharsets.UTF_8.decode(data));
            senders.add(sender);
        }

        @Override
        public void errorReceived(IOException error) {
            events.add("error");
            errors.add(error);
        }

        @Override
        public void connectionLost(@Nullable Throwable cause) {
            events.add("lost " + cause);
        }

        @Override
        public void pauseWriting() {
            events.add("pause");
        }

        @Override
        public void resumeWriting() {
            events.add("resume");
        }

        void await(String event) {
            awaitThat(() -> events.contains(event));
        }

        void awaitThat(java.util.function.BooleanSupplier condition) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime() - deadline).as("%s comes", events).isNegative();
                Task.sleep(Duration.ofMillis(1));
            }
        }
    }

    private static Peer open(EventLoop loop, DatagramOptions options) throws Exception {
        var peer = loop.net().createDatagramEndpoint(Peer::new, options).await().protocol();
        peer.await("made");
        return peer;
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static int port(Peer peer) {
        return ((InetSocketAddress) peer.transport.localAddress()).getPort();
    }

    private static void close(Peer... peers) {
        for (var peer : peers) {
            peer.transport.close();
            peer.await("lost null");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("cells")
    void datagramsGoBothWays(boolean batch, EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY.batch(batch));
            var client = open(
                    loop, DatagramOptions.connected("127.0.0.1", port(server)).batch(batch));
            client.transport.sendTo(text("hello"));
            client.transport.sendTo(ByteBuffer.allocate(0));
            server.await("got hello");
            server.await("got ");
            assertThat(server.senders.getFirst()).isEqualTo(client.transport.localAddress());
            server.transport.sendTo(
                    ByteBuffer.allocateDirect(4).put(text("back")).flip(), server.senders.getFirst());
            client.await("got back");
            assertThat(client.senders.getFirst()).isEqualTo(server.transport.localAddress());
            assertThat(client.transport.peerAddress()).isEqualTo(server.transport.localAddress());
            close(server, client);
            assertThat(client.events).containsExactly("made", "got back", "lost null");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"::1", "localhost"})
    void theFamilyIsThatOfThePeer(String host, EventLoop loop) throws Exception {
        loop.run(() -> {
            Peer server;
            try {
                server = open(loop, DatagramOptions.bound(host, 0));
            } catch (IOException none) {
                Assumptions.abort("no such address here: " + none.getMessage());
                return;
            }
            var client = open(loop, DatagramOptions.connected(host, port(server)));
            client.transport.sendTo(text("x"));
            server.await("got x");
            close(server, client);
        });
    }

    @Test
    void everyInterfaceTakesBothFamilies(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, DatagramOptions.bound(null, 0));
            var v4 = open(loop, DatagramOptions.connected("127.0.0.1", port(server)));
            v4.transport.sendTo(text("four"));
            server.await("got four");
            server.transport.sendTo(text("back"), server.senders.getFirst());
            v4.await("got back");
            close(server, v4);
        });
    }

    @Test
    void theLargestGoesAndMoreIsAnError(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var client = open(loop, DatagramOptions.connected("127.0.0.1", port(server)));
            client.transport.sendTo(ByteBuffer.allocate(65_508));
            client.transport.sendTo(ByteBuffer.allocate(70_000));
            assertThat(client.errors)
                    .hasSize(2)
                    .allSatisfy(error -> assertThat(error).hasMessageContaining("EMSGSIZE"));
            client.transport.sendTo(ByteBuffer.allocate(65_507));
            server.awaitThat(() -> server.events.size() == 2);
            assertThat(server.events.getLast()).hasSize("got ".length() + 65_507);
            close(server, client);
        });
    }

    @Test
    @Tag("cells")
    void thatNobodyListensIsToldAndTheSocketGoesOn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gone = open(loop, ANY);
            int port = port(gone);
            close(gone);
            var client = open(loop, DatagramOptions.connected("127.0.0.1", port));
            client.transport.sendTo(text("x"));
            client.await("error");
            assertThat(client.errors.getFirst()).isInstanceOf(PortUnreachableException.class);
            var server = open(loop, DatagramOptions.bound("127.0.0.1", port));
            client.transport.sendTo(text("again"));
            server.await("got again");
            close(client, server);
        });
    }

    @Test
    void anUnconnectedSocketHearsNothingOfOthersErrors(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gone = open(loop, ANY);
            var nobody = gone.transport.localAddress();
            close(gone);
            var server = open(loop, ANY);
            var client = open(loop, ANY);
            client.transport.sendTo(text("lost"), nobody);
            client.transport.sendTo(text("x"), server.transport.localAddress());
            server.await("got x");
            assertThat(client.errors).isEmpty();
            close(server, client);
        });
    }

    @Test
    void targetsAreChecked(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var connected = open(loop, DatagramOptions.connected("127.0.0.1", port(server)));
            var own = (InetSocketAddress) connected.transport.peerAddress();
            connected.transport.sendTo(text("same"), own);
            server.await("got same");
            assertThatThrownBy(() -> connected.transport.sendTo(text("x"), connected.transport.localAddress()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("connected to");
            assertThatThrownBy(() -> server.transport.sendTo(text("x")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not connected");
            assertThatThrownBy(() -> server.transport.sendTo(text("x"), InetSocketAddress.createUnresolved("a", 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("unresolved");
            assertThatThrownBy(() ->
                            server.transport.sendTo(text("x"), new InetSocketAddress(InetAddress.ofLiteral("::1"), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("IPv4 socket");
            close(server, connected);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTargetOfAnotherKindIsRefusedAtOnce(boolean batch, EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var client = open(loop, ANY.batch(batch));
            for (var path : List.of("", "/tmp/x", "/tmp/" + "x".repeat(200))) {
                assertThatThrownBy(() -> client.transport.sendTo(text("x"), java.net.UnixDomainSocketAddress.of(path)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not an internet address");
            }
            client.transport.sendTo(text("x"), server.transport.localAddress());
            server.await("got x");
            assertThatThrownBy(() -> client.transport.join(InetAddress.ofLiteral("239.1.2.3"), null, null))
                    .isInstanceOf(NullPointerException.class);
            close(server, client);
        });
    }

    @Test
    @Tag("cells")
    void whatIsSentOnResumingGoesInTheSameTurn(EventLoop loop) throws Exception {
        try (var peer = new java.net.DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            peer.setSoTimeout(10_000);
            loop.run(() -> {
                var client = loop.net()
                        .createDatagramEndpoint(
                                () -> new Peer() {
                                    @Override
                                    public void connectionMade(DatagramTransport made) {
                                        super.connectionMade(made);
                                        made.sendTo(text("first"));
                                    }

                                    @Override
                                    public void resumeWriting() {
                                        super.resumeWriting();
                                        transport.sendTo(text("last"));
                                    }
                                },
                                DatagramOptions.connected("127.0.0.1", peer.getLocalPort())
                                        .batch(true)
                                        .writeLimits(new WriteLimits(1, 0)))
                        .await()
                        .protocol();
                java.util.concurrent.Executor thread =
                        work -> Thread.ofPlatform().daemon().start(work);
                var got = loop.runInExecutor(thread, () -> {
                    var text = new StringBuilder();
                    while (!text.toString().endsWith("last")) {
                        var packet = new java.net.DatagramPacket(new byte[10], 10);
                        peer.receive(packet);
                        text.append(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8));
                    }
                    return text.toString();
                });
                assertThat(got.await()).startsWith("firstlast");
                client.transport.abort();
                client.await("lost null");
            });
        }
    }

    @Test
    void whoSendsAgainOnEachErrorDoesNotKeepTheLoop(EventLoop loop) throws Exception {
        loop.run(() -> {
            var stubborn = loop.net()
                    .createDatagramEndpoint(
                            () -> new Peer() {
                                @Override
                                public void errorReceived(IOException error) {
                                    errors.add(error);
                                    transport.sendTo(ByteBuffer.allocate(65_530));
                                }
                            },
                            DatagramOptions.connected("127.0.0.1", 9).batch(true))
                    .await()
                    .protocol();
            stubborn.await("made");
            stubborn.transport.sendTo(ByteBuffer.allocate(65_530));
            stubborn.awaitThat(() -> stubborn.errors.size() > 10);
            stubborn.transport.abort();
            stubborn.await("lost null");
        });
    }

    @Test
    void theBufferIsBorrowed(EventLoop loop) throws Exception {
        loop.run(() -> {
            var kept = new ArrayList<ByteBuffer>();
            var server = loop.net()
                    .createDatagramEndpoint(() -> (DatagramProtocol) (data, sender) -> kept.add(data), ANY)
                    .await()
                    .transport();
            var client = open(loop, ANY);
            client.transport.sendTo(text("secret"), server.localAddress());
            client.awaitThat(() -> kept.size() == 1);
            assertThatThrownBy(() -> kept.getFirst().get(0)).isInstanceOf(RuntimeException.class);
            server.close();
            close(client);
        });
    }

    @Test
    void onlyWhoAsksForItSharesAnAddress(EventLoop loop) throws Exception {
        loop.run(() -> {
            var first = open(loop, ANY);
            var same = DatagramOptions.bound("127.0.0.1", port(first));
            assertThatThrownBy(() -> open(loop, same)).isInstanceOf(BindException.class);
            var one = open(loop, ANY.reusePort(true));
            var other = open(loop, DatagramOptions.bound("127.0.0.1", port(one)).reusePort(true));
            close(first, one, other);
        });
    }

    @Test
    void whatWaitsIsSentBeforeClose(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY.receiveBuffer(4 << 20));
            var client = open(loop, ANY.batch(true));
            for (int i = 0; i < 100; i++) {
                client.transport.sendTo(text("m" + i), server.transport.localAddress());
            }
            assertThat(client.transport.writeBufferSize()).isEqualTo(290 - 100 + 100);
            client.transport.close();
            assertThat(client.transport.isClosing()).isTrue();
            server.await("got m99");
            client.await("lost null");
            assertThat(server.events).hasSize(101);
            client.transport.sendTo(text("dropped"), server.transport.localAddress());
            close(server);
        });
    }

    @Test
    void abortDropsWhatWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var client = open(loop, ANY.batch(true));
            client.transport.sendTo(text("dropped"), server.transport.localAddress());
            client.transport.abort();
            client.transport.abort();
            client.await("lost null");
            var other = open(loop, ANY);
            other.transport.sendTo(text("x"), server.transport.localAddress());
            server.await("got x");
            assertThat(server.events).doesNotContain("got dropped");
            close(server, other);
        });
    }

    @Test
    void waterMarksPauseAndResume(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var client = open(loop, ANY.batch(true).writeLimits(new WriteLimits(1000, 100)));
            for (int i = 0; i < 3; i++) {
                client.transport.sendTo(ByteBuffer.allocate(500), server.transport.localAddress());
            }
            assertThat(client.events).containsExactly("made", "pause");
            client.await("resume");
            assertThat(client.transport.writeBufferSize()).isZero();
            assertThat(loop.statistics().io().pauses()).isEqualTo(1);
            close(server, client);
        });
    }

    @Test
    void receivingPausesAndGoesOn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = open(loop, ANY);
            var client = open(loop, ANY);
            server.transport.pauseReading();
            server.transport.pauseReading();
            assertThat(server.transport.isReading()).isFalse();
            client.transport.sendTo(text("later"), server.transport.localAddress());
            Task.sleep(Duration.ofMillis(20));
            assertThat(server.events).containsExactly("made");
            server.transport.resumeReading();
            server.await("got later");
            close(server, client);
        });
    }

    @Test
    void aGroupIsJoinedByItsMembersOnly(EventLoop loop) throws Exception {
        var group = InetAddress.ofLiteral("239.255.77.2");
        var loopback = InetAddress.ofLiteral("127.0.0.1");
        loop.run(() -> {
            var member = open(loop, DatagramOptions.bound("0.0.0.0", 0));
            try {
                member.transport.join(group, loopback);
            } catch (IOException none) {
                close(member);
                Assumptions.abort("no multicast here: " + none.getMessage());
            }
            var client = open(loop, ANY);
            client.transport.multicastInterface(loopback);
            client.transport.multicastTtl(0);
            client.transport.multicastLoop(true);
            var target = new InetSocketAddress(group, port(member));
            client.transport.sendTo(text("to all"), target);
            member.await("got to all");
            member.transport.leave(group, loopback);
            member.transport.join(group, loopback, loopback);
            client.transport.sendTo(text("again"), target);
            member.await("got again");
            member.transport.leave(group, loopback, loopback);
            assertThatThrownBy(() -> member.transport.join(loopback, null))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> member.transport.leave(group, loopback)).isInstanceOf(IOException.class);
            close(member, client);
            assertThatThrownBy(() -> member.transport.ttl(3)).isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void broadcastNeedsLeave(EventLoop loop) throws Exception {
        loop.run(() -> {
            var client = open(loop, ANY);
            var all = new InetSocketAddress(InetAddress.ofLiteral("127.255.255.255"), 9);
            client.transport.sendTo(text("x"), all);
            assertThat(client.errors).hasSize(1);
            client.transport.broadcast(true);
            client.transport.sendTo(text("x"), all);
            assertThat(client.errors).hasSize(1);
            close(client);
        });
    }

    @Test
    void aUnixPairIsTakenOver(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair(libc.SOCK_DGRAM());
            var socket = loop.sockets().adopt(fds[0]);
            var ours = loop.net()
                    .createDatagramEndpoint(Peer::new, socket, DatagramOptions.defaults())
                    .await()
                    .protocol();
            ours.await("made");
            assertThat(socket.isOpen()).isFalse();
            Fds.write(fds[1], "from there");
            ours.await("got from there");
            assertThat(ours.senders.getFirst()).isNull();
            Fds.close(fds[1]);
            close(ours);
        });
    }

    @Test
    @Tag("cells")
    void whatTheKernelDoesNotTakeWaitsInOrder(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair(libc.SOCK_DGRAM());
            var options = DatagramOptions.defaults().writeLimits(new WriteLimits(8, 2));
            var ours = loop.net()
                    .createDatagramEndpoint(Peer::new, loop.sockets().adopt(fds[0]), options)
                    .await()
                    .protocol();
            ours.await("made");
            int sent = 0;
            while (ours.transport.writeBufferSize() < 9) {
                ours.transport.sendTo(text(Character.toString('a' + sent++ % 26)));
            }
            assertThat(ours.events).containsExactly("made", "pause");
            ours.transport.close();
            assertThat(ours.transport.isClosing()).isTrue();
            var got = new StringBuilder();
            while (got.length() < sent) {
                var text = readText(fds[1]);
                got.append(text);
                if (text.isEmpty()) {
                    Task.sleep(Duration.ofMillis(1));
                }
            }
            for (int i = 0; i < sent; i++) {
                assertThat(got.charAt(i)).isEqualTo((char) ('a' + i % 26));
            }
            ours.await("lost null");
            assertThat(ours.events).containsExactly("made", "pause", "resume", "lost null");
            Fds.close(fds[1]);
        });
    }

    private static String readText(int fd) {
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            var memory = arena.allocate(16);
            int count = (int) libc.read(fd, memory, 16);
            return count < 1 ? "" : Character.toString(memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void streamsAreRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(java.net.StandardProtocolFamily.INET)) {
                var future = loop.net().createDatagramEndpoint(Peer::new, socket, DatagramOptions.defaults());
                assertThatThrownBy(future::await)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not a socket of datagrams");
                assertThat(socket.isOpen()).isTrue();
            }
            try (var socket = loop.sockets().openUdp(java.net.StandardProtocolFamily.INET)) {
                assertThatThrownBy(() -> loop.net().openConnection(socket))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not a stream socket");
                assertThat(socket.isOpen()).isTrue();
            }
        });
    }

    @Test
    void whatCallbacksThrowGoesToTheHandler(EventLoop loop, Errors errors) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createDatagramEndpoint(
                            () -> new Peer() {
                                @Override
                                public void datagramReceived(ByteBuffer data, @Nullable SocketAddress sender) {
                                    super.datagramReceived(data, sender);
                                    throw new StackOverflowError("broken");
                                }
                            },
                            ANY)
                    .await()
                    .protocol();
            server.await("made");
            var client = open(loop, ANY);
            client.transport.sendTo(text("one"), server.transport.localAddress());
            client.transport.sendTo(text("two"), server.transport.localAddress());
            server.await("got two");
            assertThat(errors.take()).hasSize(2);
            close(server, client);
        });
    }

    @Test
    void optionsAreChecked(EventLoop loop) {
        assertThatThrownBy(() -> DatagramOptions.bound("127.0.0.1", 65_536))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DatagramOptions.bound("127.0.0.1", -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DatagramOptions.defaults().sendBuffer(-1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> loop.net().createDatagramEndpoint(Peer::new, DatagramOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bind or where to connect");
    }

    @Test
    void closingTheLoopEndsThem() throws Exception {
        var peers = new ArrayList<Peer>();
        try (var loop = EventLoop.create()) {
            loop.run(() -> peers.add(open(loop, ANY)));
        }
        assertThat(peers.getFirst().events).containsExactly("made", "lost null");
        assertThat(peers.getFirst().transport.fd()).isNull();
        assertThat(peers.getFirst().transport.localAddress()).isNotNull();
    }
}
