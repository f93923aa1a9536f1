package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that park, by our calls or by those of the JDK. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskParkTest {
    @Test
    void parksUntilItIsUnparked(EventLoop loop) throws Exception {
        var flag = new boolean[1];
        var task = loop.spawn(() -> {
            int rounds = 0;
            while (!flag[0]) {
                Task.current().park();
                rounds++;
            }
            return rounds;
        });
        loop.runOnce();
        assertThat(task.isDone()).isFalse();
        flag[0] = true;
        task.unpark();
        assertThat(loop.runUntilComplete(task)).isPositive();
    }

    @Test
    void anEarlyUnparkIsNotLost(EventLoop loop) throws Exception {
        loop.run(() -> {
            Task.current().unpark();
            Task.current().park();
        });
    }

    @Test
    void onlyTheTaskItselfMayPark(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        assertThatThrownBy(task::park).isInstanceOf(IllegalStateException.class);
        gate.complete("x");
        loop.runUntilComplete(task);
    }

    @Test
    void anInterruptByTheUserDoesNotDisturbAnAwait(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await() + Thread.interrupted());
        loop.runOnce();
        task.thread().interrupt();
        loop.runOnce();
        loop.runOnce();
        assertThat(task.isDone()).isFalse();
        gate.complete("x");
        assertThat(loop.runUntilComplete(task)).isEqualTo("xtrue");
    }

    @Test
    @Tag("carrier")
    void sleepParksOnlyTheTask(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            var sleeper = loop.spawn(() -> {
                Thread.sleep(30);
                order.add("sleeper");
            });
            loop.spawn(() -> {
                order.add("other");
            });
            sleeper.await();
        });
        assertThat(order).containsExactly("other", "sleeper");
    }

    @Test
    @Tag("carrier")
    void locksAndQueuesOfTheJdkParkOnlyTheTask(EventLoop loop) throws Exception {
        var lock = new ReentrantLock();
        var queue = new LinkedBlockingQueue<String>();
        var order = new ArrayList<String>();
        loop.run(() -> {
            lock.lock();
            var first = loop.spawn(() -> {
                lock.lock();
                try {
                    order.add("got the lock");
                    order.add("took " + queue.take());
                } finally {
                    lock.unlock();
                }
            });
            loop.createFuture(); // nothing waits for it
            pauseOnce(loop);
            order.add("unlocks");
            lock.unlock();
            pauseOnce(loop);
            queue.put("x");
            first.await();
        });
        assertThat(order).containsExactly("unlocks", "got the lock", "took x");
    }

    /** Lets everything run that is ready now. */
    private static void pauseOnce(EventLoop loop) throws Exception {
        for (int i = 0; i < 3; i++) {
            var turn = loop.<String>createFuture();
            loop.callSoon(() -> turn.complete("x"));
            turn.await();
        }
    }

    @Test
    void aStrayPermitDoesNotEndAnAwait(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        loop.runOnce();
        for (int i = 0; i < 5; i++) {
            LockSupport.unpark(task.thread());
            task.unpark();
            loop.runOnce();
        }
        assertThat(task.isDone()).isFalse();
        gate.complete("x");
        assertThat(loop.runUntilComplete(task)).isEqualTo("x");
    }
}
