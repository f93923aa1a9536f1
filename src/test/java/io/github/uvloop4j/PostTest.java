package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The door between threads. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class PostTest {
    @Test
    @Tag("cells")
    void aPostedActionRunsOnTheLoopThread(EventLoop loop) {
        var where = new ArrayList<Thread>();
        Thread.ofPlatform()
                .start(() -> loop.post(() -> {
                    where.add(Thread.currentThread());
                    loop.stop();
                }));
        loop.runForever();
        assertThat(where).containsExactly(Thread.currentThread());
    }

    @Test
    void everyDoorLeadsToTheLoop(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        Thread.ofPlatform()
                .start(() -> {
                    loop.post(() -> order.add("post"));
                    loop.callSoonThreadsafe(() -> order.add("callSoonThreadsafe"));
                    loop.execute(() -> order.add("execute"));
                })
                .join();
        loop.runOnce();
        assertThat(order).containsExactly("post", "callSoonThreadsafe", "execute");
    }

    @Test
    void theLoopThreadAndItsTasksMayPostToo(EventLoop loop) throws Exception {
        var order = new ArrayList<String>();
        loop.run(() -> {
            var done = loop.<String>createFuture();
            loop.post(() -> order.add("from a task"));
            loop.callSoon(() -> loop.post(() -> {
                order.add("from a callback");
                done.complete("x");
            }));
            done.await();
        });
        assertThat(order).containsExactly("from a task", "from a callback");
    }

    @Test
    void anActionPostedByAPostedOneWaitsForTheNextTurn(EventLoop loop) {
        var order = new ArrayList<String>();
        loop.post(() -> {
            order.add("first");
            loop.post(() -> order.add("second"));
        });
        loop.runOnce();
        assertThat(order).containsExactly("first");
        loop.runOnce();
        assertThat(order).containsExactly("first", "second");
    }

    @Test
    void aFailingActionIsReportedAndHarmsNoOther(EventLoop loop, Errors errors) {
        var order = new ArrayList<String>();
        loop.post(() -> {
            throw new IllegalStateException("posted");
        });
        loop.post(() -> order.add("other"));
        loop.runOnce();
        assertThat(order).containsExactly("other");
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).hasMessage("posted"));
    }

    @Test
    void aClosedLoopRefusesEveryPost(EventLoop loop) {
        loop.close();
        assertThatThrownBy(() -> loop.post(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.callSoonThreadsafe(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.submit(() -> 1)).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> loop.runInExecutor(() -> 1)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aMillionPostsOfEightThreadsAllRunInTheOrderOfTheirThreads(EventLoop loop) throws Exception {
        int posters = 8;
        int each = 125_000;
        var next = new int[posters];
        var outOfOrder = new int[1];
        var left = new int[] {posters * each};
        var threads = new ArrayList<Thread>();
        for (int p = 0; p < posters; p++) {
            int poster = p;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    int number = i;
                    loop.post(() -> {
                        if (next[poster]++ != number) {
                            outOfOrder[0]++;
                        }
                        if (--left[0] == 0) {
                            loop.stop();
                        }
                    });
                }
            }));
        }
        loop.runForever();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(next).containsOnly(each);
        assertThat(outOfOrder[0]).isZero();
    }

    /** Each round meets the loop as it is about to block; a wake-up that is lost ends in the test's time limit. */
    @Test
    @Tag("cells")
    void aPostJustBeforeTheLoopBlocksWakesIt(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            var ran = new Semaphore(0);
            for (int i = 0; i < 20_000; i++) {
                loop.post(ran::release);
                ran.acquire();
            }
            for (int i = 0; i < 20_000; i++) {
                loop.post(ran::release);
                while (!ran.tryAcquire()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(ran.availablePermits()).isZero();
        }
    }

    @Test
    void postsAreNotLostWhileTimersComeAndGo(EventLoop loop) throws Exception {
        int count = 4_096;
        var left = new int[] {count};
        var churn = new Runnable[1];
        churn[0] = () -> {
            loop.callLater(Duration.ofSeconds(5), () -> {}).cancel();
            loop.callLater(Duration.ofNanos(50_000), churn[0]);
        };
        loop.callSoon(churn[0]);
        var poster = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < count; i++) {
                loop.callSoonThreadsafe(() -> {
                    if (--left[0] == 0) {
                        churn[0] = () -> {};
                        loop.stop();
                    }
                });
                if (i % 64 == 0) {
                    Thread.yield();
                }
            }
        });
        loop.runForever();
        poster.join();
        assertThat(left[0]).isZero();
    }
}
