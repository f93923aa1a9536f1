package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.LoopOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that goes on though it was cancelled is reported and cancelled again. */
@org.junit.jupiter.api.Timeout(60)
class CancelGraceTest {
    private final ArrayList<String> order = new ArrayList<>();
    private final ArrayList<ExceptionContext> reports = new ArrayList<>();
    private EventLoop loop;
    private LoopFuture<ExceptionContext> reported;

    @BeforeEach
    void create() {
        create(Duration.ofMillis(10));
    }

    private void create(Duration grace) {
        if (loop != null) {
            loop.close();
        }
        loop = EventLoop.create(LoopOptions.defaults().cancelGrace(grace).closeTimeout(Duration.ofSeconds(5)));
        reported = loop.createFuture();
        loop.exceptionHandler(report -> {
            reports.add(report);
            reported.complete(report);
        });
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private void swallowing(int times) throws Exception {
        for (int i = 1; i <= times; i++) {
            try {
                Turns.forever();
            } catch (Exception e) {
                order.add("swallowed " + i);
            }
        }
    }

    /** Starts a task, cancels it, and waits for its end. */
    private Task<?> cancelled(TaskBody body) throws Exception {
        return loop.<Task<?>>run(() -> {
            var task = loop.spawn("stubborn", body);
            Turns.wait(3);
            task.cancel();
            task.handle((value, error) -> error).await();
            return task;
        });
    }

    @Test
    @Tag("cells")
    void aCancelSwallowedInALoopIsSentAgain() throws Exception {
        var task = cancelled(() -> {
            swallowing(3);
            Turns.forever();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("swallowed 1", "swallowed 2", "swallowed 3");
        assertThat(task.cancelling()).as("it was one request").isEqualTo(1);
    }

    @Test
    void itIsReportedWithTaskPlaceAndWhereItWasThrown() throws Exception {
        cancelled(() -> {
            swallowing(1);
            Turns.forever();
        });
        var report = reports.getFirst();
        assertThat(report.message()).contains("task stubborn has not ended").contains("swallowed the cancel");
        assertThat(report.source())
                .isInstanceOfSatisfying(
                        Task.class, task -> assertThat(task.name()).isEqualTo("stubborn"));
        assertThat(report.exception().getStackTrace())
                .as("where it is")
                .anyMatch(frame -> frame.getMethodName().equals("forever"));
        assertThat(report.exception().getCause()).isInstanceOf(CancellationException.class);
        assertThat(report.exception().getCause().getStackTrace())
                .as("where it was thrown first")
                .anyMatch(frame -> frame.getMethodName().equals("swallowing"));
    }

    @Test
    void reportsGrowRarer() throws Exception {
        cancelled(() -> {
            swallowing(9);
            Turns.forever();
        });
        assertThat(order).hasSize(9);
        assertThat(reports).as("the 1st, 2nd, 4th and 8th time").hasSizeBetween(4, 5);
    }

    @Test
    @SuppressWarnings("finally") // that is what is tested
    void aCloseThatThrowsDuringCleanUpIsNoWayOut() throws Exception {
        AutoCloseable broken = () -> {
            throw new IllegalStateException("close");
        };
        var task = cancelled(() -> {
            try {
                try (broken) {
                    Turns.forever();
                } finally {
                    throw new IllegalStateException("clean-up");
                }
            } catch (IllegalStateException e) {
                order.add(e.getMessage());
            }
            Turns.forever();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("clean-up");
        assertThat(reports).isNotEmpty();
    }

    @Test
    void whoTakesItBackIsLeftAlone() throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            var task = loop.spawn(() -> {
                try {
                    Turns.forever();
                } catch (CancellationException e) {
                    Task.current().uncancel();
                }
                return gate.await();
            });
            Turns.wait(3);
            task.cancel();
            Turns.wait(3);
            // A task that swallows is reported after the same grace: the other one would have been by then.
            var witness = loop.spawn(() -> {
                swallowing(1);
                Turns.forever();
            });
            Turns.wait(3);
            witness.cancel();
            witness.handle((value, error) -> error).await();
            gate.complete("x");
            assertThat(task.await()).isEqualTo("x");
            assertThat(reports).allSatisfy(report -> assertThat(report.source()).isSameAs(witness));
        });
    }

    @Test
    void cleanUpWithinTheGraceIsNotDisturbed() throws Exception {
        create(Duration.ofSeconds(50));
        var task = cancelled(() -> {
            try {
                Turns.forever();
            } finally {
                Turns.wait(200);
                order.add("cleaned up");
            }
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("cleaned up");
        assertThat(reports).isEmpty();
        assertThat(loop.backendTimeout()).as("no timer is left").isLessThan(1);
    }

    @Test
    void aShieldIsNotDisturbed() throws Exception {
        var task = cancelled(() -> {
            Task.shielded(() -> {
                // Longer than the grace period: another task is reported meanwhile.
                var witness = loop.spawn("witness", () -> {
                    swallowing(1);
                    Turns.forever();
                });
                Turns.wait(3);
                witness.cancel();
                witness.handle((value, error) -> error).await();
                order.add("shielded");
            });
            Turns.forever();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("swallowed 1", "shielded");
        assertThat(reports).allMatch(report -> report.message().contains("witness"));
    }

    @Test
    void aGraceOfZeroIsForEver() throws Exception {
        create(Duration.ZERO);
        loop.run(() -> {
            var task = loop.spawn(() -> swallowing(1));
            Turns.wait(3);
            task.cancel();
            assertThat(loop.backendTimeout()).as("no timer").isLessThan(1);
            task.await();
        });
        assertThat(reports).isEmpty();
    }

    @Test
    void aTaskMayHaveAGraceOfItsOwn() throws Exception {
        create(Duration.ofSeconds(50));
        cancelled(() -> {
            Task.current().cancelGrace(Duration.ofMillis(10));
            swallowing(1);
            Turns.forever();
        });
        assertThat(reports).isNotEmpty();
    }

    @Test
    void aGraceMustBePositive() throws Exception {
        loop.run(() -> {
            var task = Task.current();
            assertThatThrownBy(() -> task.cancelGrace(Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("grace");
            assertThatThrownBy(() -> task.cancelGrace(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> task.cancelGrace(null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("grace");
        });
        assertThatThrownBy(() -> LoopOptions.defaults().cancelGrace(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cancelGrace");
    }

    @Test
    void aHugeGraceIsForEver() throws Exception {
        create(Duration.ofSeconds(Long.MAX_VALUE));
        var task = cancelled(Turns::forever);
        assertThat(task.isCancelled()).isTrue();
        assertThat(reports).isEmpty();
    }

    @Test
    void aTaskThatKeepsAwaitingSoundTasksIsSentItAgain() throws Exception {
        var task = cancelled(() -> {
            for (int i = 0; i < 2; i++) {
                try {
                    loop.spawn(Turns::forever).await();
                } catch (Exception e) {
                    order.add("swallowed");
                }
            }
            loop.spawn(Turns::forever).await();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("swallowed", "swallowed");
        assertThat(reports).isNotEmpty().allMatch(report -> report.message().contains("stubborn"));
    }

    @Test
    void theTaskAtTheEndOfAChainIsTheOneReported() throws Exception {
        cancelled(() -> {
            var last = loop.spawn("last", () -> {
                swallowing(2);
                Turns.forever();
            });
            loop.spawn("middle", () -> last.await()).await();
        });
        assertThat(reports).isNotEmpty().allMatch(report -> report.message().contains("task last "));
    }

    @Test
    void anExpiredScopeThatDoesNotEndIsReported() throws Exception {
        loop.run(() -> assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                    swallowing(2);
                    Turns.forever();
                }))
                .isInstanceOf(TimeoutException.class));
        assertThat(reports).isNotEmpty();
        assertThat(reports.getFirst().exception().getCause()).hasMessageContaining("time limit");
    }

    @Test
    void anExpiredScopeInAShieldThatDoesNotEndIsReported() throws Exception {
        loop.run(() -> Task.shielded(() -> {
            assertThatThrownBy(() -> Timeout.after(Duration.ZERO).run(limit -> {
                        swallowing(1);
                        Turns.forever();
                    }))
                    .isInstanceOf(TimeoutException.class);
        }));
        assertThat(reports).isNotEmpty();
    }

    @Test
    @Tag("carrier")
    void aSwallowedInterruptIsSentAgain() throws Exception {
        var latch = new CountDownLatch(1);
        var task = cancelled(() -> {
            for (int i = 0; i < 2; i++) {
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    order.add("swallowed");
                }
            }
            latch.await();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("swallowed", "swallowed");
        assertThat(reports).isNotEmpty();
        assertThat(reports.getFirst().exception().getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.CountDownLatch"));
    }

    @Test
    @Tag("carrier")
    void aJdkCallThatEatsTheInterruptIsReported() throws Exception {
        var latch = new CountDownLatch(1);
        var task = cancelled(() -> {
            boolean open = false;
            while (!open) {
                try {
                    open = latch.await(50, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    order.add("eaten");
                    if (order.size() == 3) {
                        latch.countDown();
                    }
                }
            }
            Turns.forever();
        });
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).hasSizeGreaterThanOrEqualTo(3);
        assertThat(reports).isNotEmpty();
    }
}
