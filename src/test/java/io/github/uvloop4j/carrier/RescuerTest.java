package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rescued steps that block themselves, and rescues at the edges of a loop's life. */
@Tag("carrier")
@Timeout(60)
class RescuerTest {
    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A task that is parked until it is unparked. */
    private static <T> Task<T> parked(RunningLoop running, Callable<T> then) throws Exception {
        var task = running.spawn(() -> {
            LockSupport.park();
            return then.call();
        });
        Until.holds("the task is parked", () -> Until.waits(task.thread()));
        return task;
    }

    /** Blocks the loop in a callback until the gate opens, with the task waiting to be run. */
    private static void block(RunningLoop running, CountDownLatch gate, Task<?> task) {
        running.loop().post(() -> {
            LockSupport.unpark(task.thread());
            pass(gate);
        });
    }

    /** What the class initialisers below do. */
    private static final class Given {
        static volatile CountDownLatch inside = new CountDownLatch(1);
        static volatile CountDownLatch gate = new CountDownLatch(1);
        static volatile LoopFuture<String> future = new LoopFuture<>();

        static boolean passed() {
            inside.countDown();
            pass(gate);
            return true;
        }

        static void renew() {
            inside = new CountDownLatch(1);
            gate = new CountDownLatch(1);
        }
    }

    private static final class First {
        static final boolean DONE = Given.passed();
    }

    @Test
    void otherLoopsAreHelpedWhileARescuedTaskIsBlocked() throws Exception {
        Given.renew();
        var running = RunningLoop.onCarrier();
        var gate = new CountDownLatch(1);
        var stuck = parked(running, () -> First.DONE);
        block(running, gate, stuck);
        Given.inside.await();

        var other = RunningLoop.onCarrier();
        var otherGate = new CountDownLatch(1);
        var helped = parked(other, () -> {
            otherGate.countDown();
            return true;
        });
        block(other, otherGate, helped);
        assertThat(RunningLoop.result(helped)).isTrue();
        assertThat(stuck.isDone()).isFalse();
        other.close();

        Given.gate.countDown();
        assertThat(RunningLoop.result(stuck)).isTrue();
        gate.countDown();
        running.close();
    }

    private static final class Second {
        static final boolean DONE = Given.passed();
    }

    @Test
    void taskThatARescuedTaskWaitsForIsRescuedToo() throws Exception {
        Given.renew();
        var running = RunningLoop.onCarrier();
        var gate = new CountDownLatch(1);
        var pinned = parked(running, () -> {
            boolean done = Second.DONE;
            gate.countDown();
            return done && running.loop().inLoop();
        });
        var opener = parked(running, () -> {
            boolean inLoop = running.loop().inLoop();
            Given.gate.countDown();
            return inLoop;
        });
        block(running, gate, pinned);
        Given.inside.await();
        LockSupport.unpark(opener.thread());
        assertThat(RunningLoop.result(opener)).isTrue();
        assertThat(RunningLoop.result(pinned)).isTrue();
        running.close();
    }

    private static final class Third {
        static final boolean DONE = Given.passed();
    }

    @Test
    void rescuedTasksAndCallbackNeverUseTheLoopAtTheSameTime() throws Exception {
        Given.renew();
        int calls = 200_000;
        var ran = new AtomicInteger();
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var gate = new CountDownLatch(1);
        Runnable use = () -> {
            for (int i = 0; i < calls; i++) {
                loop.execute(ran::incrementAndGet);
            }
        };
        var pinned = parked(running, () -> {
            boolean done = Third.DONE;
            use.run();
            return done;
        });
        var opener = parked(running, () -> {
            gate.countDown();
            Given.gate.countDown();
            use.run();
            return true;
        });
        loop.post(() -> {
            LockSupport.unpark(pinned.thread());
            pass(gate);
            use.run();
        });
        Given.inside.await();
        LockSupport.unpark(opener.thread());
        assertThat(RunningLoop.result(opener)).isTrue();
        assertThat(RunningLoop.result(pinned)).isTrue();
        Until.holds("all ran", () -> ran.get() == 3 * calls);
        running.close();
    }

    private static final class Fourth {
        static final String VALUE = awaited();

        private static String awaited() {
            try {
                return Given.future.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void pinnedAwaitOfARescuedTaskFails() throws Exception {
        var running = RunningLoop.onCarrier();
        Given.future = running.loop().createFuture();
        var gate = new CountDownLatch(1);
        var task = parked(running, () -> Fourth.VALUE);
        block(running, gate, task);
        assertThatThrownBy(() -> RunningLoop.result(task))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .hasMessageContaining("in the class initialiser of " + Fourth.class.getName());
        gate.countDown();
        assertThat(RunningLoop.result(running.loop().submit(() -> "lives on"))).isEqualTo("lives on");
        running.close();
    }

    @Test
    void tasksOfALoopThatIsDrivenTurnByTurnAreRescued() throws Exception {
        var seen = CompletableFuture.supplyAsync(
                () -> {
                    var options = LoopOptions.defaults().tasks(LoopOptions.Tasks.CARRIER);
                    try (var loop = EventLoop.create(options)) {
                        var gate = new CountDownLatch(1);
                        var task = loop.spawn(() -> {
                            LockSupport.park();
                            gate.countDown();
                            return loop.inLoop();
                        });
                        loop.runOnce();
                        loop.callSoon(() -> {
                            LockSupport.unpark(task.thread());
                            pass(gate);
                        });
                        loop.runOnce();
                        return task.isDone() && Boolean.TRUE.equals(task.resultNow());
                    }
                },
                body -> Thread.ofPlatform().daemon().start(body));
        assertThat(RunningLoop.result(seen)).isTrue();
    }

    @Test
    void taskThatCleansUpWhileItsLoopIsBeingClosedIsRescued() throws Exception {
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var order = Collections.synchronizedList(new ArrayList<String>());
        var begun = new CountDownLatch(1);
        running.spawn(() -> {
            begun.countDown();
            try {
                return loop.createFuture().await();
            } finally {
                var blocked = new CountDownLatch(1);
                var gate = new CountDownLatch(1);
                loop.callSoon(() -> {
                    blocked.countDown();
                    pass(gate);
                    order.add("callback");
                });
                pass(blocked);
                order.add("task");
                gate.countDown();
            }
        });
        begun.await();
        running.close();
        assertThat(order).containsExactly("task", "callback");
    }

    @Test
    void abandonedTaskIsRescuedInTheLastTurn() throws Exception {
        var options = LoopOptions.defaults().tasks(LoopOptions.Tasks.CARRIER).closeTimeout(Duration.ofMillis(1));
        var running = new RunningLoop(EventLoop.create(options).start());
        var order = Collections.synchronizedList(new ArrayList<String>());
        var blocked = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var task = running.spawn(() -> {
            while (blocked.getCount() > 0) {
                try {
                    blocked.await();
                } catch (InterruptedException notYet) {
                    // Does not react to its cancel.
                }
            }
            order.add("task");
            gate.countDown();
            return true;
        });
        task.whenDone((value, error) -> {
            blocked.countDown();
            pass(gate);
            order.add("callback");
        });
        running.close();
        assertThat(order).containsExactly("task", "callback");
        assertThat(task.isCancelled()).isTrue();
    }
}
