package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Binding, listening, connecting, opening. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvTcpTest {
    private static Consumer<Throwable> errno(UvErrno errno) {
        return error -> assertThat(error)
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static int closedPort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    /** Runs a connect to its end and returns its status. */
    private static int connect(UvLoop loop, UvTcp tcp, InetSocketAddress to) {
        var status = new int[] {1};
        var request = new UvConnect(loop);
        tcp.connect(request, to, code -> status[0] = code);
        Streams.until(loop, () -> status[0] <= 0);
        request.free();
        return status[0];
    }

    // Connect

    @Test
    void connectTellsSuccess(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        assertThat(connect(loop, tcp, listener.address())).isZero();
        assertThat(tcp.peerAddress()).isEqualTo(listener.address());
        assertThat(tcp.localAddress().getAddress()).isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    }

    @Test
    void connectTellsThatNobodyListens(UvLoop loop) throws Exception {
        var tcp = new UvTcp(loop);
        assertThat(connect(loop, tcp, Streams.loopback(closedPort()))).isEqualTo(UvErrno.ECONNREFUSED.code());
    }

    @Test
    void connectFailsAtOnceForAnUnresolvedAddress(UvLoop loop) {
        var tcp = new UvTcp(loop);
        var request = new UvConnect(loop);
        var name = InetSocketAddress.createUnresolved("localhost", 1);
        assertThatThrownBy(() -> tcp.connect(request, name, status -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("localhost");
        assertThat(request.isPending()).isFalse();
        request.free();
    }

    @Test
    void aSecondConnectWhileOneIsPendingFailsAtOnce(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        var first = new UvConnect(loop);
        var second = new UvConnect(loop);
        var statuses = new ArrayList<Integer>();
        tcp.connect(first, listener.address(), statuses::add);
        assertThatThrownBy(() -> tcp.connect(second, listener.address(), statuses::add))
                .satisfies(errno(UvErrno.EALREADY));
        assertThatThrownBy(() -> tcp.connect(first, listener.address(), statuses::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pending");
        Streams.until(loop, () -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(0);
    }

    @Test
    void whatAConnectCallbackThrowsReachesTheHandler(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        tcp.connect(new UvConnect(loop), listener.address(), status -> {
            throw new Error("mine");
        });
        Streams.until(loop, () -> !errors.isEmpty());
        assertThat(errors).singleElement().isInstanceOf(Error.class);
    }

    @Test
    void closeWhileConnectingCancelsOnce(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        var statuses = new ArrayList<Integer>();
        var request = new UvConnect(loop);
        tcp.connect(request, listener.address(), statuses::add);
        tcp.close();
        listener.tcp.close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(statuses).containsExactly(UvErrno.ECANCELED.code());
        assertThat(request.isPending()).isFalse();
    }

    @Test
    void aWriteBeforeTheConnectCompletesIsSent(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        var statuses = new ArrayList<String>();
        tcp.connect(new UvConnect(loop), listener.address(), status -> statuses.add("connect " + status));
        var data = Streams.memory("early");
        assertThat(tcp.tryWrite(data, 0, 5)).isEqualTo(UvErrno.EAGAIN.code());
        tcp.write(Streams.request(loop, data), status -> statuses.add("write " + status));
        var collector = new Streams.Collector();
        Streams.until(loop, () -> !listener.accepted.isEmpty());
        listener.accepted.getFirst().readStart(collector);
        Streams.until(loop, () -> collector.size() == 5);
        assertThat(collector.text()).isEqualTo("early");
        assertThat(statuses).containsExactly("connect 0", "write 0");
    }

    @Test
    void anEarlyWriteFailsWithItsConnect(UvLoop loop) throws Exception {
        var tcp = new UvTcp(loop);
        var statuses = new ArrayList<String>();
        tcp.connect(new UvConnect(loop), Streams.loopback(closedPort()), status -> statuses.add("connect " + status));
        tcp.write(Streams.request(loop, Streams.memory("x")), status -> statuses.add("write " + status));
        Streams.until(loop, () -> !statuses.isEmpty());
        tcp.close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(statuses).hasSize(2);
        assertThat(statuses.getFirst()).isEqualTo("connect " + UvErrno.ECONNREFUSED.code());
        assertThat(statuses.getLast())
                .isIn("write " + UvErrno.ECANCELED.code(), "write " + UvErrno.ECONNREFUSED.code());
    }

    // Bind and listen

    @Test
    void bindChoosesAPortForZero(UvLoop loop) {
        var tcp = new UvTcp(loop);
        tcp.bind(Streams.loopback(0), false);
        assertThat(tcp.localAddress().getPort()).isPositive();
    }

    @Test
    void anAddressInUseShowsWhenListening(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        tcp.bind(listener.address(), false);
        assertThatThrownBy(() -> tcp.listen(1, status -> {})).satisfies(errno(UvErrno.EADDRINUSE));
    }

    @Test
    void anAddressInUseShowsWhenConnecting(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        tcp.bind(listener.address(), false);
        assertThat(connect(loop, tcp, listener.address())).isEqualTo(UvErrno.EADDRINUSE.code());
    }

    @Test
    void anAddressThatIsNotOursCannotBeBound(UvLoop loop) {
        var tcp = new UvTcp(loop);
        var theirs = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0);
        assertThatThrownBy(() -> tcp.bind(theirs, false))
                .satisfies(errno(UvErrno.EADDRNOTAVAIL))
                .hasMessageStartingWith("bind 192.0.2.1:0: EADDRNOTAVAIL (");
    }

    @Test
    void aSecondBindFails(UvLoop loop) {
        var tcp = new UvTcp(loop);
        tcp.bind(Streams.loopback(0), false);
        assertThatThrownBy(() -> tcp.bind(Streams.loopback(0), false)).satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    void anAddressOfAnotherFamilyCannotBeBound(UvLoop loop) {
        var tcp = new UvTcp(loop, true);
        assertThatThrownBy(() -> tcp.bind(Streams.loopback(0), false)).isInstanceOf(UvException.class);
    }

    @Test
    void v6OnlyLeavesThePortOfV4Free(UvLoop loop) {
        var six = new UvTcp(loop);
        six.bind(new InetSocketAddress(InetAddress.ofLiteral("::"), 0), true);
        six.listen(1, status -> {});
        var four = new UvTcp(loop);
        four.bind(
                new InetSocketAddress(
                        InetAddress.ofLiteral("0.0.0.0"), six.localAddress().getPort()),
                false);
        four.listen(1, status -> {});
        assertThat(four.localAddress().getPort()).isEqualTo(six.localAddress().getPort());
    }

    @Test
    void listenWithoutBindChoosesAnAddress(UvLoop loop) {
        var tcp = new UvTcp(loop);
        tcp.listen(1, status -> {});
        assertThat(tcp.localAddress().getPort()).isPositive();
    }

    @Test
    void aSecondListenChangesTheCallback(UvLoop loop) {
        var heard = new ArrayList<String>();
        var tcp = new UvTcp(loop);
        tcp.bind(Streams.loopback(0), false);
        tcp.listen(1, status -> heard.add("first"));
        tcp.listen(1, status -> heard.add("second"));
        connect(loop, new UvTcp(loop), tcp.localAddress());
        Streams.until(loop, () -> !heard.isEmpty());
        assertThat(heard).containsExactly("second");
    }

    @Test
    void acceptWithoutAConnectionSaysEagain(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        assertThatThrownBy(() -> listener.tcp.accept(new UvTcp(loop))).satisfies(errno(UvErrno.EAGAIN));
    }

    @Test
    void acceptIntoAnotherLoopIsRefused(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        try (var other = UvLoop.create()) {
            assertThatThrownBy(() -> listener.tcp.accept(new UvTcp(other)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aConnectionThatIsAcceptedLaterIsNotLost(UvLoop loop) {
        var waiting = new int[1];
        var tcp = new UvTcp(loop);
        tcp.bind(Streams.loopback(0), false);
        tcp.listen(8, status -> waiting[0]++);
        var clients = new ArrayList<UvTcp>();
        for (int i = 0; i < 3; i++) {
            clients.add(new UvTcp(loop));
            assertThat(connect(loop, clients.getLast(), tcp.localAddress())).isZero();
        }
        Streams.until(loop, () -> waiting[0] == 1);
        var peers = new ArrayList<Integer>();
        while (peers.size() < 3) {
            int before = waiting[0];
            var peer = new UvTcp(loop);
            tcp.accept(peer);
            peers.add(peer.peerAddress().getPort());
            int size = peers.size();
            Streams.until(loop, () -> waiting[0] > before || size == 3);
        }
        assertThat(peers)
                .containsExactlyElementsOf(
                        clients.stream().map(c -> c.localAddress().getPort()).toList());
    }

    @Test
    void whatAConnectionCallbackThrowsReachesTheHandler(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var tcp = new UvTcp(loop);
        tcp.bind(Streams.loopback(0), false);
        tcp.listen(8, status -> {
            throw new AssertionError("mine");
        });
        assertThat(connect(loop, new UvTcp(loop), tcp.localAddress())).isZero();
        Streams.until(loop, () -> !errors.isEmpty());
        assertThat(errors).singleElement().isInstanceOf(AssertionError.class);
    }

    // Open

    @Test
    void openTakesASocketOnce(UvLoop loop) {
        var tcp = new UvTcp(loop, false);
        tcp.bind(Streams.loopback(0), false);
        var second = new UvTcp(loop);
        tcp.listen(1, status -> {});
        loop.run(UvLoop.Mode.NOWAIT);
        assertThatThrownBy(() -> second.open(tcp.fileno())).satisfies(errno(UvErrno.EEXIST));
    }

    @Test
    void openOfABadDescriptorFails(UvLoop loop) {
        var tcp = new UvTcp(loop);
        assertThatThrownBy(() -> tcp.open(-1)).satisfies(errno(UvErrno.EBADF));
    }

    @Test
    void aThousandFailedBindsLeaveNothing(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        for (int i = 0; i < 1_000; i++) {
            var tcp = new UvTcp(loop);
            tcp.bind(listener.address(), false);
            assertThatThrownBy(() -> tcp.listen(1, status -> {})).isInstanceOf(UvException.class);
            tcp.close();
        }
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(loop.openHandles()).containsExactly(listener.tcp);
    }

    // Options

    @Test
    void optionsCheckTheirArguments(UvLoop loop) {
        var tcp = new UvTcp(loop, false);
        tcp.noDelay(true);
        tcp.noDelay(false);
        tcp.keepAlive(10);
        tcp.keepAlive(0);
        assertThatThrownBy(() -> tcp.keepAlive(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tcp.keepAlive(Integer.MAX_VALUE)).satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    void addressesOfAHandleWithoutSocketSayWhy(UvLoop loop) {
        var tcp = new UvTcp(loop);
        assertThatThrownBy(tcp::localAddress).isInstanceOf(UvException.class);
        assertThatThrownBy(tcp::peerAddress).isInstanceOf(UvException.class);
        var bound = new UvTcp(loop);
        bound.bind(Streams.loopback(0), false);
        assertThatThrownBy(bound::peerAddress).satisfies(errno(UvErrno.ENOTCONN));
    }

    @Test
    void everyMethodThrowsAfterClose(UvLoop loop) {
        var tcp = new UvTcp(loop, false);
        tcp.close();
        var request = new UvConnect(loop);
        var calls = new ArrayList<Runnable>();
        calls.add(() -> tcp.open(0));
        calls.add(() -> tcp.noDelay(true));
        calls.add(() -> tcp.keepAlive(1));
        calls.add(() -> tcp.bind(Streams.loopback(0), false));
        calls.add(() -> tcp.connect(request, Streams.loopback(1), status -> {}));
        calls.add(() -> tcp.listen(1, status -> {}));
        calls.add(() -> tcp.accept(new UvTcp(loop)));
        calls.add(tcp::localAddress);
        calls.add(tcp::peerAddress);
        calls.add(() -> tcp.closeReset(null));
        calls.add(() -> tcp.readStart(new Streams.Collector()));
        calls.add(tcp::readStop);
        calls.add(() -> tcp.tryWrite(Streams.memory("x"), 0, 1));
        calls.add(() -> tcp.write(Streams.request(loop, Streams.memory("x")), status -> {}));
        calls.add(() -> tcp.shutdown(new UvShutdown(loop), status -> {}));
        calls.add(tcp::isReadable);
        calls.add(tcp::isWritable);
        for (int round = 0; round < 2; round++) {
            for (var call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
            }
            loop.run(UvLoop.Mode.NOWAIT);
        }
        assertThat(request.isPending()).isFalse();
        assertThat(tcp.writeQueueSize()).isZero();
    }
}
