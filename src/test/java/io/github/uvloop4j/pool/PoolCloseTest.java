package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The end of a pool, and of its loop. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PoolCloseTest {
    private static final PoolOptions ONE = PoolOptions.defaults().maxSize(1);

    private final Fakes fakes = new Fakes();
    private final ConnectionPool<Fakes.Fake> pool = new ConnectionPool<>(fakes, ONE);

    @Test
    @Tag("cells")
    void idleConnectionsAreClosedAtOnceAndThoseInUseWhenTheyComeBack(EventLoop loop) throws Exception {
        var two = new ConnectionPool<>(fakes, PoolOptions.defaults());
        loop.run(() -> {
            var lease = two.acquire();
            two.run(fake -> {});
            two.close();
            two.close();
            assertThat(fakes.reasons).containsExactly(DiscardReason.CLOSED);
            var gone = two.waitClosed();
            Fakes.turn(loop);
            assertThat(gone.isDone()).isFalse();
            assertThat(lease.connection().closed).isFalse();
            lease.release();
            gone.await();
            assertThat(fakes.open).isZero();
            assertThat(two.isClosed()).isTrue();
            two.waitClosed().await();
        });
    }

    @Test
    void tasksThatWaitFailAtOnce(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var waiters = List.of(loop.spawn(() -> pool.run(fake -> {})), loop.spawn(() -> pool.run(fake -> {})));
            Fakes.turn(loop);
            pool.close();
            for (var waiter : waiters) {
                assertThatThrownBy(waiter::await)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("closed");
            }
            lease.close();
            pool.waitClosed().await();
        });
    }

    @Test
    void aWaiterThatWasServedInTheTurnOfTheCloseFailsToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var waiter = loop.spawn(() -> pool.run(fake -> {}));
            Fakes.turn(loop);
            lease.release();
            pool.close();
            assertThatThrownBy(waiter::await).isInstanceOf(IllegalStateException.class);
            pool.waitClosed().await();
            assertThat(fakes.open).isZero();
        });
    }

    @Test
    void aConnectionThatIsBeingMadeIsClosedOnArrival(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            fakes.onConnect = gate::await;
            var task = loop.spawn(() -> pool.run(fake -> {}));
            Fakes.turn(loop);
            pool.close();
            gate.complete("connected");
            assertThatThrownBy(task::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            pool.waitClosed().await();
            assertThat(fakes.open).isZero();
        });
    }

    @Test
    void aClosedPoolLendsNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            pool.close();
            assertThatThrownBy(pool::acquire).isInstanceOf(IllegalStateException.class);
            pool.waitClosed().await();
        });
    }

    @Test
    @Tag("cells")
    void closesWithItsLoop() throws Exception {
        var loop = EventLoop.create();
        loop.run(() -> pool.run(fake -> {}));
        assertThat(fakes.open).isEqualTo(1);
        loop.close();
        assertThat(pool.isClosed()).isTrue();
        assertThat(fakes.open).isZero();
    }

    @Test
    void aPoolThatWasClosedIsNotKeptByItsLoop(EventLoop loop) throws Exception {
        var kept = new ArrayList<WeakReference<Object>>();
        loop.run(() -> {
            for (int i = 0; i < 100; i++) {
                var each = new ConnectionPool<>(fakes, ONE);
                each.run(fake -> {});
                each.close();
                kept.add(new WeakReference<>(each));
            }
        });
        Until.holds("the pools are garbage", () -> {
            System.gc();
            return kept.stream().allMatch(reference -> reference.get() == null);
        });
    }

    @Test
    void aPoolThatWasNeverUsedMayBeClosedAnywhere() throws Exception {
        var thread = Thread.ofPlatform().start(pool::close);
        thread.join();
        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void onlyItsLoopMayCloseIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            pool.run(fake -> {});
            var elsewhere = loop.runInExecutor(() -> {
                pool.close();
                return "closed";
            });
            assertThatThrownBy(elsewhere::await).isInstanceOf(IllegalStateException.class);
            pool.close();
        });
    }

    @Test
    @Tag("cells")
    void aClosingLoopEndsTheTasksThatWaitAndThoseThatUse() throws Exception {
        var loop = EventLoop.create(LoopOptions.defaults().closeTimeout(Duration.ofSeconds(20)));
        var tasks = new ArrayList<Task<?>>();
        loop.run(() -> {
            for (int i = 0; i < 3; i++) {
                tasks.add(loop.spawn(
                        () -> pool.run(fake -> loop.<String>createFuture().await())));
            }
            Fakes.turn(loop);
            assertThat(pool.statistics().waiting()).isEqualTo(2);
        });
        loop.close();
        assertThat(tasks).allMatch(Task::isCancelled);
        assertThat(fakes.open).isZero();
        pool.close();
    }

    @Test
    void aPoolMayBeClosedAfterItsLoopByAnyThread() throws Exception {
        var loop = EventLoop.create();
        loop.run(() -> pool.run(fake -> {}));
        loop.close();
        var thread = Thread.ofPlatform().start(pool::close);
        thread.join();
        assertThat(fakes.open).isZero();
        assertThat(pool.isClosed()).isTrue();
    }

    @Test
    void aClosingLoopEndsIdleConnections() throws Exception {
        try (var peer = new LinePeer()) {
            var loop = EventLoop.create();
            var network = ConnectionPoolTest.poolTo(loop, peer, ONE);
            loop.run(() -> network.run(connection -> ConnectionPoolTest.ask(connection, "x")));
            loop.close();
            Until.holds("the peer saw the end", () -> peer.ends() == 1);
            network.close();
        }
    }
}
