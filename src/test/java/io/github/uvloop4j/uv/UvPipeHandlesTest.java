package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.DescriptorSender;
import io.github.uvloop4j.testing.Fds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Handles that are sent over a pipe. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvPipeHandlesTest {
    @TempDir
    private Path directory;

    private static void send(UvLoop loop, UvPipe over, UvHandle handle, String text) {
        var done = new int[] {1};
        var request = Streams.request(loop, Streams.memory(text));
        over.write(request, handle, status -> done[0] = status);
        Streams.until(loop, () -> done[0] <= 0);
        assertThat(done[0]).isZero();
        request.free();
    }

    private static void untilPending(UvLoop loop, UvPipe pipe, int count) {
        Streams.until(loop, () -> pipe.pendingCount() == count);
    }

    @Test
    @Tag("cells")
    void aListenerThatIsSentAcceptsOnTheOtherSide(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, true);
        var atTwo = new Streams.Collector();
        pair.two().readStart(atTwo);
        var sent = new UvTcp(loop);
        sent.bind(Streams.loopback(0), false);
        var address = sent.localAddress();
        send(loop, pair.one(), sent, "tcp");
        sent.close();
        untilPending(loop, pair.two(), 1);
        assertThat(atTwo.text()).isEqualTo("tcp");
        assertThat(pair.two().pendingType()).isEqualTo(UvHandleType.TCP);
        var taken = new UvTcp(loop);
        pair.two().accept(taken);
        assertThat(pair.two().pendingCount()).isZero();
        assertThat(pair.two().pendingType()).isEqualTo(UvHandleType.UNKNOWN);
        var accepted = new ArrayList<UvTcp>();
        taken.listen(8, status -> {
            var peer = new UvTcp(loop);
            taken.accept(peer);
            accepted.add(peer);
        });
        var client = new UvTcp(loop);
        client.connect(new UvConnect(loop), address, status -> {});
        Streams.until(loop, () -> !accepted.isEmpty());
        assertThat(taken.localAddress()).isEqualTo(address);
    }

    @Test
    @Tag("cells")
    void aSocketThatIsSentCarriesBytes(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        way.two().readStart(new Streams.Collector());
        var pair = Pipes.Pair.of(loop, false);
        send(loop, way.one(), pair.one(), "x");
        pair.one().close();
        untilPending(loop, way.two(), 1);
        assertThat(way.two().pendingType()).isEqualTo(UvHandleType.NAMED_PIPE);
        var taken = new UvPipe(loop, false);
        way.two().accept(taken);
        var collector = new Streams.Collector();
        pair.two().readStart(collector);
        assertThat(taken.tryWrite(Streams.memory("through"), 0, 7)).isEqualTo(7);
        Streams.until(loop, () -> collector.size() == 7);
    }

    @Test
    void aSocketOfDatagramsIsSent(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        way.two().readStart(new Streams.Collector());
        var sent = new UvUdp(loop, false);
        sent.bind(Streams.loopback(0));
        var address = sent.localAddress();
        send(loop, way.one(), sent, "x");
        untilPending(loop, way.two(), 1);
        assertThat(way.two().pendingType()).isEqualTo(UvHandleType.UDP);
        var taken = new UvUdp(loop, false);
        way.two().accept(taken);
        assertThat(taken.localAddress()).isEqualTo(address);
        taken.broadcast(true);
    }

    @Test
    void severalHandlesWaitInOrder(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        way.two().readStart(new Streams.Collector());
        var addresses = new ArrayList<Object>();
        for (int i = 0; i < 5; i++) {
            var sent = new UvTcp(loop);
            sent.bind(Streams.loopback(0), false);
            addresses.add(sent.localAddress());
            send(loop, way.one(), sent, "x");
        }
        untilPending(loop, way.two(), 5);
        var taken = new ArrayList<Object>();
        for (int i = 0; i < 5; i++) {
            var tcp = new UvTcp(loop);
            way.two().accept(tcp);
            taken.add(tcp.localAddress());
        }
        assertThat(taken).isEqualTo(addresses);
        assertThat(way.two().pendingCount()).isZero();
    }

    @Test
    void severalWithOneMessageWaitInOrder(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var pipe = UvDescriptors.pipe(true, true);
        way.two().readStart(new Streams.Collector());
        DescriptorSender.send(way.one().fileno(), "x", pipe.first(), pipe.second(), pipe.first());
        Fds.close(pipe.first(), pipe.second());
        untilPending(loop, way.two(), 3);
        var reader = new UvPipe(loop, false);
        way.two().accept(reader);
        var writer = new UvPipe(loop, false);
        way.two().accept(writer);
        assertThat(way.two().pendingCount()).isEqualTo(1);
        var collector = new Streams.Collector();
        reader.readStart(collector);
        assertThat(writer.tryWrite(Streams.memory("x"), 0, 1)).isEqualTo(1);
        Streams.until(loop, () -> collector.size() == 1);
    }

    @Test
    void muchTrafficBothWaysDoesNotStop(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        int rounds = 200;
        var statuses = new ArrayList<Integer>();
        var taken = new int[2];
        var ends = List.of(way.one(), way.two());
        for (int i = 0; i < 2; i++) {
            int side = i;
            ends.get(i).readStart(new Streams.Collector() {
                @Override
                public void read(UvStream stream, int count) {
                    super.read(stream, count);
                    while (ends.get(side).pendingCount() > 0) {
                        var handle = new UvPipe(loop, false);
                        ends.get(side).accept(handle);
                        handle.close();
                        taken[side]++;
                    }
                }
            });
        }
        var sent = Pipes.Pair.of(loop, false);
        var data = Streams.memory(new byte[10_000]);
        for (int i = 0; i < rounds; i++) {
            for (var end : ends) {
                end.write(Streams.request(loop, data), sent.one(), statuses::add);
            }
        }
        Streams.until(loop, () -> statuses.size() == 2 * rounds && taken[0] == rounds && taken[1] == rounds);
        assertThat(statuses).containsOnly(0);
    }

    @Test
    void closeCancelsWhatWaitsToBeSent(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var statuses = new ArrayList<Integer>();
        way.one().write(Streams.request(loop, Streams.memory(new byte[1 << 20])), statuses::add);
        var sent = new UvTcp(loop);
        sent.bind(Streams.loopback(0), false);
        way.one().write(Streams.request(loop, Streams.memory("x")), sent, statuses::add);
        sent.close();
        way.one().close();
        Streams.until(loop, () -> statuses.size() == 2);
        assertThat(statuses).containsOnly(UvErrno.ECANCELED.code());
    }

    @Test
    void aPeerThatIsGoneFailsTheWrite(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var sent = Pipes.Pair.of(loop, false);
        way.two().close();
        loop.run(UvLoop.Mode.NOWAIT);
        var statuses = new ArrayList<Integer>();
        way.one().write(Streams.request(loop, Streams.memory("x")), sent.one(), statuses::add);
        Streams.until(loop, () -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(UvErrno.EPIPE.code());
        assertThat(sent.one().isClosing()).isFalse();
    }

    @Test
    void handlesThatAreNotAcceptedAreClosedWithThePipe(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        way.two().readStart(new Streams.Collector());
        for (int i = 0; i < 3; i++) {
            var pair = Pipes.Pair.of(loop, false);
            send(loop, way.one(), pair.one(), "x");
            pair.one().close();
            pair.two().close();
        }
        untilPending(loop, way.two(), 3);
        way.two().close();
        // The extension looks for descriptors that stay.
    }

    @Test
    void aHandleThatClosesBeforeItIsSentFailsTheWrite(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var statuses = new ArrayList<Integer>();
        way.one().write(Streams.request(loop, Streams.memory(new byte[1 << 20])), statuses::add);
        var sent = new UvTcp(loop);
        sent.bind(Streams.loopback(0), false);
        way.one().write(Streams.request(loop, Streams.memory("x")), sent, statuses::add);
        sent.close();
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(statuses).isEmpty();
        way.two().readStart(new Streams.Collector());
        Streams.until(loop, () -> statuses.size() == 2);
        assertThat(statuses).containsExactly(0, UvErrno.EBADF.code());
    }

    @Test
    void aHandleIsSentOnceWithALongMessage(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var collector = new Streams.Collector();
        way.two().readStart(collector);
        var sent = new UvTcp(loop);
        sent.bind(Streams.loopback(0), false);
        var data = Streams.pattern(1 << 20);
        var done = new ArrayList<Integer>();
        way.one().write(Streams.request(loop, Streams.memory(data)), sent, done::add);
        Streams.until(loop, () -> collector.size() == data.length);
        assertThat(collector.bytes()).isEqualTo(data);
        assertThat(way.two().pendingCount()).isEqualTo(1);
        Streams.until(loop, () -> !done.isEmpty());
        assertThat(done).containsExactly(0);
    }

    @Test
    void whatCannotBeSentIsRefused(UvLoop loop) {
        var way = Pipes.Pair.of(loop, true);
        var plain = Pipes.Pair.of(loop, false);
        var tcp = new UvTcp(loop);
        var timer = new UvTimer(loop);
        assertThatThrownBy(() -> way.one().write(Streams.request(loop, Streams.memory("x")), tcp, status -> {}))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EBADF));
        assertThatThrownBy(() -> way.one().write(Streams.request(loop, Streams.memory("x")), timer, status -> {}))
                .isInstanceOf(UvException.class);
        assertThatThrownBy(
                        () -> plain.one().write(Streams.request(loop, Streams.memory("x")), plain.two(), status -> {}))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> way.one().write(Streams.request(loop, Streams.memory("")), plain.one(), status -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        plain.one().close();
        assertThatThrownBy(() -> way.one().write(Streams.request(loop, Streams.memory("x")), plain.one(), status -> {}))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPipeForHandlesDoesNotListen(UvLoop loop) {
        var pipe = new UvPipe(loop, true);
        pipe.bind(directory.resolve("s"));
        assertThatThrownBy(() -> pipe.listen(1, status -> {}))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EINVAL));
    }

    @Test
    void nothingIsPendingOnAPlainPipe(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, false);
        assertThat(pair.one().pendingCount()).isZero();
        assertThat(pair.one().pendingType()).isEqualTo(UvHandleType.UNKNOWN);
        assertThatThrownBy(() -> pair.one().accept(new UvTcp(loop)))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EAGAIN));
    }

    @Test
    void descriptorsAreRecognised() {
        var pipe = UvDescriptors.pipe(true, true);
        var sockets = UvDescriptors.sockets(libc.SOCK_STREAM(), true, true);
        assertThat(UvHandleType.guess(pipe.first())).isEqualTo(UvHandleType.NAMED_PIPE);
        assertThat(UvHandleType.guess(sockets.first())).isEqualTo(UvHandleType.NAMED_PIPE);
        assertThat(UvHandleType.guess(1_000_000)).isEqualTo(UvHandleType.UNKNOWN);
        Fds.close(pipe.first(), pipe.second(), sockets.first(), sockets.second());
    }
}
