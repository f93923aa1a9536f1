package io.github.uvloop4j.work;

import static io.github.uvloop4j.work.Decision.INLINE;
import static io.github.uvloop4j.work.Decision.OFFLOAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where calls run, with time that passes only when they say so. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class AdaptiveWorkTest {
    private final FakeClock clock = new FakeClock();

    private interface Body {
        void run(Workers workers) throws Exception;
    }

    /** Runs a body in a task, with workers on the fake clock. */
    private void with(EventLoop loop, Body body) throws Exception {
        loop.run(() -> {
            var context = Objects.requireNonNull(LoopContext.current());
            var workers = new Workers(context, "test", null, clock);
            try {
                body.run(workers);
            } finally {
                workers.close();
            }
        });
    }

    private Thread where(AdaptiveWork work, long micros) throws Exception {
        return work.call(() -> {
            clock.pass(micros);
            return Thread.currentThread();
        });
    }

    private static boolean isCpu(Thread thread) {
        return thread.getName().startsWith("uvloop4j-cpu-");
    }

    @Test
    @Tag("cells")
    void theFirstCallOfAnUnknownKindRunsOnThePool(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.cpuBound());
            var thread = where(work, 1);
            assertThat(thread).matches(AdaptiveWorkTest::isCpu).matches(Thread::isDaemon);
            assertThat(thread.isVirtual()).isFalse();
        });
    }

    @Test
    @Tag("cells")
    void aShortKindComesToTheTaskAndALongOneLeavesIt(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.cpuBound().dwell(Duration.ZERO));
            for (int i = 0; i < 16; i++) {
                assertThat(where(work, 1)).isNotSameAs(Thread.currentThread());
            }
            assertThat(where(work, 1)).isSameAs(Thread.currentThread());
            assertThat(where(work, 5_000)).isSameAs(Thread.currentThread());
            assertThat(where(work, 1)).matches(AdaptiveWorkTest::isCpu);
            assertThat(work.statistics().switches()).isEqualTo(2);
        });
    }

    @Test
    void shortCpuStartsInTheTask(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.shortCpu());
            assertThat(where(work, 1)).isSameAs(Thread.currentThread());
        });
    }

    @Test
    void fixedKindsStayWhateverTheyTake(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var here = workers.adaptive("here", WorkPolicy.inline());
            var there = workers.adaptive("there", WorkPolicy.offloaded());
            for (int i = 0; i < 40; i++) {
                assertThat(where(here, 1_000_000)).isSameAs(Thread.currentThread());
                assertThat(where(there, 0)).matches(AdaptiveWorkTest::isCpu);
            }
        });
    }

    @Test
    void blockingKindsRunOnVirtualThreadsAlways(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.blocking());
            for (int i = 0; i < 40; i++) {
                var thread = where(work, 0);
                assertThat(thread.isVirtual()).isTrue();
                assertThat(thread).isNotSameAs(Thread.currentThread());
                assertThat(thread.getName()).startsWith("test-worker-");
            }
        });
    }

    @Test
    void callsThatTakeTurnsAroundTheThresholdMoveItOnce(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.shortCpu());
            for (int i = 0; i < 2_000; i++) {
                where(work, i % 2 == 0 ? 150 : 290);
            }
            assertThat(work.statistics().switches()).isEqualTo(1);
        });
    }

    @Test
    void theTimeInTheQueueDoesNotCount(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.cpuBound());
            try (var busy = new BusyPool()) {
                var future = work.submit(() -> 1);
                clock.pass(10_000_000);
                busy.free();
                future.await();
            }
            assertThat(work.statistics().longestNanos()).isZero();
        });
    }

    @Test
    void givesValuesAndNull(EventLoop loop) throws Exception {
        with(loop, workers -> {
            for (var policy : new WorkPolicy[] {WorkPolicy.inline(), WorkPolicy.offloaded(), WorkPolicy.blocking()}) {
                var work = workers.adaptive(policy.toString(), policy);
                assertThat(work.call(() -> "x")).isEqualTo("x");
                assertThat(work.<Object>call(() -> null)).isNull();
                assertThat(work.submit(() -> "x").await()).isEqualTo("x");
            }
        });
    }

    @Test
    @Tag("cells")
    void givesWhatACallThrowsItself(EventLoop loop) throws Exception {
        with(loop, workers -> {
            for (var policy : new WorkPolicy[] {WorkPolicy.inline(), WorkPolicy.offloaded(), WorkPolicy.blocking()}) {
                var work = workers.adaptive(policy.toString(), policy);
                for (var error : new Throwable[] {new IOException("a"), new IllegalStateException(), new Error("b")}) {
                    Callable<String> failing = () -> {
                        clock.pass(3);
                        if (error instanceof Exception exception) {
                            throw exception;
                        }
                        throw (Error) error;
                    };
                    assertThatThrownBy(() -> work.call(failing)).isSameAs(error);
                    assertThatThrownBy(() -> work.submit(failing).await()).isSameAs(error);
                }
                assertThat(work.statistics().meanNanos()).isEqualTo(3_000);
            }
        });
    }

    @Test
    void submitRunsAShortCallAtOnce(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.shortCpu());
            var future = work.submit(Thread::currentThread);
            assertThat(future.isDone()).isTrue();
            assertThat(future.result()).isSameAs(Thread.currentThread());
        });
    }

    @Test
    void submitLearnsFromWorkers(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.cpuBound());
            for (int i = 0; i < 16; i++) {
                work.submit(() -> 1).await();
            }
            Turns.next(loop);
            assertThat(work.statistics().decision()).isEqualTo(INLINE);
        });
    }

    @Test
    void submitWorksInACallback(EventLoop loop) throws Exception {
        var policy = WorkPolicy.cpuBound();
        var thread = new CompletableFuture<Thread>();
        loop.callSoon(
                () -> loop.adaptive("x", policy).submit(Thread::currentThread).then(thread::complete));
        loop.runUntilComplete(loop.runInExecutor(thread::get));
        assertThat(thread.join()).matches(AdaptiveWorkTest::isCpu);
    }

    @Test
    void callNeedsATask(EventLoop loop) {
        for (var policy : new WorkPolicy[] {WorkPolicy.inline(), WorkPolicy.offloaded()}) {
            var work = loop.adaptive(policy.toString(), policy);
            assertThatThrownBy(() -> work.call(() -> 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in a task")
                    .hasMessageContaining("submit");
        }
    }

    @Test
    void otherThreadsAreRefused(EventLoop loop) throws Exception {
        var work = loop.adaptive("mine", WorkPolicy.inline());
        var thrown = loop.runUntilComplete(loop.runInExecutor(() -> {
            var list = new ArrayList<Throwable>();
            list.add(org.assertj.core.api.Assertions.catchThrowable(() -> work.call(() -> 1)));
            list.add(org.assertj.core.api.Assertions.catchThrowable(() -> work.submit(() -> 1)));
            list.add(org.assertj.core.api.Assertions.catchThrowable(work::statistics));
            list.add(org.assertj.core.api.Assertions.catchThrowable(() -> work.listener(null)));
            return list;
        }));
        assertThat(thrown).hasSize(4).allSatisfy(error -> assertThat(error).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void aTaskOfAnotherLoopIsRefused(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            var work = other.adaptive("theirs", WorkPolicy.inline());
            loop.run(() -> {
                assertThatThrownBy(() -> work.call(() -> 1)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> work.submit(() -> 1)).isInstanceOf(IllegalStateException.class);
            });
        }
    }

    @Test
    void nullsAreNamed(EventLoop loop) throws Exception {
        assertThatNullPointerException()
                .isThrownBy(() -> loop.adaptive(null, WorkPolicy.inline()))
                .withMessage("kind");
        assertThatNullPointerException()
                .isThrownBy(() -> loop.adaptive("x", null))
                .withMessage("policy");
        loop.run(() -> {
            var work = loop.adaptive("x", WorkPolicy.inline());
            assertThatNullPointerException().isThrownBy(() -> work.call(null)).withMessage("call");
            assertThatNullPointerException().isThrownBy(() -> work.submit(null)).withMessage("call");
        });
    }

    @Test
    void aKindIsMadeOnce(EventLoop loop) {
        var work = loop.adaptive("x", WorkPolicy.inline());
        assertThat(loop.adaptive("x", WorkPolicy.inline())).isSameAs(work);
        assertThat(loop.adaptive("y", WorkPolicy.inline())).isNotSameAs(work);
        assertThat(work.kind()).isEqualTo("x");
        assertThat(work.policy()).isEqualTo(WorkPolicy.inline());
        assertThatThrownBy(() -> loop.adaptive("x", WorkPolicy.blocking()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x")
                .hasMessageContaining("another policy");
    }

    @Test
    void theFiguresAddUp(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("sum", WorkPolicy.cpuBound().dwell(Duration.ZERO));
            for (int i = 0; i < 50; i++) {
                where(work, 2);
            }
            where(work, 900);
            where(work, 900);
            var figures = work.statistics();
            assertThat(figures.kind()).isEqualTo("sum");
            assertThat(figures.callsInline() + figures.callsOffloaded()).isEqualTo(52);
            assertThat(figures.callsOffloaded()).isEqualTo(17);
            assertThat(figures.decision()).isEqualTo(OFFLOAD);
            assertThat(figures.switches()).isEqualTo(2);
            assertThat(figures.longestNanos()).isEqualTo(900_000);
            assertThat(figures.meanNanos()).isEqualTo((50 * 2_000 + 2 * 900_000) / 52);
            assertThat(figures.expectedNanos()).isBetween(200_001L, 900_000L);
            assertThat(figures.queueLength()).isZero();
            assertThat(figures.rejected()).isZero();
            assertThat(work).hasToString("AdaptiveWork " + figures);
        });
    }

    @Test
    void theListenerHearsOfEachChangeOnTheLoop(EventLoop loop) throws Exception {
        var heard = new ArrayList<String>();
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.shortCpu().dwell(Duration.ZERO));
            work.listener((from, to, figures) -> {
                assertThat(loop.inLoop()).isTrue();
                assertThat(loop.currentTask()).isNull();
                heard.add(from + " " + to + " " + figures.switches() + " " + figures.decision());
            });
            where(work, 1_000);
            for (int i = 0; i < 100; i++) {
                where(work, 1);
            }
            work.listener(null);
            where(work, 1_000);
        });
        assertThat(heard).containsExactly("INLINE OFFLOAD 1 OFFLOAD", "OFFLOAD INLINE 2 INLINE");
    }

    @Test
    void whatTheListenerThrowsGoesToTheLoop(EventLoop loop, Errors errors) throws Exception {
        var broken = new IllegalStateException("broken");
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.shortCpu());
            work.listener((from, to, figures) -> {
                throw broken;
            });
            assertThat(where(work, 1_000)).isSameAs(Thread.currentThread());
        });
        loop.runOnce();
        assertThat(errors.take())
                .singleElement()
                .satisfies(error -> assertThat(error.exception()).isSameAs(broken));
    }

    @Test
    void callsInsideCallsRunToo(EventLoop loop) throws Exception {
        with(loop, workers -> {
            var work = workers.adaptive("x", WorkPolicy.inline());
            int result = work.call(() -> {
                clock.pass(5);
                int inner = work.call(() -> {
                    clock.pass(7);
                    return 1;
                });
                return inner + 1;
            });
            assertThat(result).isEqualTo(2);
            assertThat(work.statistics().longestNanos()).isEqualTo(12_000);
            assertThat(work.statistics().callsInline()).isEqualTo(2);
        });
    }
}
