package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
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

@Timeout(30)
@Tag("cells")
@ExtendWith(UvExtension.class)
class UvUdpTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    /** Keeps what it is told. */
    private static class Collector implements UvUdp.Receiver {
        final List<String> texts = new ArrayList<>();
        final List<@Nullable SocketAddress> senders = new ArrayList<>();
        final List<Boolean> cut = new ArrayList<>();
        final List<Integer> errors = new ArrayList<>();
        final MemorySegment memory;

        Collector(int size) {
            memory = Arena.ofAuto().allocate(size);
        }

        @Override
        public void allocate(UvUdp socket, long suggested) {
            socket.lend(memory, 0, memory.byteSize());
        }

        @Override
        public void received(UvUdp socket, long offset, int length, @Nullable SocketAddress sender, boolean truncated) {
            var bytes = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            texts.add(new String(bytes, StandardCharsets.UTF_8));
            senders.add(sender);
            cut.add(truncated);
        }

        @Override
        public void failed(UvUdp socket, int status) {
            errors.add(status);
        }
    }

    private static UvUdp bound(UvLoop loop, boolean batch) {
        var socket = new UvUdp(loop, batch);
        socket.bind(new InetSocketAddress(LOOPBACK, 0));
        return socket;
    }

    private static void send(UvUdp from, String text, @Nullable SocketAddress to) {
        var bytes = Streams.memory(text.isEmpty() ? "-" : text);
        assertThat(from.trySend(bytes, 0, text.length(), to)).isEqualTo(text.length());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void datagramsArriveWithTheirSenders(boolean batch, @SuppressWarnings("unused") UvLoop unused) {
        try (var loop = UvLoop.create()) {
            var server = bound(loop, batch);
            assertThat(server.isBatching()).isEqualTo(batch);
            var a = bound(loop, false);
            var b = bound(loop, false);
            var got = new Collector(512 * 1024);
            server.receiveStart(got);
            for (int i = 0; i < 5; i++) {
                send(a, "a" + i, server.localAddress());
                send(b, "", server.localAddress());
            }
            send(a, "a5", server.localAddress());
            send(a, "a6", server.localAddress());
            Streams.until(loop, () -> got.texts.size() == 12);
            assertThat(got.texts).containsExactly("a0", "", "a1", "", "a2", "", "a3", "", "a4", "", "a5", "a6");
            assertThat(got.senders.subList(0, 2)).containsExactly(a.localAddress(), b.localAddress());
            assertThat(got.senders.get(11)).isEqualTo(a.localAddress()).isSameAs(got.senders.get(10));
            assertThat(got.cut).doesNotContain(true);
        }
    }

    @Test
    void anIpv6SenderIsKnown(UvLoop loop) {
        var v6 = InetAddress.ofLiteral("::1");
        var server = new UvUdp(loop, false);
        try {
            server.bind(new InetSocketAddress(v6, 0), UvUdp.Bind.V6_ONLY);
        } catch (UvException none) {
            Assumptions.abort("no IPv6: " + none.getMessage());
        }
        var client = new UvUdp(loop, false);
        client.bind(new InetSocketAddress(v6, 0));
        var got = new Collector(2048);
        server.receiveStart(got);
        send(client, "x", server.localAddress());
        send(client, "y", server.localAddress());
        Streams.until(loop, () -> got.texts.size() == 2);
        assertThat(got.senders).containsExactly(client.localAddress(), client.localAddress());
        assertThat(got.senders.get(1)).isSameAs(got.senders.get(0));
    }

    @Test
    void whatDoesNotFitIsFlagged(UvLoop loop) {
        var server = bound(loop, false);
        var client = bound(loop, false);
        var got = new Collector(4);
        server.receiveStart(got);
        send(client, "12345678", server.localAddress());
        send(client, "1234", server.localAddress());
        Streams.until(loop, () -> got.texts.size() == 2);
        assertThat(got.texts).containsExactly("1234", "1234");
        assertThat(got.cut).containsExactly(true, false);
    }

    @Test
    void theLargestGoesAndOneMoreByteIsRefused(UvLoop loop) {
        var server = bound(loop, false);
        var client = bound(loop, false);
        var got = new Collector(65_536);
        server.receiveStart(got);
        var bytes = Arena.ofAuto().allocate(65_508).fill((byte) 'x');
        assertThat(client.trySend(bytes, 0, 65_508, server.localAddress())).isEqualTo(UvErrno.EMSGSIZE.code());
        assertThat(client.trySend(bytes, 0, 65_507, server.localAddress())).isEqualTo(65_507);
        Streams.until(loop, () -> got.texts.size() == 1);
        assertThat(got.texts.getFirst()).hasSize(65_507);
    }

    @Test
    void aQueuedSendTellsItsEnd(UvLoop loop) {
        var server = bound(loop, false);
        var client = bound(loop, false);
        var got = new Collector(2048);
        server.receiveStart(got);
        var statuses = new ArrayList<Integer>();
        var request = new UvUdpSend(loop);
        client.send(request, Streams.memory("queued"), 0, 6, server.localAddress(), statuses::add);
        assertThat(client.sendQueueCount()).isEqualTo(1);
        assertThat(client.sendQueueSize()).isEqualTo(6);
        Streams.until(loop, () -> got.texts.size() == 1 && statuses.size() == 1);
        assertThat(statuses).containsExactly(0);
        assertThat(client.sendQueueCount()).isZero();
        request.free();
    }

    @Test
    void closingEndsWhatIsQueued(UvLoop loop) {
        var client = bound(loop, false);
        var statuses = new ArrayList<Integer>();
        var request = new UvUdpSend(loop);
        client.send(request, Streams.memory("x"), 0, 1, client.localAddress(), statuses::add);
        client.close();
        Streams.until(loop, () -> statuses.size() == 1);
        // It was sent at once, and only its end had to be told.
        assertThat(statuses.getFirst()).isIn(0, UvErrno.ECANCELED.code());
        request.free();
    }

    @Test
    void aConnectedSocketHearsThatNobodyListensAndGoesOn(UvLoop loop) {
        var gone = bound(loop, false);
        var nobody = (InetSocketAddress) gone.localAddress();
        gone.close();
        loop.run(UvLoop.Mode.ONCE);
        var client = new UvUdp(loop, false);
        client.connect(nobody);
        assertThat(client.peerAddress()).isEqualTo(nobody);
        var got = new Collector(2048);
        client.receiveStart(got);
        send(client, "x", null);
        Streams.until(loop, () -> !got.errors.isEmpty());
        assertThat(got.errors).contains(UvErrno.ECONNREFUSED.code());
        client.disconnect();
        var server = bound(loop, false);
        var heard = new Collector(2048);
        server.receiveStart(heard);
        send(client, "again", server.localAddress());
        Streams.until(loop, () -> heard.texts.contains("again"));
    }

    @Test
    void targetsOfConnectedAndOtherSocketsAreChecked(UvLoop loop) {
        var server = bound(loop, false);
        var client = bound(loop, false);
        var x = Streams.memory("x");
        assertThat(client.trySend(x, 0, 1, null)).isEqualTo(UvErrno.EDESTADDRREQ.code());
        client.connect((InetSocketAddress) server.localAddress());
        assertThat(client.trySend(x, 0, 1, server.localAddress())).isEqualTo(UvErrno.EISCONN.code());
        assertThatThrownBy(() -> client.trySend(x, 0, 2, null)).isInstanceOf(IndexOutOfBoundsException.class);
        var fresh = new UvUdp(loop, false);
        var path = UnixDomainSocketAddress.of("/nowhere");
        assertThatThrownBy(() -> fresh.trySend(x, 0, 1, path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an internet address");
        assertThatThrownBy(() -> fresh.trySend(x, 0, 1, InetSocketAddress.createUnresolved("name", 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unresolved");
    }

    @Test
    void optionsNeedASocketAndTheirRanges(UvLoop loop) {
        var fresh = new UvUdp(loop, false);
        assertThatThrownBy(() -> fresh.broadcast(true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bind");
        var socket = bound(loop, false);
        socket.broadcast(true);
        socket.ttl(7);
        socket.multicastTtl(0);
        socket.multicastLoop(false);
        socket.multicastInterface(LOOPBACK);
        assertThatThrownBy(() -> socket.ttl(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> socket.ttl(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> socket.multicastTtl(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGroupIsJoinedAndLeft(UvLoop loop) {
        var group = InetAddress.ofLiteral("239.255.77.1");
        var server = new UvUdp(loop, false);
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0), UvUdp.Bind.REUSE_ADDRESS);
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        try {
            server.join(group, LOOPBACK);
        } catch (UvException no) {
            Assumptions.abort("no multicast here: " + no.getMessage());
        }
        var client = bound(loop, false);
        client.multicastInterface(LOOPBACK);
        client.multicastLoop(true);
        var got = new Collector(2048);
        server.receiveStart(got);
        send(client, "to all", new InetSocketAddress(group, port));
        Streams.until(loop, () -> got.texts.contains("to all"));
        server.leave(group, LOOPBACK);
        send(client, "to nobody", new InetSocketAddress(group, port));
        send(client, "to one", new InetSocketAddress(LOOPBACK, port));
        Streams.until(loop, () -> got.texts.contains("to one"));
        assertThat(got.texts).doesNotContain("to nobody");
        server.joinSource(group, LOOPBACK, LOOPBACK);
        send(client, "from this", new InetSocketAddress(group, port));
        Streams.until(loop, () -> got.texts.contains("from this"));
        server.leaveSource(group, LOOPBACK, LOOPBACK);
    }

    @Test
    void aBatchGoesAtOnce(UvLoop loop) {
        Assumptions.assumeTrue(UvFeature.UDP_TRY_SEND2.isAvailable(), "libuv " + UvVersion.loaded());
        var server = bound(loop, true);
        var client = bound(loop, false);
        var got = new Collector(512 * 1024);
        server.receiveStart(got);
        var data = Streams.memory("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        try (var batch = new UvUdpBatch(loop, 52)) {
            for (int i = 0; i < 52; i++) {
                batch.add(data, i, 1, server.localAddress());
            }
            assertThat(batch.isFull()).isTrue();
            assertThatThrownBy(() -> batch.add(data, 0, 1, null)).isInstanceOf(IllegalStateException.class);
            assertThat(client.trySend(batch)).isEqualTo(52);
            batch.clear();
            assertThatThrownBy(() -> client.trySend(batch)).isInstanceOf(IllegalArgumentException.class);
        }
        Streams.until(loop, () -> got.texts.size() == 52);
        assertThat(String.join("", got.texts)).isEqualTo("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    }

    @Test
    void withoutTheFunctionTheVersionsAreNamed(UvLoop loop) {
        Assumptions.assumeFalse(UvFeature.UDP_TRY_SEND2.isAvailable());
        var client = bound(loop, false);
        try (var batch = new UvUdpBatch(loop, 1)) {
            batch.add(Streams.memory("x"), 0, 1, client.localAddress());
            assertThatThrownBy(() -> client.trySend(batch))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("1.50.0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "close", "restart"})
    void receivingMayStopWhileMemoryIsAskedFor(String how, @SuppressWarnings("unused") UvLoop unused) {
        try (var loop = UvLoop.create()) {
            var server = bound(loop, false);
            var client = bound(loop, false);
            var asked = new ArrayList<String>();
            var got = new Collector(2048) {
                @Override
                public void allocate(UvUdp socket, long suggested) {
                    super.allocate(socket, suggested);
                    if (asked.isEmpty()) {
                        asked.add(how);
                        switch (how) {
                            case "close" -> socket.close();
                            case "stop" -> socket.receiveStop();
                            default -> {
                                socket.receiveStop();
                                socket.receiveStart(this);
                            }
                        }
                    }
                }
            };
            server.receiveStart(got);
            send(client, "x", server.localAddress());
            Streams.until(loop, () -> !asked.isEmpty());
            for (int i = 0; i < 5; i++) {
                loop.run(UvLoop.Mode.NOWAIT);
            }
            assertThat(got.texts).hasSize(how.equals("restart") ? 1 : 0);
            if (how.equals("stop")) {
                var later = new Collector(2048);
                server.receiveStart(later);
                Streams.until(loop, () -> later.texts.contains("x"));
            }
        }
    }

    @Test
    void receivingMayEndInsideABatch(UvLoop loop) {
        var server = bound(loop, true);
        var client = bound(loop, false);
        for (int i = 0; i < 4; i++) {
            send(client, "m" + i, server.localAddress());
        }
        var got = new Collector(512 * 1024) {
            @Override
            public void received(
                    UvUdp socket, long offset, int length, @Nullable SocketAddress sender, boolean truncated) {
                super.received(socket, offset, length, sender, truncated);
                socket.close();
            }
        };
        server.receiveStart(got);
        Streams.until(loop, () -> !got.texts.isEmpty());
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(got.texts).containsExactly("m0");
    }

    @Test
    void aBatchWithTooLittleRoomIsAnError(UvLoop loop) {
        var server = bound(loop, true);
        var client = bound(loop, false);
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var got = new Collector(1000);
        server.receiveStart(got);
        send(client, "x", server.localAddress());
        Streams.until(loop, () -> !errors.isEmpty());
        assertThat(errors.getFirst()).hasMessageContaining("65536");
        assertThat(got.errors).contains(UvErrno.ENOBUFS.code());
        server.receiveStop();
    }

    @Test
    void binderErrorsLeaveTheLoopWhole(UvLoop loop) {
        var first = bound(loop, false);
        for (int i = 0; i < 100; i++) {
            var second = new UvUdp(loop, false);
            assertThatThrownBy(() -> second.bind((InetSocketAddress) first.localAddress()))
                    .isInstanceOf(UvException.class)
                    .hasMessageContaining("EADDRINUSE");
            second.close();
        }
    }
}
