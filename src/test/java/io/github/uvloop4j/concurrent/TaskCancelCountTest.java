package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests that are counted, taken back, or come from elsewhere. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskCancelCountTest {
    private final ArrayList<String> order = new ArrayList<>();

    private static void turns(EventLoop loop) {
        for (int i = 0; i < 5; i++) {
            loop.runOnce();
        }
    }

    @Test
    void comesOnceForEachRequest(EventLoop loop) {
        var task = loop.spawn(() -> {
            for (int i = 0; i < 2; i++) {
                try {
                    loop.createFuture().await();
                } catch (CancellationException e) {
                    order.add("cancel " + i);
                }
            }
            order.add("end");
        });
        turns(loop);
        task.cancel();
        turns(loop);
        assertThat(order).containsExactly("cancel 0");
        task.cancel();
        turns(loop);
        assertThat(order).containsExactly("cancel 0", "cancel 1", "end");
        assertThat(task.cancelling()).isEqualTo(2);
        assertThat(task.isCancelled()).isFalse();
    }

    @Test
    void canBeTakenBack(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var second = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            try {
                gate.await();
            } catch (CancellationException e) {
                order.add("left " + Task.current().uncancel());
            }
            return second.await();
        });
        turns(loop);
        task.cancel();
        assertThat(task.cancelling()).isEqualTo(1);
        turns(loop);
        assertThat(task.cancelling()).isZero();
        second.complete("x");
        assertThat(loop.runUntilComplete(task)).isEqualTo("x");
        assertThat(order).containsExactly("left 0");
    }

    @Test
    void canBeTakenBackBeforeItArrives(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            Task.current().cancel();
            Task.current().cancel();
            order.add("left " + Task.current().uncancel());
            order.add("left " + Task.current().uncancel());
            order.add("left " + Task.current().uncancel());
            order.add("flag " + Thread.currentThread().isInterrupted());
            return gate.await();
        });
        turns(loop);
        gate.complete("x");
        assertThat(loop.runUntilComplete(task)).isEqualTo("x");
        assertThat(order).containsExactly("left 1", "left 0", "left 0", "flag false");
    }

    @Test
    void ofADoneTaskDoesNothing(EventLoop loop) throws Exception {
        var task = loop.spawn(() -> "x");
        loop.runUntilComplete(task);
        assertThat(task.cancel()).isFalse();
        assertThat(task.result()).isEqualTo("x");
        assertThat(task.cancelling()).isZero();
    }

    @Test
    void worksFromAnotherThread(EventLoop loop) throws Exception {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> gate.await());
        turns(loop);
        Thread.ofPlatform().start(task::cancel).join();
        assertThatThrownBy(() -> loop.runUntilComplete(task)).isInstanceOf(CancellationException.class);
        assertThat(gate.isCancelled()).isTrue();
    }

    @Test
    void takingBackElsewhereIsRefused(EventLoop loop) throws Exception {
        var thrown = new ArrayList<Throwable>();
        var task = loop.spawn(() -> "x");
        var thread = Thread.ofPlatform()
                .uncaughtExceptionHandler((where, error) -> thrown.add(error))
                .start(task::uncancel);
        thread.join();
        assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
        loop.runUntilComplete(task);
    }

    @Test
    void aCancellationOfTheBodysOwnCancels(EventLoop loop) {
        var mine = new CancellationException("mine");
        Callable<String> body = () -> {
            throw mine;
        };
        var task = loop.spawn(body);
        assertThatThrownBy(() -> loop.runUntilComplete(task)).isSameAs(mine);
        assertThat(task.isCancelled()).isTrue();
    }

    @Test
    void anInterruptNobodyAskedForIsAFailure(EventLoop loop) {
        Callable<String> body = () -> {
            throw new InterruptedException("mine");
        };
        var task = loop.spawn(body);
        assertThatThrownBy(() -> loop.runUntilComplete(task)).isInstanceOf(InterruptedException.class);
        assertThat(task.isCancelled()).isFalse();
    }

    @Test
    void raceOfCancelsAndCompletionsLosesNothing(EventLoop loop) throws Exception {
        int rounds = 3_000;
        var futures = new ArrayList<LoopFuture<Integer>>();
        var tasks = new ArrayList<Task<Integer>>();
        for (int i = 0; i < rounds; i++) {
            var future = loop.<Integer>createFuture();
            futures.add(future);
            tasks.add(loop.spawn(() -> future.await()));
        }
        var go = new CountDownLatch(2);
        var completer = Thread.ofPlatform().start(() -> {
            await(go);
            for (int i = 0; i < rounds; i++) {
                futures.get(i).complete(i);
            }
        });
        var canceller = Thread.ofPlatform().start(() -> {
            await(go);
            tasks.forEach(Task::cancel);
        });
        loop.run(() -> {
            for (var task : tasks) {
                task.handle((value, error) -> 0).await();
            }
        });
        completer.join();
        canceller.join();
        for (int i = 0; i < rounds; i++) {
            var task = tasks.get(i);
            assertThat(task.isDone()).isTrue();
            if (!task.isCancelled()) {
                assertThat(task.result()).isEqualTo(i);
            } else if (!futures.get(i).isCancelled()) {
                assertThat(futures.get(i).result()).isEqualTo(i);
            }
        }
    }

    private static void await(CountDownLatch go) {
        go.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
