package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a cancel of a joined future does, and what none of them leaves behind. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class CombineCancelTest {
    enum Kind {
        GATHER(Combine::gather),
        OUTCOMES(Combine::gatherOutcomes),
        FIRST_COMPLETED(Combine::firstCompleted),
        FIRST_SUCCESSFUL(Combine::firstSuccessful);

        final Function<List<LoopFuture<String>>, LoopFuture<?>> join;

        Kind(Function<List<LoopFuture<String>>, LoopFuture<?>> join) {
            this.join = join;
        }
    }

    private final ArrayList<String> order = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void reachesAll(Kind kind, EventLoop loop) {
        var one = loop.<String>createFuture();
        var two = loop.<String>createFuture();
        var joined = kind.join.apply(List.of(one, two));
        assertThat(joined.cancel()).isTrue();
        assertThat(one.isCancelled()).isTrue();
        assertThat(two.isCancelled()).isTrue();
        assertThat(joined.isCancelled()).as("all have ended").isTrue();
        assertThat(joined.cancel()).as("again").isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("cells")
    void waitsForTasksThatCleanUp(Kind kind, EventLoop loop) throws Exception {
        loop.run(() -> {
            var sources = new ArrayList<LoopFuture<String>>();
            for (var name : List.of("one", "two")) {
                sources.add(loop.spawn(() -> {
                    try {
                        Turns.forever();
                    } finally {
                        Turns.wait(3);
                        order.add(name);
                    }
                    return name;
                }));
            }
            var waiting = loop.spawn(() -> {
                try {
                    kind.join.apply(sources).await();
                } finally {
                    order.add("waiting");
                }
            });
            Turns.wait(3);
            waiting.cancel();
            assertThat(Combine.gatherOutcomes(List.of(waiting))
                            .await()
                            .getFirst()
                            .error())
                    .isInstanceOf(CancellationException.class);
        });
        assertThat(order).containsExactly("one", "two", "waiting");
    }

    @ParameterizedTest
    @EnumSource
    void isNotSwallowedByASource(Kind kind, EventLoop loop) throws Exception {
        loop.run(() -> {
            var swallowing = loop.spawn(() -> {
                try {
                    Turns.forever();
                } catch (CancellationException swallowed) {
                    Task.current().uncancel();
                }
                return "value";
            });
            Turns.wait(2);
            var joined = kind.join.apply(List.of(swallowing));
            joined.cancel();
            assertThat(Combine.gatherOutcomes(List.of(swallowing))
                            .await()
                            .getFirst()
                            .value())
                    .isEqualTo("value");
            Turns.wait(2);
            assertThat(joined.isCancelled()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void comesTooLateWhenAllHaveEnded(Kind kind, EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var joined = kind.join.apply(List.of(one));
        one.complete("one");
        assertThat(joined.cancel()).isFalse();
        Turns.some(loop);
        assertThat(joined.isCancelled()).isFalse();
        assertThat(joined.failureOrNull()).isNull();
    }

    @Test
    void aResultThatCameFirstIsNotLost(EventLoop loop) throws Exception {
        var one = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            order.addAll(Combine.gather(List.of(one)).await());
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        one.complete("one");
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("one");
    }

    @Test
    void aSecondCancelReachesWhatIsLeft(EventLoop loop) throws Exception {
        loop.run(() -> {
            var stubborn = loop.spawn(() -> {
                for (int i = 0; i < 2; i++) {
                    try {
                        Turns.forever();
                    } catch (CancellationException e) {
                        order.add("cancelled");
                    }
                }
                Turns.forever();
            });
            Turns.wait(2);
            var all = Combine.gather(List.of(stubborn));
            for (int i = 0; i < 3; i++) {
                assertThat(all.cancel()).isTrue();
                Turns.wait(3);
            }
            assertThat(all.isCancelled()).isTrue();
        });
        assertThat(order).containsExactly("cancelled", "cancelled");
    }

    @Test
    void goesDownTenThousandNestedTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            var outermost = loop.spawn(() -> nested(loop, 10_000));
            while (loop.taskCount() < 10_002) {
                Turns.one();
            }
            Turns.wait(2);
            outermost.cancel();
            assertThat(Combine.gatherOutcomes(List.of(outermost))
                            .await()
                            .getFirst()
                            .error())
                    .isInstanceOf(CancellationException.class);
            assertThat(loop.taskCount()).isEqualTo(1);
        });
    }

    private static void nested(EventLoop loop, int depth) throws Exception {
        if (depth == 0) {
            Turns.forever();
        }
        Combine.gather(List.of(loop.spawn(() -> nested(loop, depth - 1)))).await();
    }

    @Test
    void goesDownALongChain(EventLoop loop) {
        var first = loop.<String>createFuture();
        LoopFuture<?> chain = first;
        for (int i = 0; i < 10_000; i++) {
            chain = Combine.firstCompleted(List.of(chain));
        }
        assertThat(chain.cancel()).isTrue();
        var last = chain;
        Until.holds("the cancel has come through", () -> {
            for (int i = 0; i < 100; i++) {
                loop.runOnce();
            }
            return last.isDone();
        });
        assertThat(first.isCancelled()).isTrue();
        assertThat(chain.isCancelled()).isTrue();
    }

    @Test
    void aFailureDuringTheCancelIsReported(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            var joined = Combine.gather(List.of(loop.spawn(Turns.failingWhenCancelled("clean-up"))));
            Turns.wait(3);
            joined.cancel();
            Turns.wait(5);
            assertThat(joined.isCancelled()).isTrue();
        });
        assertReported(loop, errors, "clean-up");
    }

    @Test
    void aFailureThatNobodyAskedForIsReported(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            Combine.gather(List.of(loop.spawn(Turns.failing("dropped"))));
            Turns.wait(5);
        });
        assertReported(loop, errors, "dropped");
    }

    @Test
    void aFailureAfterTheFirstIsReportedUnlessAskedFor(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            var first = loop.spawn(Turns.failing("first"));
            var later = loop.spawn(() -> {
                Turns.wait(5);
                throw new IOException("later");
            });
            assertThat(org.assertj.core.api.Assertions.catchThrowable(Combine.gather(List.of(first, later))::await))
                    .hasMessage("first");
            Turns.wait(10);
        });
        assertReported(loop, errors, "later");
    }

    private static void assertReported(EventLoop loop, LoopExtension.Errors errors, String message) {
        var seen = new ArrayList<String>();
        Until.holds("one report", () -> {
            System.gc();
            loop.runOnce();
            errors.take().forEach(error -> seen.add(error.exception().getMessage()));
            return !seen.isEmpty();
        });
        assertThat(seen).containsExactly(message);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIRST_COMPLETED", "FIRST_SUCCESSFUL", "GATHER"})
    void nothingStaysAtAFutureThatGoesOn(Kind kind, EventLoop loop) throws Exception {
        var endless = loop.<String>createFuture();
        loop.run(() -> {
            var dropped = new ArrayList<WeakReference<?>>();
            for (int i = 0; i < 100; i++) {
                var failing = kind == Kind.GATHER;
                var quick = loop.<String>createFuture();
                loop.callSoon(() -> end(quick, failing));
                var joined = kind.join.apply(List.of(endless, quick));
                dropped.add(new WeakReference<>(joined));
                Combine.gatherOutcomes(List.of(joined)).await();
            }
            assertThat(callbacks(endless)).isNull();
            Until.holds("the joined futures are gone", () -> {
                System.gc();
                return dropped.stream().filter(each -> each.get() != null).count() <= 1;
            });
        });
    }

    private static Object callbacks(LoopFuture<?> future) throws ReflectiveOperationException {
        var own = LoopFuture.class.getDeclaredField("own");
        own.setAccessible(true);
        return own.get(future);
    }

    private static void end(LoopFuture<String> future, boolean failing) {
        if (failing) {
            future.completeExceptionally(new IOException("quick"));
        } else {
            future.complete("quick");
        }
    }

    @Test
    void noticesOfManyWatchersLeaveInAnyOrder(EventLoop loop) throws Exception {
        var endless = loop.<String>createFuture();
        var quick = new ArrayList<LoopFuture<String>>();
        var joined = new ArrayList<LoopFuture<?>>();
        for (int i = 0; i < 10; i++) {
            quick.add(loop.createFuture());
            joined.add(Combine.firstCompleted(List.of(endless, quick.get(i))));
        }
        for (int i : List.of(3, 9, 0, 1, 8, 2, 7, 4, 6)) {
            quick.get(i).complete("x");
            Turns.some(loop);
        }
        assertThat(joined.stream().filter(LoopFuture::isDone)).hasSize(9);
        endless.complete("end");
        Turns.some(loop);
        assertThat(joined.get(5).result()).isSameAs(endless);
    }
}
