package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a pool is for: connections that are used again, and never more than so many. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionPoolTest {
    static ConnectionPool<Connection> poolTo(EventLoop loop, LinePeer peer, PoolOptions options) {
        return new ConnectionPool<>(() -> loop.net().openConnection("127.0.0.1", peer.port()), options);
    }

    static String ask(Connection connection, String line) throws Exception {
        connection.write(line + "\n");
        return String.valueOf(connection.readLine());
    }

    @Test
    @Tag("cells")
    void aHundredRequestsInARowNeedOneHandshake(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var pool = poolTo(loop, peer, PoolOptions.defaults().maxSize(2))) {
                    for (int i = 0; i < 100; i++) {
                        var line = "request " + i;
                        assertThat(pool.<String>call(connection -> ask(connection, line)))
                                .isEqualTo(line);
                    }
                    assertThat(pool.statistics().created()).isEqualTo(1);
                    assertThat(pool.statistics().reused()).isEqualTo(99);
                }
            });
            assertThat(peer.accepts()).isEqualTo(1);
        }
    }

    @Test
    @Tag("cells")
    void manyTasksShareAsManyConnectionsAsThePoolMayHave(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var pool = poolTo(loop, peer, PoolOptions.defaults().maxSize(2))) {
                    var answers = new ArrayList<LoopFuture<String>>();
                    for (int i = 0; i < 50; i++) {
                        var line = "request " + i;
                        answers.add(loop.spawn(() -> pool.<String>call(connection -> ask(connection, line))));
                    }
                    for (int i = 0; i < 50; i++) {
                        assertThat(answers.get(i).await()).isEqualTo("request " + i);
                    }
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void aReleasedLeaseLeavesItsConnectionToTheNext(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var pool = poolTo(loop, peer, PoolOptions.defaults())) {
                    for (int i = 0; i < 3; i++) {
                        try (var lease = pool.acquire()) {
                            assertThat(lease.isReused()).isEqualTo(i > 0);
                            assertThat(ask(lease.connection(), "x")).isEqualTo("x");
                            lease.release();
                        }
                    }
                }
            });
            assertThat(peer.accepts()).isEqualTo(1);
        }
    }

    @Test
    void theConnectionUsedLastServesFirst(EventLoop loop) throws Exception {
        assertThat(orderOfReuse(loop, PoolOptions.Order.LIFO)).containsExactly(2, 1);
    }

    @Test
    void orTheOneThatWaitedLongest(EventLoop loop) throws Exception {
        assertThat(orderOfReuse(loop, PoolOptions.Order.FIFO)).containsExactly(1, 2);
    }

    private static ArrayList<Integer> orderOfReuse(EventLoop loop, PoolOptions.Order order) throws Exception {
        var numbers = new ArrayList<Integer>();
        loop.run(() -> {
            try (var pool =
                    new ConnectionPool<>(new Fakes(), PoolOptions.defaults().order(order))) {
                try (var first = pool.acquire();
                        var second = pool.acquire()) {
                    first.release();
                    second.release();
                }
                try (var first = pool.acquire();
                        var second = pool.acquire()) {
                    numbers.add(first.connection().number);
                    numbers.add(second.connection().number);
                }
            }
        });
        return numbers;
    }

    @Test
    void statisticsTellWhereEverySlotIs(EventLoop loop) throws Exception {
        var fakes = new Fakes();
        loop.run(() -> {
            try (var pool = new ConnectionPool<>(fakes, PoolOptions.defaults().maxSize(3))) {
                var gate = loop.<String>createFuture();
                try (var used = pool.acquire();
                        var given = pool.acquire()) {
                    given.release();
                    pool.acquire().close();
                    fakes.onConnect = gate::await;
                    var connecting = loop.spawn(() -> pool.run(fake -> {}));
                    var connecting2 = loop.spawn(() -> pool.run(fake -> {}));
                    var waiting = loop.spawn(() -> pool.run(fake -> {}));
                    Fakes.turn(loop);
                    var now = pool.statistics();
                    assertThat(now.inUse()).isEqualTo(1);
                    assertThat(now.connecting()).isEqualTo(2);
                    assertThat(now.waiting()).isEqualTo(1);
                    assertThat(now.size()).isEqualTo(3);
                    assertThat(now.created()).isEqualTo(2);
                    assertThat(now.reused()).isEqualTo(1);
                    assertThat(now.discarded(DiscardReason.FAILED)).isEqualTo(1);
                    assertThat(pool).hasToString("pool connections[3 of 3: 0 idle, 1 in use, 2 connecting, 1 waiting]");
                    gate.complete("go on");
                    connecting.await();
                    connecting2.await();
                    waiting.await();
                    assertThat(pool.statistics().idle()).isEqualTo(2);
                    used.release();
                }
                assertThat(pool.statistics().idle()).isEqualTo(3);
            }
        });
        assertThat(fakes.open).isZero();
    }

    @Test
    void itBelongsToTheLoopOfItsFirstUse(EventLoop loop) throws Exception {
        var pool = new ConnectionPool<>(new Fakes());
        loop.run(() -> pool.run(fake -> {}));
        var elsewhere = loop.runInExecutor(pool::statistics);
        assertThatThrownBy(() -> loop.runUntilComplete(elsewhere))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another loop or thread");
        loop.run(pool::close);
    }

    @Test
    void anotherLoopIsRefused() throws Exception {
        var pool = new ConnectionPool<>(new Fakes());
        try (var first = EventLoop.create()) {
            first.run(() -> pool.run(fake -> {}));
            var refused = new ArrayList<Throwable>();
            var other = Thread.ofPlatform().start(() -> {
                try {
                    EventLoop.run(second -> pool.acquire().close());
                } catch (Throwable error) {
                    refused.add(error);
                }
            });
            other.join();
            assertThat(refused).hasSize(1).first().isInstanceOf(IllegalStateException.class);
            pool.close();
        }
    }

    @Test
    void onlyATaskMayAcquire(EventLoop loop) {
        var pool = new ConnectionPool<>(new Fakes());
        assertThatThrownBy(pool::acquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("loop.spawn");
        pool.close();
    }
}
