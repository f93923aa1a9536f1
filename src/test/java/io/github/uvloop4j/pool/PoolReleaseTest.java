package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection serves again only after a complete exchange, and its slot comes back on every path. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PoolReleaseTest {
    private static final PoolOptions ONE = PoolOptions.defaults().maxSize(1);

    private final Fakes fakes = new Fakes();
    private final ConnectionPool<Fakes.Fake> pool = new ConnectionPool<>(fakes, ONE);

    @Test
    @Tag("cells")
    void theReplyToACancelledRequestReachesNobody(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    var task = loop.spawn(
                            () -> network.<String>call(connection -> ConnectionPoolTest.ask(connection, "hold a")));
                    Fakes.turnUntil(loop, () -> network.statistics().inUse() == 1);
                    task.cancel();
                    assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                    peer.answerHeld();
                    assertThat(network.<String>call(connection -> ConnectionPoolTest.ask(connection, "b")))
                            .isEqualTo("b");
                    assertThat(network.statistics().discarded(DiscardReason.FAILED))
                            .isEqualTo(1);
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void norDoesItWithALease(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    var task = loop.spawn(() -> {
                        try (var lease = network.acquire()) {
                            var reply = ConnectionPoolTest.ask(lease.connection(), "hold a");
                            lease.release();
                            return reply;
                        }
                    });
                    Fakes.turnUntil(loop, () -> network.statistics().inUse() == 1);
                    task.cancel();
                    assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
                    peer.answerHeld();
                    assertThat(network.<String>call(connection -> ConnectionPoolTest.ask(connection, "b")))
                            .isEqualTo("b");
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionWithUnreadBytesDoesNotServeAgain(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    network.run(connection -> {
                        ConnectionPoolTest.ask(connection, "twice");
                        Fakes.turnUntil(loop, () -> !connection.isIdle());
                    });
                    assertThat(network.<String>call(connection -> ConnectionPoolTest.ask(connection, "b")))
                            .isEqualTo("b");
                    assertThat(network.statistics().discarded(DiscardReason.UNHEALTHY))
                            .isEqualTo(1);
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void bytesThatArriveWhileItIsIdleEndAConnection(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    var used = network.call(connection -> {
                        connection.write("hold a\n");
                        return connection;
                    });
                    assertThat(network.statistics().idle()).isEqualTo(1);
                    peer.answerHeld();
                    Fakes.turnUntil(loop, () -> !used.isIdle());
                    assertThat(network.<String>call(connection -> ConnectionPoolTest.ask(connection, "b")))
                            .isEqualTo("b");
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionThatThePeerEndedWhileIdleDoesNotServeAgain(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    var used = network.call(connection -> {
                        ConnectionPoolTest.ask(connection, "bye");
                        return connection;
                    });
                    Fakes.turnUntil(loop, () -> !used.isIdle());
                    assertThat(network.<String>call(connection -> ConnectionPoolTest.ask(connection, "b")))
                            .isEqualTo("b");
                    assertThat(used.isClosing()).isTrue();
                }
            });
            assertThat(peer.accepts()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionThatWasNeverReadIsWatchedWhileIdle(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    var used = network.call(connection -> {
                        connection.write("bye\n");
                        return connection;
                    });
                    Fakes.turnUntil(loop, () -> !used.isIdle());
                    network.run(connection -> assertThat(connection).isNotSameAs(used));
                }
            });
        }
    }

    @Test
    void anEndedWritingSideDoesNotServeAgain(EventLoop loop) throws Exception {
        try (var peer = new LinePeer()) {
            loop.run(() -> {
                try (var network = ConnectionPoolTest.poolTo(loop, peer, ONE)) {
                    network.run(connection -> connection.shutdownOutput());
                    assertThat(network.statistics().idle()).isZero();
                }
            });
        }
    }

    @Test
    void whatTheBodyThrowsEndsTheConnectionAndArrives(EventLoop loop) throws Exception {
        var failure = new IOException("reply cut off");
        loop.run(() -> {
            assertThatThrownBy(() -> pool.run(fake -> {
                        throw failure;
                    }))
                    .isSameAs(failure);
            var error = new AssertionError("a body");
            assertThatThrownBy(() -> pool.run(fake -> {
                        throw error;
                    }))
                    .isSameAs(error);
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
        assertThat(fakes.reasons).containsExactly(DiscardReason.FAILED, DiscardReason.FAILED);
    }

    @Test
    void anErrorInACompleteReplyMayLeaveItInUse(EventLoop loop) throws Exception {
        fakes.reusableAfter = error -> error instanceof IllegalArgumentException;
        loop.run(() -> {
            assertThatThrownBy(() -> pool.run(fake -> {
                        throw new IllegalArgumentException("ERR no such key");
                    }))
                    .hasMessage("ERR no such key");
            assertThat(pool.statistics().idle()).isEqualTo(1);
            pool.close();
        });
    }

    @Test
    void aCancelNeverLeavesItInUse(EventLoop loop) throws Exception {
        fakes.reusableAfter = error -> true;
        loop.run(() -> {
            var task = loop.spawn(
                    () -> pool.<String>call(fake -> loop.<String>createFuture().await()));
            Fakes.turn(loop);
            task.cancel();
            assertThatThrownBy(task::await).isInstanceOf(CancellationException.class);
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
    }

    @Test
    void aForgottenReleaseCostsTheConnectionNotTheSlot(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int i = 1; i <= 3; i++) {
                try (var lease = pool.acquire()) {
                    assertThat(lease.connection().number).isEqualTo(i);
                }
            }
            pool.close();
        });
        assertThat(fakes.open).isZero();
    }

    @Test
    void aLeaseThatIsOverThrows(EventLoop loop) throws Exception {
        loop.run(() -> {
            var released = pool.acquire();
            released.release();
            assertThatThrownBy(released::connection).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(released::release).isInstanceOf(IllegalStateException.class);
            released.close();
            var closed = pool.acquire();
            closed.close();
            closed.close();
            assertThatThrownBy(closed::connection).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(closed::release).isInstanceOf(IllegalStateException.class);
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
        assertThat(fakes.reasons).containsExactly(DiscardReason.FAILED);
    }

    @Test
    void aCloseAfterReleaseDoesNotTouchTheNextUser(EventLoop loop) throws Exception {
        loop.run(() -> {
            var first = pool.acquire();
            first.release();
            var second = pool.acquire();
            first.close();
            assertThat(second.connection().closed).isFalse();
            second.release();
            pool.close();
        });
    }

    @Test
    void aLeaseOnAWrongThreadThrowsAndStays(EventLoop loop) throws Exception {
        loop.run(() -> {
            var lease = pool.acquire();
            var elsewhere = loop.runInExecutor(() -> {
                lease.close();
                return "closed";
            });
            assertThatThrownBy(elsewhere::await).isInstanceOf(IllegalStateException.class);
            lease.release();
            pool.close();
        });
    }

    @Test
    void whatTheConnectorThrowsIsReportedAndTheSlotComesBack(EventLoop loop, Errors errors) throws Exception {
        fakes.onDiscard = () -> {
            throw new UncheckedIOException(new IOException("cannot close"));
        };
        fakes.clean = fake -> {
            throw new IllegalStateException("cannot say");
        };
        loop.run(() -> {
            pool.run(fake -> {});
            assertThat(pool.statistics().size()).isZero();
            pool.close();
        });
        assertThat(errors.take())
                .extracting(context -> context.exception().getMessage())
                .containsExactly("cannot say", "java.io.IOException: cannot close");
    }

    @Test
    void aDroppedLeaseIsReportedWithItsPlaceAndItsSlotComesBack(EventLoop loop, Errors errors) throws Exception {
        loop.debug(true);
        loop.run(() -> {
            loop.spawn("dropper", () -> drop()).await();
            var waiting = loop.spawn(() -> pool.run(fake -> {}));
            Fakes.turnUntil(loop, () -> {
                System.gc();
                return waiting.isDone();
            });
            assertThat(pool.statistics().discarded(DiscardReason.DROPPED)).isEqualTo(1);
            pool.close();
        });
        var reported = errors.take();
        assertThat(reported).hasSize(1);
        assertThat(reported.getFirst().message()).contains("was dropped");
        assertThat(reported.getFirst().exception().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("drop"));
    }

    @Test
    void inDebugModeALeaseThatIsOutAtTheEndOfTheLoopIsReportedWithItsPlace() throws Exception {
        for (boolean closed : new boolean[] {false, true}) {
            var reported = new ArrayList<ExceptionContext>();
            var leaky = new ConnectionPool<>(fakes, ONE);
            var kept = new ArrayList<Lease<?>>();
            try (var loop = EventLoop.create(LoopOptions.defaults().debug(true))) {
                loop.exceptionHandler(reported::add);
                loop.run(() -> {
                    kept.add(acquire(leaky));
                    if (closed) {
                        leaky.close();
                    }
                });
            }
            assertThat(reported).hasSize(1);
            assertThat(reported.getFirst().message())
                    .startsWith("a lease of pool ")
                    .endsWith(" was neither released nor closed when its loop was closed");
            assertThat(reported.getFirst().exception().getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("acquire")
                            && frame.getClassName().equals(PoolReleaseTest.class.getName()));
        }
    }

    @Test
    void oneThatCameBackIsNot() throws Exception {
        var reported = new ArrayList<ExceptionContext>();
        var careful = new ConnectionPool<>(fakes, ONE);
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(true))) {
            loop.exceptionHandler(reported::add);
            loop.run(() -> {
                acquire(careful).release();
                acquire(careful).close();
                loop.spawn(() -> {
                    try (var lease = acquire(careful)) {
                        loop.createFuture().await();
                        lease.release();
                    }
                });
                Task.sleep(Duration.ZERO);
            });
        }
        assertThat(reported).isEmpty();
    }

    private static Lease<Fakes.Fake> acquire(ConnectionPool<Fakes.Fake> from) throws Exception {
        return from.acquire();
    }

    @SuppressWarnings({"resource", "MustBeClosedChecker"})
    private void drop() throws Exception {
        pool.acquire();
    }
}
