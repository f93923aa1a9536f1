package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** How connections end that nobody uses, that are old, or that the peer has given up. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PoolExpiryTest {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final PoolOptions OPTIONS = PoolOptions.defaults().maxSize(2);

    private final Fakes fakes = new Fakes();

    @Test
    @Tag("cells")
    void anIdleConnectionIsClosedWhenItsTimeIsOver(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxIdleTime(SHORT));
        loop.run(() -> {
            var closed = loop.<String>createFuture();
            fakes.onDiscard = () -> closed.complete("closed");
            long start = System.nanoTime();
            pool.run(fake -> {});
            closed.await();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
        assertThat(fakes.reasons).containsExactly(DiscardReason.IDLE);
    }

    @Test
    void soIsEachOfSeveral(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxIdleTime(SHORT));
        loop.run(() -> {
            var first = pool.acquire();
            var second = pool.acquire();
            first.release();
            Fakes.turn(loop);
            second.release();
            Fakes.turnUntil(loop, () -> fakes.open == 0);
            pool.close();
        });
        assertThat(fakes.reasons).containsExactly(DiscardReason.IDLE, DiscardReason.IDLE);
    }

    @Test
    void anOldConnectionIsClosedWhileIdle(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxLifetime(SHORT).maxIdleTime(FOREVER));
        loop.run(() -> {
            pool.run(fake -> {});
            Fakes.turnUntil(loop, () -> fakes.open == 0);
            pool.close();
        });
        assertThat(fakes.reasons).containsExactly(DiscardReason.LIFETIME);
    }

    @Test
    void anOldConnectionIsClosedWhenItComesBackAndNotBefore(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxLifetime(SHORT));
        loop.run(() -> {
            pool.run(fake -> {
                var over = loop.<String>createFuture();
                loop.callLater(SHORT, () -> over.complete("over"));
                over.await();
                assertThat(fake.closed).isFalse();
            });
            assertThat(fakes.reasons).containsExactly(DiscardReason.LIFETIME);
            pool.close();
        });
    }

    @Test
    void lifetimesAreSpreadAndNeverLonger() {
        var idle = new IdleEntries<String>(OPTIONS.maxLifetime(Duration.ofHours(10)), entry -> {});
        long before = System.nanoTime();
        var hours = java.util.stream.LongStream.generate(idle::deathOfNew)
                .limit(1000)
                .summaryStatistics();
        long elapsed = System.nanoTime() - before;
        assertThat(hours.getMin() - before)
                .isGreaterThanOrEqualTo(Duration.ofHours(9).toNanos());
        assertThat(hours.getMax() - before)
                .isLessThanOrEqualTo(Duration.ofHours(10).toNanos() + elapsed);
        assertThat(hours.getMax() - hours.getMin())
                .isGreaterThan(Duration.ofMinutes(30).toNanos());
    }

    @Test
    void thereIsOneTimerAndNoneOnceNothingIsIdle(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxIdleTime(SHORT));
        loop.run(() -> {
            pool.run(fake -> {});
            pool.run(fake -> {});
            Fakes.turnUntil(loop, () -> fakes.open == 0);
        });
        loop.runOnce();
        assertThat(loop.backendTimeout()).isEqualTo(-1);
        pool.close();
    }

    @Test
    void aClosedPoolLeavesNoTimer(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxIdleTime(Duration.ofMinutes(5)));
        loop.run(() -> pool.run(fake -> {}));
        assertThat(loop.backendTimeout()).isPositive();
        pool.close();
        loop.runOnce();
        assertThat(loop.backendTimeout()).isEqualTo(-1);
    }

    @Test
    void limitsForEverNeedNoTimer(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.maxIdleTime(FOREVER).maxLifetime(FOREVER));
        loop.run(() -> pool.run(fake -> {}));
        loop.runOnce();
        assertThat(loop.backendTimeout()).isEqualTo(-1);
        loop.run(() -> pool.run(fake -> assertThat(fake.number).isEqualTo(1)));
        pool.close();
    }

    @Test
    void onlyAConnectionThatWasIdleForLongIsAskedWhetherItLives(EventLoop loop) throws Exception {
        var asked = new int[1];
        fakes.alive = () -> {
            Fakes.turn(loop);
            return ++asked[0] > 0;
        };
        var never = new ConnectionPool<>(fakes, OPTIONS.validateAfterIdle(Duration.ofHours(1)));
        var always = new ConnectionPool<>(fakes, OPTIONS.validateAfterIdle(Duration.ZERO));
        loop.run(() -> {
            for (int i = 0; i < 3; i++) {
                never.run(fake -> {});
            }
            assertThat(asked[0]).isZero();
            for (int i = 0; i < 3; i++) {
                always.run(fake -> {});
            }
            assertThat(asked[0]).isEqualTo(2);
            never.close();
            always.close();
        });
        assertThat(fakes.made).isEqualTo(2);
    }

    @Test
    @Tag("cells")
    void oneThatDoesNotAnswerIsReplaced(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.validateAfterIdle(Duration.ZERO));
        loop.run(() -> {
            var first = pool.acquire();
            pool.run(fake -> {});
            first.release();
            fakes.alive = () -> {
                throw new IOException("no answer");
            };
            pool.run(fake -> assertThat(fake.number).isEqualTo(3));
            assertThat(fakes.reasons).containsExactly(DiscardReason.UNHEALTHY, DiscardReason.UNHEALTHY);
            assertThat(pool.statistics().size()).isEqualTo(1);
            pool.close();
        });
    }

    @Test
    void aCancelledCheckEndsTheConnection(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.validateAfterIdle(Duration.ZERO));
        loop.run(() -> {
            pool.run(fake -> {});
            fakes.alive = () -> loop.<Boolean>createFuture().await();
            var task = loop.spawn(() -> pool.run(fake -> {}));
            Fakes.turn(loop);
            task.cancel();
            assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            assertThat(pool.statistics().size()).isZero();
            assertThat(fakes.reasons).containsExactly(DiscardReason.FAILED);
            pool.close();
        });
    }

    @Test
    void aCheckThatTakesTooLongIsTheTimeoutOfAcquire(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(fakes, OPTIONS.validateAfterIdle(Duration.ZERO));
        loop.run(() -> {
            pool.run(fake -> {});
            fakes.alive = () -> loop.<Boolean>createFuture().await();
            assertThatThrownBy(() -> pool.acquire(SHORT)).isInstanceOf(TimeoutException.class);
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
    }
}
