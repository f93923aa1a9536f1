package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** End of file, shutdown, reset, close. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvStreamEndTest {
    private static void fill(UvLoop loop, UvTcp tcp, java.util.List<Integer> statuses) {
        var data = Streams.memory(new byte[1 << 20]);
        for (int i = 0; i < 20; i++) {
            tcp.write(Streams.request(loop, data), statuses::add);
        }
    }

    @Test
    void shutdownComesAfterWhatWasWritten(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        var statuses = new ArrayList<Integer>();
        fill(loop, pair.client(), statuses);
        pair.client().shutdown(new UvShutdown(loop), statuses::add);
        pair.server().readStart(collector);
        Streams.until(loop, () -> collector.atEnd() && statuses.size() == 21);
        assertThat(collector.size()).isEqualTo(20 << 20);
        assertThat(statuses).containsOnly(0);
    }

    @Test
    void aHalfClosedPeerCanStillBeWrittenTo(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var client = new Streams.Collector();
        var server = new Streams.Collector();
        pair.client().readStart(client);
        pair.server().readStart(server);
        pair.client().shutdown(new UvShutdown(loop), status -> {});
        Streams.until(loop, server::atEnd);
        assertThat(pair.server().tryWrite(Streams.memory("late"), 0, 4)).isEqualTo(4);
        Streams.until(loop, () -> client.size() == 4);
        assertThat(client.text()).isEqualTo("late");
    }

    @Test
    void aSecondShutdownFails(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var done = new int[1];
        pair.client().shutdown(new UvShutdown(loop), status -> done[0]++);
        assertThatThrownBy(() -> pair.client().shutdown(new UvShutdown(loop), status -> done[0] += 10))
                .isInstanceOf(UvException.class);
        Streams.until(loop, () -> done[0] > 0);
        assertThatThrownBy(() -> pair.client().shutdown(new UvShutdown(loop), status -> done[0] += 10))
                .isInstanceOf(UvException.class);
        assertThat(done[0]).isEqualTo(1);
    }

    @Test
    void shutdownOfAHandleThatIsNotConnectedFails(UvLoop loop) {
        var tcp = new UvTcp(loop);
        assertThatThrownBy(() -> tcp.shutdown(new UvShutdown(loop), status -> {}))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.ENOTCONN));
    }

    @Test
    void closeRightAfterShutdownCompletesBoth(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var statuses = new ArrayList<Integer>();
        pair.client().shutdown(new UvShutdown(loop), statuses::add);
        pair.client().close();
        pair.server().close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(statuses).hasSize(1);
        assertThat(statuses.getFirst()).isIn(0, UvErrno.ECANCELED.code());
    }

    @Test
    void closeInTheShutdownsCallbackEndsTheLoop(UvLoop loop) {
        var listener = new Streams.Listener(loop);
        var tcp = new UvTcp(loop);
        tcp.connect(new UvConnect(loop), listener.address(), status -> {
            tcp.write(Streams.request(loop, Streams.memory("x")), written -> {});
            tcp.shutdown(new UvShutdown(loop), ended -> {
                tcp.close();
                listener.tcp.close();
                listener.accepted.forEach(UvTcp::close);
            });
        });
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void theLoopEndsWhenBothSidesHaveHalfClosed(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var client = new Streams.Collector();
        var server = new Streams.Collector();
        pair.client().readStart(client);
        pair.server().readStart(server);
        pair.client().shutdown(new UvShutdown(loop), status -> {});
        pair.server().shutdown(new UvShutdown(loop), status -> {});
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(client.atEnd() && server.atEnd()).isTrue();
    }

    @Test
    void afterShutdownItIsNotWritableAndAfterTheEndStillReadable(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        assertThat(pair.client().isWritable()).isTrue();
        assertThat(pair.client().isReadable()).isTrue();
        pair.client().shutdown(new UvShutdown(loop), status -> {});
        assertThat(pair.client().isWritable()).isFalse();
        var server = new Streams.Collector();
        pair.server().readStart(server);
        Streams.until(loop, server::atEnd);
        assertThat(pair.server().isReadable()).isTrue();
        assertThat(pair.server().isWritable()).isTrue();
        var again = new Streams.Collector();
        pair.server().readStop();
        pair.server().readStart(again);
        Streams.until(loop, again::atEnd);
        assertThat(again.size()).isZero();
    }

    @Test
    void queuedWritesAreCancelledInOrderByClose(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var order = new ArrayList<String>();
        var data = Streams.memory(new byte[8 << 20]);
        for (int i = 0; i < 4; i++) {
            int number = i;
            pair.client().write(Streams.request(loop, data), status -> order.add(number + " " + status));
        }
        pair.client().close(() -> order.add("closed"));
        pair.server().close();
        loop.run(UvLoop.Mode.DEFAULT);
        int canceled = UvErrno.ECANCELED.code();
        assertThat(order).containsExactly("0 " + canceled, "1 " + canceled, "2 " + canceled, "3 " + canceled, "closed");
    }

    @Test
    void aResetIsSeenByThePeerAsAnError(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var server = new Streams.Collector();
        pair.server().readStart(server);
        var closed = new boolean[1];
        pair.client().closeReset(() -> closed[0] = true);
        Streams.until(loop, () -> !server.negatives.isEmpty());
        assertThat(server.negatives).containsExactly(UvErrno.ECONNRESET.code());
        assertThat(closed[0]).isTrue();
        assertThat(pair.server().fileno())
                .as("the descriptor stays until close")
                .isPositive();
        assertThat(pair.server().isReadable() || pair.server().isWritable()).isFalse();
    }

    @Test
    void theAcceptedSideCanResetToo(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var client = new Streams.Collector();
        pair.client().readStart(client);
        pair.server().closeReset(null);
        Streams.until(loop, () -> !client.negatives.isEmpty());
        assertThat(client.negatives).containsExactly(UvErrno.ECONNRESET.code());
    }

    @Test
    void aResetAfterShutdownIsRefusedAndTheHandleStaysOpen(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        pair.client().shutdown(new UvShutdown(loop), status -> {});
        assertThatThrownBy(() -> pair.client().closeReset(null))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EINVAL));
        assertThat(pair.client().isClosing()).isFalse();
    }

    @Test
    void writingToAPeerThatIsGoneFailsWithoutEndingTheProcess(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        pair.server().closeReset(null);
        var data = Streams.memory("x");
        var status = new int[1];
        Streams.until(loop, () -> {
            status[0] = pair.client().tryWrite(data, 0, 1);
            return status[0] < 0 && status[0] != UvErrno.EAGAIN.code();
        });
        assertThat(UvErrno.of(status[0])).isIn(UvErrno.EPIPE, UvErrno.ECONNRESET);
        assertThat(UvErrno.of(pair.client().tryWrite(data, 0, 1))).isEqualTo(UvErrno.EPIPE);
    }

    @Test
    void aRequestCanBeUsedAgainAfterItsCallbackOnly(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var filling = new ArrayList<Integer>();
        fill(loop, pair.client(), filling);
        var request = Streams.request(loop, Streams.memory("x"));
        var statuses = new ArrayList<Integer>();
        pair.client().write(request, statuses::add);
        assertThat(request.isPending()).isTrue();
        assertThatThrownBy(() -> pair.client().write(request, statuses::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pending");
        assertThatThrownBy(() -> request.add(Streams.memory("y"), 0, 1)).isInstanceOf(IllegalStateException.class);
        pair.server().readStart(new Streams.Collector());
        Streams.until(loop, () -> statuses.size() == 1);
        pair.client().write(request, statuses::add);
        Streams.until(loop, () -> statuses.size() == 2);
        assertThat(statuses).containsExactly(0, 0);
    }

    @Test
    void freeOfAPendingRequestWaitsForItsCallback(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var statuses = new ArrayList<Integer>();
        fill(loop, pair.client(), new ArrayList<>());
        var request = Streams.request(loop, Streams.memory("x"));
        pair.client().write(request, statuses::add);
        request.free();
        assertThat(request.isPending()).isTrue();
        pair.server().readStart(new Streams.Collector());
        Streams.until(loop, () -> statuses.size() == 1);
        assertThat(request.isPending()).isFalse();
    }

    @Test
    void aFreedRequestIsOfNoUse(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var request = Streams.request(loop, Streams.memory("x"));
        request.free();
        request.free();
        assertThatThrownBy(() -> pair.client().write(request, status -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("freed");
        assertThatThrownBy(() -> pair.client().tryWrite(request)).isInstanceOf(IllegalStateException.class);
        var other = new UvWrite(loop, 1);
        other.free();
        assertThatThrownBy(() -> other.add(Streams.memory("x"), 0, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatWriteAndShutdownCallbacksThrowReachesTheHandler(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var pair = Streams.Pair.of(loop);
        var request = Streams.request(loop, Streams.memory("x"));
        pair.client().write(request, status -> {
            throw new Error("write");
        });
        pair.client().shutdown(new UvShutdown(loop), status -> {
            throw new StackOverflowError("shutdown");
        });
        Streams.until(loop, () -> errors.size() == 2);
        assertThat(errors).extracting(Throwable::getMessage).containsExactly("write", "shutdown");
        assertThat(request.isPending()).isFalse();
    }

    @Test
    void aRequestNeedsRoomForABuffer(UvLoop loop) {
        assertThatThrownBy(() -> new UvWrite(loop, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new UvWrite(loop, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
