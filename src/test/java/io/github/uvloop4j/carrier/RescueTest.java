package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks between callbacks and tasks: a task that could go on is not held up by a callback that waits for it. */
@Tag("carrier")
@Timeout(60)
class RescueTest {
    @ParameterizedTest
    @EnumSource(Contended.class)
    void lockHandedToTheTaskWhileACallbackWaitsForIt(Contended kind) throws Exception {
        assertThat(contend(kind.create(), true)).containsExactlyInAnyOrder("task", "callback");
    }

    @ParameterizedTest
    @EnumSource(Contended.class)
    void lockWantedByACallbackBeforeTheTask(Contended kind) throws Exception {
        assertThat(contend(kind.create(), false)).containsExactlyInAnyOrder("task", "callback");
    }

    /** A third thread holds the lock until a callback and a task both wait for it. */
    private static List<String> contend(Contended.Lock lock, boolean taskFirst) throws Exception {
        var got = Collections.synchronizedList(new ArrayList<String>());
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var loopThread = running.thread();
        var waiter = new CompletableFuture<Task<?>>();
        var held = new CountDownLatch(1);
        Thread.ofPlatform()
                .daemon()
                .start(() -> lock.hold(() -> {
                    held.countDown();
                    var task = waiter.join();
                    Until.holds("both wait", () -> Until.waits(loopThread) && Until.waits(task.thread()));
                }));
        held.await();
        var ended = loop.submit(() -> {
            var done = loop.<Boolean>createFuture();
            Runnable callback = () -> {
                lock.hold(() -> got.add("callback"));
                done.complete(true);
            };
            if (!taskFirst) {
                loop.callSoon(callback);
            }
            var task = loop.spawn(() -> lock.hold(() -> got.add("task")));
            waiter.complete(task);
            if (taskFirst) {
                loop.callSoon(callback);
            }
            task.await();
            return done.await();
        });
        assertThat(RunningLoop.result(ended)).isTrue();
        running.close();
        return got;
    }

    @Test
    void lockHandedToATaskWhileATaskThatIsPinnedWaitsForIt() throws Exception {
        var running = RunningLoop.onCarrier();
        var lock = PinnedWait.LOCK;
        lock.lock();
        var first = running.spawn(() -> {
            lock.lock();
            lock.unlock();
            return "parked";
        });
        Until.holds("one waits", () -> lock.getQueueLength() == 1);
        var second = running.loop().submit(PinnedWait::value);
        Until.holds("both wait", () -> lock.getQueueLength() == 2);
        lock.unlock();
        assertThat(RunningLoop.result(first)).isEqualTo("parked");
        assertThat(RunningLoop.result(second)).isEqualTo("pinned");
        running.close();
    }

    /** A class initialiser pins its task to the loop thread. */
    private static final class PinnedWait {
        static final ReentrantLock LOCK = new ReentrantLock();

        private static final class Initialised {
            static final String VALUE;

            static {
                LOCK.lock();
                VALUE = "pinned";
                LOCK.unlock();
            }
        }

        static String value() {
            return Initialised.VALUE;
        }
    }

    @Test
    void everyTaskThatCouldHoldTheLockIsRun() throws Exception {
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var left = new CountDownLatch(200);
        var ended = loop.submit(() -> {
            var done = loop.<Boolean>createFuture();
            loop.callSoon(() -> done.complete(passed(left)));
            for (int i = 0; i < 200; i++) {
                loop.spawn(left::countDown);
            }
            return done.await();
        });
        assertThat(RunningLoop.result(ended)).isTrue();
        running.close();
    }

    /** Blocks the thread. */
    private static boolean passed(CountDownLatch gate) {
        try {
            gate.await();
            return true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void rescuedTaskAndCallbackNeverUseTheLoopAtTheSameTime() throws Exception {
        int rounds = 5;
        int calls = 300_000;
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var ran = new AtomicInteger();
        for (int round = 0; round < rounds; round++) {
            var gate = new CountDownLatch(1);
            var task = running.spawn(() -> {
                LockSupport.park();
                for (int i = 0; i < calls; i++) {
                    loop.execute(ran::incrementAndGet);
                    gate.countDown();
                }
                return loop.inLoop();
            });
            Until.holds("the task is parked", () -> Until.waits(task.thread()));
            var done = loop.<Boolean>createFuture();
            loop.post(() -> {
                LockSupport.unpark(task.thread());
                passed(gate);
                for (int i = 0; i < calls; i++) {
                    loop.execute(ran::incrementAndGet);
                }
                done.complete(true);
            });
            assertThat(RunningLoop.result(task)).isTrue();
            assertThat(RunningLoop.result(done)).isTrue();
        }
        Until.holds("all ran", () -> ran.get() == 2 * rounds * calls);
        running.close();
    }

    @Test
    void rescuedTaskIsOnTheLoop() throws Exception {
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var gate = new CountDownLatch(1);
        var seen = running.spawn(() -> {
            LockSupport.park();
            var before = List.of(loop.inLoop(), loop.currentTask() != null);
            var timer = loop.<Boolean>createFuture();
            loop.callLater(java.time.Duration.ofMillis(1), () -> timer.complete(true));
            gate.countDown();
            timer.await();
            return before;
        });
        Until.holds("the task is parked", () -> Until.waits(seen.thread()));
        loop.post(() -> {
            LockSupport.unpark(seen.thread());
            passed(gate);
        });
        assertThat(RunningLoop.result(seen)).containsExactly(true, true);
        running.close();
    }

    @Test
    void nobodyWatchesWhileAllTasksAreParked() throws Exception {
        var running = RunningLoop.onCarrier();
        var parked = running.spawn(() -> running.loop().createFuture().await());
        Until.holds("the rescue thread sleeps until it is called", RescueTest::rescueSleeps);
        parked.cancel();
        running.close();
    }

    @Test
    void nobodyWatchesALoopOfCallbacksWhileItsTasksAreParked() throws Exception {
        var running = RunningLoop.onCarrier();
        var parked = running.spawn(() -> running.loop().createFuture().await());
        running.loop().post(new Runnable() {
            @Override
            public void run() {
                if (!parked.isDone()) {
                    running.loop().callLater(java.time.Duration.ofMillis(1), this);
                }
            }
        });
        Until.holds("the rescue thread sleeps until it is called", RescueTest::rescueSleeps);
        parked.cancel();
        running.close();
    }

    /** Without a limit, that is: WAITING rather than TIMED_WAITING. */
    private static boolean rescueSleeps() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("uvloop4j-rescue"))
                .allMatch(thread -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void stepQueuedBeforeTheLoopRanIsRescued() throws Exception {
        // The steps are queued while the loop does not run, and long enough before for the watch to end.
        var running = RunningLoop.onCarrier();
        var loop = running.loop();
        var gate = new CountDownLatch(1);
        var task = running.spawn(() -> {
            LockSupport.park();
            gate.countDown();
            return true;
        });
        Until.holds("the task is parked", () -> Until.waits(task.thread()));
        loop.post(loop::stop);
        Until.holds("the loop is stopped", () -> !loop.isRunning());
        Until.holds("the rescue thread sleeps until it is called", RescueTest::rescueSleeps);
        var again = Thread.ofPlatform().unstarted(loop::runForever);
        loop.post(() -> passed(gate));
        LockSupport.unpark(task.thread());
        Until.holds("the rescue thread sleeps until it is called", RescueTest::rescueSleeps);
        again.start();
        assertThat(RunningLoop.result(task)).isTrue();
        loop.stop();
        again.join();
        running.close();
    }
}
