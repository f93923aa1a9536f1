package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Idle, prepare, check and async handles. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvWatchersTest {
    @Test
    void prepareRunsBeforeCheckInEachTurn(UvLoop loop) {
        var order = new ArrayList<String>();
        var idle = new UvIdle(loop);
        var prepare = new UvPrepare(loop);
        var check = new UvCheck(loop);
        check.start(() -> order.add("check"));
        prepare.start(() -> order.add("prepare"));
        idle.start(() -> order.add("idle"));
        loop.run(UvLoop.Mode.NOWAIT);
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(order).containsExactly("idle", "prepare", "check", "idle", "prepare", "check");
    }

    @Test
    void stopEndsTheCalls(UvLoop loop) {
        var calls = new int[1];
        var idle = new UvIdle(loop);
        var prepare = new UvPrepare(loop);
        var check = new UvCheck(loop);
        idle.start(() -> calls[0]++);
        prepare.start(() -> calls[0]++);
        check.start(() -> calls[0]++);
        idle.stop();
        prepare.stop();
        check.stop();
        check.stop();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(calls[0]).isZero();
    }

    @Test
    void aSecondStartChangesTheCallback(UvLoop loop) {
        var calls = new ArrayList<String>();
        var idle = new UvIdle(loop);
        idle.start(() -> calls.add("first"));
        idle.start(() -> calls.add("second"));
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(calls).containsExactly("second");
    }

    @Test
    void idleDoesNotStarveTimers(UvLoop loop) {
        var idle = new UvIdle(loop);
        idle.start(() -> {});
        new UvTimer(loop).start(idle::stop, 5, 0);
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void aCallbackMayCloseItsOwnHandle(UvLoop loop) {
        var closed = new ArrayList<String>();
        var idle = new UvIdle(loop);
        idle.start(() -> idle.close(() -> closed.add("idle")));
        var prepare = new UvPrepare(loop);
        prepare.start(() -> prepare.close(() -> closed.add("prepare")));
        var check = new UvCheck(loop);
        check.start(() -> check.close(() -> closed.add("check")));
        var async = new UvAsync[1];
        async[0] = new UvAsync(loop, () -> async[0].close(() -> closed.add("async")));
        async[0].send();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(closed).containsExactlyInAnyOrder("idle", "prepare", "check", "async");
    }

    @Test
    void whatACallbackThrowsReachesTheHandlerAndTheLoopGoesOn(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var idle = new UvIdle(loop);
        idle.start(() -> {
            idle.stop();
            throw new AssertionError("idle");
        });
        var prepare = new UvPrepare(loop);
        prepare.start(() -> {
            prepare.stop();
            throw new StackOverflowError("prepare");
        });
        var check = new UvCheck(loop);
        check.start(() -> {
            check.stop();
            throw new OutOfMemoryError("check");
        });
        var async = new UvAsync[1];
        async[0] = new UvAsync(loop, () -> {
            async[0].close();
            throw new IllegalStateException("async");
        });
        async[0].send();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(errors)
                .extracting(Throwable::getMessage)
                .containsExactlyInAnyOrder("idle", "prepare", "check", "async");
    }

    @Test
    void nullCallbacksAreRefused(UvLoop loop) {
        var idle = new UvIdle(loop);
        var prepare = new UvPrepare(loop);
        var check = new UvCheck(loop);
        assertThatThrownBy(() -> idle.start(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> prepare.start(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> check.start(null)).isInstanceOf(NullPointerException.class);
        assertThat(idle.isActive() || prepare.isActive() || check.isActive()).isFalse();
    }

    @Test
    void anAsyncWithoutACallbackIsRefusedAndLeavesNothing(UvLoop loop) {
        assertThatThrownBy(() -> new UvAsync(loop, null)).isInstanceOf(NullPointerException.class);
        assertThat(loop.openHandles()).isEmpty();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void asyncWakesALoopThatBlocks(UvLoop loop) throws Exception {
        var called = new Thread[1];
        var async = new UvAsync[1];
        async[0] = new UvAsync(loop, () -> {
            called[0] = Thread.currentThread();
            async[0].close();
        });
        var sender = Thread.ofPlatform().start(async[0]::send);
        loop.run(UvLoop.Mode.DEFAULT);
        sender.join();
        assertThat(called[0]).isSameAs(Thread.currentThread());
    }

    @Test
    void sendsBeforeTheLoopRunsMergeIntoOneCall(UvLoop loop) {
        var calls = new int[1];
        var async = new UvAsync(loop, () -> calls[0]++);
        for (int i = 0; i < 1_000; i++) {
            async.send();
        }
        loop.run(UvLoop.Mode.NOWAIT);
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(calls[0]).isEqualTo(1);
    }

    @Test
    void everySendIsFollowedByACall(UvLoop loop) throws Exception {
        int threads = 4;
        int sends = 10_000;
        var seen = new int[1];
        var sent = new java.util.concurrent.atomic.AtomicInteger();
        var start = new CountDownLatch(1);
        var async = new UvAsync(loop, () -> seen[0] = sent.get());
        var senders = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            senders.add(Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int n = 0; n < sends; n++) {
                    sent.incrementAndGet();
                    async.send();
                }
            }));
        }
        start.countDown();
        Streams.until(loop, () -> seen[0] == threads * sends);
        for (var sender : senders) {
            sender.join();
        }
        async.close();
    }

    @Test
    void sendAfterCloseIsRefused(UvLoop loop) {
        var async = new UvAsync(loop, () -> {});
        async.close();
        assertThatThrownBy(async::send).isInstanceOf(IllegalStateException.class);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThatThrownBy(async::send).isInstanceOf(IllegalStateException.class);
    }
}
