package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One owner at a time, first come, first served. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LockTest {
    private final Lock lock = new Lock();
    private final ArrayList<String> order = new ArrayList<>();

    @Test
    void isFreeUntilATaskAcquiresIt(EventLoop loop) throws Exception {
        assertThat(lock.isLocked()).isFalse();
        loop.run(() -> {
            lock.acquire();
            assertThat(lock.isLocked()).isTrue();
            assertThat(lock.owner()).isSameAs(loop.currentTask());
            lock.release();
            assertThat(lock.isLocked()).isFalse();
            assertThat(lock.owner()).isNull();
        });
    }

    @Test
    @Tag("cells")
    void goesToThoseWhoWaitInTheirOrder(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            var tasks = new ArrayList<Task<?>>();
            for (var name : "a b c d".split(" ")) {
                tasks.add(loop.spawn(() -> {
                    try (var _ = lock.hold()) {
                        order.add(name);
                    }
                }));
            }
            while (lock.waiting() < 4) {
                yieldTurn(loop);
            }
            lock.release();
            for (var task : tasks) {
                task.await();
            }
        });
        assertThat(order).containsExactly("a", "b", "c", "d");
        assertThat(lock.isLocked()).isFalse();
    }

    private static void yieldTurn(EventLoop loop) throws Exception {
        var turn = loop.<Boolean>createFuture();
        loop.callSoon(() -> turn.complete(true));
        turn.await();
    }

    @Test
    void whoeverReleasesItCannotBargeInAgain(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            var waiter = loop.spawn(() -> {
                lock.acquire();
                order.add("waiter");
                lock.release();
            });
            yieldTurn(loop);
            lock.release();
            assertThat(lock.tryAcquire()).as("it was handed over").isFalse();
            lock.acquire();
            order.add("again");
            lock.release();
            waiter.await();
        });
        assertThat(order).containsExactly("waiter", "again");
    }

    @Test
    void tryAcquireDoesNotWait(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThat(lock.tryAcquire()).isTrue();
            assertThat(loop.spawn(lock::tryAcquire).await()).isFalse();
            lock.release();
            loop.spawn(() -> {
                        assertThat(lock.tryAcquire()).isTrue();
                        lock.release();
                    })
                    .await();
        });
    }

    @Test
    void aHoldReleasesItWhenTheBlockThrows(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> {
                        try (var _ = lock.hold()) {
                            throw new IllegalArgumentException("from the block");
                        }
                    })
                    .hasMessage("from the block");
            assertThat(lock.isLocked()).isFalse();
            try (var _ = lock.hold(Duration.ofSeconds(5))) {
                assertThat(lock.isLocked()).isTrue();
            }
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void closingAHoldTwiceThrows(EventLoop loop) throws Exception {
        loop.run(() -> {
            var held = lock.hold();
            held.close();
            assertThatThrownBy(held::close).isInstanceOf(IllegalMonitorStateException.class);
        });
    }

    @Test
    @Tag("cells")
    void aLimitEndsTheWait(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            var waiter = loop.spawn(() -> lock.acquire(Duration.ofMillis(1)));
            assertThatThrownBy(waiter::await)
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("PT0.001S")
                    .hasMessageContaining("main");
            assertThat(lock.waiting()).isZero();
            lock.release();
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void aLimitOfZeroDoesNotWait(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire(Duration.ZERO);
            var waiter = loop.spawn(() -> lock.acquire(Duration.ZERO));
            assertThatThrownBy(waiter::await).isInstanceOf(TimeoutException.class);
            lock.release();
        });
    }

    @Test
    void aLimitBeyondTheClockIsForEver(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire(Duration.ofSeconds(Long.MAX_VALUE));
            var waiter = loop.spawn(() -> {
                lock.acquire(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
                lock.release();
            });
            yieldTurn(loop);
            assertThat(waiter.isDone()).isFalse();
            lock.release();
            waiter.await();
        });
    }

    @Test
    void acquiringItTwiceThrows(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            assertThatThrownBy(lock::acquire)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("task main has the lock and would wait for itself");
            assertThatThrownBy(() -> lock.acquire(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(IllegalStateException.class);
            lock.release();
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void releasingAnothersLockNamesBothTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            var thief = loop.spawn("thief", lock::release);
            assertThatThrownBy(thief::await)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("task thief")
                    .hasMessageContaining("held by task main");
            assertThat(lock.owner()).isSameAs(loop.currentTask());
            lock.release();
            assertThatThrownBy(lock::release)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("is free");
        });
    }

    @Test
    void aCallbackCannotReleaseIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            lock.acquire();
            var thrown = loop.<Throwable>createFuture();
            loop.callSoon(() -> {
                try {
                    lock.release();
                } catch (IllegalMonitorStateException e) {
                    thrown.complete(e);
                }
            });
            assertThat(thrown.await()).hasMessageContaining("a callback").hasMessageContaining("main");
            lock.release();
        });
    }

    @Test
    void statisticsTellWhoHasItAndHowManyWait(EventLoop loop) throws Exception {
        assertThat(lock.statistics()).isEqualTo(new Lock.Statistics(false, null, 0));
        loop.run(() -> {
            lock.acquire();
            var waiter = loop.spawn(() -> lock.hold().close());
            yieldTurn(loop);
            assertThat(lock.statistics()).isEqualTo(new Lock.Statistics(true, "main", 1));
            assertThat(lock).hasToString("Lock[held by task main, 1 waiting]");
            lock.release();
            waiter.await();
        });
        assertThat(lock).hasToString("Lock[free, 0 waiting]");
    }
}
