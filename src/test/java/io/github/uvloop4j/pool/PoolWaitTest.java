package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that wait for a connection: in order, with a limit, cancelled, and when connecting fails. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PoolWaitTest {
    private static final PoolOptions ONE = PoolOptions.defaults().maxSize(1);

    private final Fakes fakes = new Fakes();
    private final ConnectionPool<Fakes.Fake> pool = new ConnectionPool<>(fakes, ONE);

    private Task<Integer> user(EventLoop loop) {
        return loop.spawn(() -> pool.<Integer>call(fake -> fake.number));
    }

    private void nothingIsLost() {
        assertThat(pool.statistics().size()).isEqualTo(pool.statistics().idle());
        assertThat(pool.statistics().waiting()).isZero();
        pool.close();
        assertThat(fakes.open).isZero();
        assertThat(fakes.mostOpen).isLessThanOrEqualTo(1);
    }

    @Test
    @Tag("cells")
    void whoCameFirstIsServedFirst(EventLoop loop) throws Exception {
        var order = new ArrayList<Integer>();
        loop.run(() -> {
            var lease = pool.acquire();
            var tasks = new ArrayList<Task<?>>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                tasks.add(loop.spawn(() -> pool.run(fake -> {
                    order.add(number);
                    Fakes.turn(loop);
                })));
            }
            Fakes.turn(loop);
            lease.release();
            for (var task : tasks) {
                task.await();
            }
            assertThat(pool.statistics().created()).isEqualTo(1);
            nothingIsLost();
        });
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    @Tag("cells")
    void aCancelledWaiterHandsOnTheConnectionItWasGivenInTheSameTurn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var first = user(loop);
            var second = user(loop);
            Fakes.turn(loop);
            lease.release();
            first.cancel();
            assertThat(second.await()).isEqualTo(1);
            assertThatThrownBy(first::await).isInstanceOf(CancellationException.class);
            assertThat(pool.statistics().created()).isEqualTo(1);
            nothingIsLost();
        });
    }

    @Test
    void aCancelledWaiterHandsOnTheEmptySlotItWasGivenInTheSameTurn(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var first = user(loop);
            var second = user(loop);
            Fakes.turn(loop);
            lease.close();
            first.cancel();
            assertThat(second.await()).isEqualTo(2);
            assertThatThrownBy(first::await).isInstanceOf(CancellationException.class);
            nothingIsLost();
        });
    }

    @Test
    void aCancelledWaiterLeavesTheQueue(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var first = user(loop);
            var second = user(loop);
            Fakes.turn(loop);
            first.cancel();
            assertThatThrownBy(first::await).isInstanceOf(CancellationException.class);
            assertThat(pool.statistics().waiting()).isEqualTo(1);
            lease.release();
            assertThat(second.await()).isEqualTo(1);
            nothingIsLost();
        });
    }

    @Test
    @Tag("cells")
    void givingUpNamesThePoolAndItsState(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(5)))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("no connection within PT0.005S: "
                            + "pool connections[1 of 1: 0 idle, 1 in use, 0 connecting, 0 waiting]");
            assertThat(pool.statistics().timeouts()).isEqualTo(1);
            lease.release();
            nothingIsLost();
        });
    }

    @Test
    void theLimitHoldsForConnectingAsWell(EventLoop loop) throws Exception {
        loop.run(() -> {
            fakes.onConnect = loop.<String>createFuture()::await;
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(5))).isInstanceOf(TimeoutException.class);
            assertThat(pool.statistics().connectFailures()).isEqualTo(1);
            nothingIsLost();
        });
    }

    @Test
    void aTimeoutOfTheConnectorIsNotThePools(EventLoop loop) throws Exception {
        var own = new TimeoutException("the connector's");
        fakes.onConnect = () -> {
            throw own;
        };
        loop.run(() -> {
            assertThatThrownBy(pool::acquire).isSameAs(own);
            assertThat(pool.statistics().timeouts()).isZero();
            nothingIsLost();
        });
    }

    @Test
    void aLimitForEverIsNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var waiting = loop.spawn(() -> {
                pool.acquire(Duration.ofSeconds(Long.MAX_VALUE)).release();
            });
            Fakes.turn(loop);
            lease.release();
            waiting.await();
            nothingIsLost();
        });
    }

    @Test
    void whenConnectingFailsTheNextWaiterTriesItself(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            var refused = new ConnectException("refused");
            fakes.onConnect = gate::await;
            var first = user(loop);
            var second = user(loop);
            Fakes.turn(loop);
            gate.completeExceptionally(refused);
            fakes.onConnect = () -> "connects";
            assertThatThrownBy(first::await).isSameAs(refused);
            assertThat(second.await()).isEqualTo(1);
            nothingIsLost();
        });
    }

    @Test
    void aPeerThatIsDownFailsEveryWaiterAndLeavesThePoolEmpty(EventLoop loop) throws Exception {
        fakes.onConnect = () -> {
            Fakes.turn(loop);
            throw new ConnectException("refused");
        };
        loop.run(() -> {
            var tasks = new ArrayList<Task<?>>();
            for (int i = 0; i < 20; i++) {
                tasks.add(user(loop));
            }
            for (var task : tasks) {
                assertThatThrownBy(task::await).isInstanceOf(ConnectException.class);
            }
            assertThat(pool.statistics().connectFailures()).isEqualTo(20);
            nothingIsLost();
        });
    }

    @Test
    void aCancelWhileItConnectsFreesTheSlot(EventLoop loop) throws Exception {
        loop.run(() -> {
            fakes.onConnect = loop.<String>createFuture()::await;
            var first = user(loop);
            var second = user(loop);
            Fakes.turn(loop);
            fakes.onConnect = () -> "connects";
            first.cancel();
            assertThatThrownBy(first::await).isInstanceOf(CancellationException.class);
            assertThat(second.await()).isEqualTo(1);
            nothingIsLost();
        });
    }

    @Test
    void aCancelThatComesWithTheConnectionDoesNotLoseIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            fakes.onConnect = gate::await;
            var first = user(loop);
            Fakes.turn(loop);
            gate.complete("connected");
            first.cancel();
            assertThatThrownBy(first::await).isInstanceOf(CancellationException.class);
            nothingIsLost();
        });
    }

    @Test
    void aConnectorThatReturnsNullIsNamed(EventLoop loop) throws Exception {
        ConnectionPool<AutoCloseable> broken = new ConnectionPool<>(() -> null, ONE);
        loop.run(() -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(broken::acquire)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageContaining("Connector.connect");
            }
            assertThat(broken.statistics().size()).isZero();
            broken.close();
        });
    }

    @Test
    void tooManyWaitersAreSentAway(EventLoop loop) throws Exception {
        var strict = new ConnectionPool<>(fakes, ONE.maxWaiting(1));
        loop.run(() -> {
            var lease = strict.acquire();
            var waiting = loop.spawn(() -> strict.run(fake -> {}));
            Fakes.turn(loop);
            assertThatThrownBy(strict::acquire)
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageContaining("1 waiting");
            assertThat(strict.statistics().rejected()).isEqualTo(1);
            lease.release();
            waiting.await();
            strict.close();
        });
    }
}
