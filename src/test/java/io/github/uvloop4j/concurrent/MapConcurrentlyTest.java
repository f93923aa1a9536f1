package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many inputs through few tasks. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class MapConcurrentlyTest {
    private final ArrayList<Object> seen = new ArrayList<>();
    private int running;
    private int most;

    private static Iterable<Integer> numbers(int count) {
        return IntStream.range(0, count)::iterator;
    }

    /** 0, 1, 2 and so on, or what the function throws. */
    private static Iterable<Integer> endless(IntFunction<Integer> inputs) {
        return () -> new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                return inputs.apply(next++);
            }
        };
    }

    private int counted(int input) throws Exception {
        running++;
        most = Math.max(most, running);
        try {
            Turns.wait(1 + input * 7 % 5);
            return input * 10;
        } finally {
            running--;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 50, 1_000, Integer.MAX_VALUE})
    void resultsStandInTheOrderOfTheInputs(int limit, EventLoop loop) throws Exception {
        loop.run(() -> {
            var results = Combine.mapConcurrently(limit, numbers(50), this::counted);
            assertThat(results)
                    .containsExactlyElementsOf(
                            IntStream.range(0, 50).map(i -> i * 10).boxed().toList());
            Turns.assertBalanced();
        });
        assertThat(most).as("at a time").isEqualTo(Math.min(limit, 50));
    }

    @Test
    @Tag("cells")
    void neverMoreThanTheLimit(EventLoop loop) throws Exception {
        loop.run(() -> Combine.forEachConcurrently(3, numbers(200), this::counted));
        assertThat(most).isEqualTo(3);
        assertThat(running).isZero();
    }

    @Test
    void noInputsNoTasks(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThat(Combine.<Integer, Integer>mapConcurrently(3, List.of(), this::counted))
                    .isEmpty();
            Combine.forEachConcurrently(3, List.of(), seen::add);
        });
        assertThat(seen).isEmpty();
    }

    @Test
    void inputsAndResultsMayBeNull(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(Combine.mapConcurrently(2, Arrays.asList("a", null, "c"), input -> {
                    Turns.one();
                    return input;
                }))
                .containsExactly("a", null, "c"));
    }

    @Test
    void aLimitBelowOneIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
                assertThatThrownBy(() -> Combine.mapConcurrently(limit, numbers(1), this::counted))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("limit must be at least 1: " + limit);
            }
        });
    }

    @Test
    void nullIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Combine.<Integer, Integer>mapConcurrently(1, null, this::counted))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("inputs");
            assertThatThrownBy(() -> Combine.forEachConcurrently(1, numbers(1), null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("step");
        });
    }

    @Test
    void outsideATaskItIsRefused(EventLoop loop) {
        assertThatThrownBy(() -> Combine.mapConcurrently(1, numbers(1), this::counted))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mapConcurrently works in a task only");
        assertThatThrownBy(() -> Combine.forEachConcurrently(1, numbers(1), seen::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("forEachConcurrently works in a task only");
    }

    @Test
    @Tag("cells")
    void drawsNoMoreThanItRuns(EventLoop loop) throws Exception {
        var drawn = new ArrayList<Integer>();
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> Combine.forEachConcurrently(
                3,
                endless(i -> {
                    drawn.add(i);
                    return i;
                }),
                input -> {
                    if (input == 1) {
                        throw new IOException("one");
                    }
                    return gate.await();
                }));
        loop.runOnce();
        Turns.some(loop);
        assertThat(drawn).as("the failure came first").hasSizeBetween(3, 4);
        assertThat(task.failureOrNull()).isInstanceOf(TaskGroupException.class).hasRootCauseMessage("one");
    }

    @Test
    void aFailureCancelsTheRest(EventLoop loop) throws Exception {
        loop.run(() -> {
            var failure = catchThrowableOfType(
                    TaskGroupException.class,
                    () -> Combine.mapConcurrently(4, numbers(100), input -> {
                        if (input == 9) {
                            Turns.wait(3);
                            throw new IOException("nine");
                        }
                        try {
                            return counted(input);
                        } catch (CancellationException e) {
                            seen.add("cancelled");
                            throw e;
                        }
                    }));
            assertThat(failure.failures())
                    .singleElement()
                    .satisfies(error -> assertThat(error).hasMessage("nine"));
            assertThat(running).isZero();
            Turns.assertBalanced();
        });
        assertThat(seen).hasSizeBetween(1, 3).containsOnly("cancelled");
    }

    @Test
    void allFailuresComeTogether(EventLoop loop) throws Exception {
        loop.run(() -> {
            var failure = catchThrowableOfType(
                    TaskGroupException.class,
                    () -> Combine.forEachConcurrently(3, List.of("first", "second", "third"), input -> {
                        if (input.equals("first")) {
                            Turns.wait(2);
                            Turns.failing(input).run();
                        }
                        Turns.failingWhenCancelled(input).run();
                        return null;
                    }));
            assertThat(failure.failures())
                    .extracting(Throwable::getMessage)
                    .containsExactly("first", "second", "third");
        });
    }

    @Test
    void anInputThatThrowsEndsTheRest(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Combine.mapConcurrently(
                            2,
                            endless(i -> {
                                if (i == 3) {
                                    throw new IllegalArgumentException("no three");
                                }
                                return i;
                            }),
                            input -> {
                                seen.add(input);
                                if (input == 2) {
                                    Turns.forever();
                                }
                                return counted(input);
                            }))
                    .isInstanceOf(TaskGroupException.class)
                    .hasRootCauseMessage("no three");
            assertThat(running).isZero();
            Turns.assertBalanced();
        });
        assertThat(seen).containsExactly(0, 1, 2);
    }

    @Test
    void anIteratorThatCannotBeHadIsAFailureToo(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> Combine.<Integer, Integer>mapConcurrently(
                        2,
                        () -> {
                            throw new IllegalStateException("no iterator");
                        },
                        this::counted))
                .isInstanceOf(TaskGroupException.class)
                .hasRootCauseMessage("no iterator"));
    }

    @Test
    @Tag("cells")
    void aCancelFromOutsideEndsAllAndPassesThrough(EventLoop loop) throws Exception {
        loop.run(() -> {
            var mapping = loop.spawn(() -> Combine.mapConcurrently(5, endless(i -> i), input -> {
                counted(input);
                if (input > 20) {
                    Turns.forever();
                }
                return input;
            }));
            Turns.wait(50);
            mapping.cancel();
            assertThat(Combine.gatherOutcomes(List.of(mapping))
                            .await()
                            .getFirst()
                            .error())
                    .isInstanceOf(CancellationException.class)
                    .hasNoSuppressedExceptions();
            assertThat(loop.taskCount()).as("only this one").isEqualTo(1);
        });
        assertThat(most).isEqualTo(5);
        assertThat(running).isZero();
    }

    @Test
    void aStepThatIsCancelledAloneLeavesNoHole(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gone = loop.<Integer>createFuture();
            gone.cancel();
            assertThatThrownBy(() -> Combine.mapConcurrently(2, numbers(6), input -> input == 1 ? gone.await() : input))
                    .isInstanceOf(CancellationException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void aTaskThatIsCancelledBeforeItsStepLeavesNoHole(EventLoop loop) throws Exception {
        var inputs = new Iterable<Integer>() {
            @Override
            public Iterator<Integer> iterator() {
                return List.of(0, 1, 2, 3).iterator();
            }
        };
        loop.run(() -> {
            var tasks = new ArrayList<Task<?>>();
            var mapping = loop.spawn(() -> Combine.mapConcurrently(1, inputs, input -> {
                tasks.add(Task.current());
                tasks.getLast().cancel();
                return input;
            }));
            assertThat(Combine.gatherOutcomes(List.of(mapping))
                            .await()
                            .getFirst()
                            .error())
                    .isInstanceOf(CancellationException.class);
            assertThat(tasks).hasSize(1);
        });
    }

    @Test
    void inputsMayBeAwaited(EventLoop loop) throws Exception {
        loop.run(() -> {
            var inputs = new ArrayList<LoopFuture<Integer>>();
            for (int i = 0; i < 40; i++) {
                int value = i;
                inputs.add(loop.spawn(() -> counted(value)));
            }
            var results = Combine.mapConcurrently(4, Combine.asCompleted(inputs), input -> {
                Turns.wait(2);
                return input.result();
            });
            assertThat(results)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, 40).map(i -> i * 10).boxed().toList());
        });
    }

    @Test
    void mapsMayNest(EventLoop loop) throws Exception {
        var rows = loop.run(() -> Combine.mapConcurrently(
                3,
                numbers(9),
                row -> Combine.mapConcurrently(2, numbers(row), this::counted).size()));
        assertThat(rows).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(most).isLessThanOrEqualTo(6);
    }

    @Test
    void aHundredThousandInputs(EventLoop loop) throws Exception {
        var results = loop.run(() -> Combine.mapConcurrently(100, numbers(100_000), input -> input));
        assertThat(results).hasSize(100_000).endsWith(99_999);
    }
}
