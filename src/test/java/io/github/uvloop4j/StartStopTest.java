package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stopping a run, and loops with a thread of their own. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class StartStopTest {
    @Test
    void stopLetsRunWhatWasQueuedBefore(EventLoop loop) {
        var order = new ArrayList<String>();
        loop.callSoon(() -> {
            order.add("first");
            loop.callSoon(() -> order.add("queued before"));
            loop.stop();
            loop.callSoon(() -> order.add("same turn"));
            loop.callSoon(() -> loop.callSoon(() -> order.add("turn after")));
        });
        loop.runForever();
        assertThat(order).containsExactly("first", "queued before", "same turn");
    }

    @Test
    void stopBeforeTheRunMakesItASingleTurn(EventLoop loop) {
        var order = new ArrayList<String>();
        loop.callSoon(() -> {
            order.add("first");
            loop.callSoon(() -> order.add("second"));
        });
        loop.stop();
        loop.runForever();
        assertThat(order).containsExactly("first");
    }

    @Test
    void stopWorksFromAnotherThread(EventLoop loop) {
        Thread.ofPlatform().start(loop::stop);
        loop.runForever();
        assertThat(loop.isRunning()).isFalse();
    }

    @Test
    void aSecondStopIsNotKeptForTheNextRun(EventLoop loop) throws Exception {
        loop.callSoon(() -> {
            loop.callSoon(loop::stop);
            loop.stop();
        });
        loop.runForever();
        var order = new ArrayList<Integer>();
        loop.run(() -> {
            for (int i = 0; i < 5; i++) {
                var turn = loop.<String>createFuture();
                loop.callSoon(() -> turn.complete("x"));
                turn.await();
                order.add(i);
            }
        });
        assertThat(order).hasSize(5);
    }

    @Test
    void stopOfAClosedLoopDoesNothing(EventLoop loop) throws Exception {
        loop.close();
        loop.stop();
        Thread.ofPlatform().start(loop::stop).join();
        assertThat(loop.isClosed()).isTrue();
    }

    @Test
    void startRunsItOnAThreadOfItsOwn(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name("mine")).start()) {
            assertThat(loop.isRunning()).isTrue();
            var thread = new CompletableFuture<Thread>();
            loop.post(() -> thread.complete(Thread.currentThread()));
            assertThat(thread.get().getName()).isEqualTo("mine");
            assertThat(thread.get().isVirtual()).isFalse();
            assertThat(loop.inLoop()).isFalse();
        }
    }

    @Test
    void startedLoopsStopAndCloseAgain(EventLoop unused) throws Exception {
        for (int i = 0; i < 100; i++) {
            var loop = EventLoop.create();
            try (loop) {
                loop.start();
                if (i % 2 == 0) {
                    assertThat(loop.submit(() -> 1).get()).isEqualTo(1);
                }
            }
            assertThat(loop.isClosed()).isTrue();
        }
    }

    @Test
    void loopsOfManyThreadsDoNotDisturbEachOther(EventLoop unused) throws Exception {
        var failures = new ArrayList<Throwable>();
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50; i++) {
                    try {
                        EventLoop.run(loop -> {
                            if (EventLoop.current() != loop
                                    || loop.spawn(() -> 1).await() != 1) {
                                throw new AssertionError("wrong loop");
                            }
                        });
                    } catch (Throwable error) {
                        synchronized (failures) {
                            failures.add(error);
                        }
                    }
                }
            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }
}
