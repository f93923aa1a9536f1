package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Failures and cancels that cross more than one group. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupNestedTest {
    private final ArrayList<String> order = new ArrayList<>();

    /** The tree of messages of what a group fails with; the calling task stays as it was. */
    private static String failures(ThrowingCallable group) throws Exception {
        var thrown = catchThrowableOfType(TaskGroupException.class, group);
        assertThat(thrown).isNotNull();
        Turns.assertBalanced();
        return tree(thrown);
    }

    private static String tree(Throwable error) {
        return error instanceof TaskGroupException group
                ? group.failures().stream()
                        .map(TaskGroupNestedTest::tree)
                        .toList()
                        .toString()
                : String.valueOf(error.getMessage());
    }

    @Test
    @Tag("cells")
    void anInnerFailureInTheBodyEndsTheOuterGroup(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(outer -> {
                    outer.spawn(() -> {
                        try {
                            Turns.forever();
                        } finally {
                            order.add("outer child ended");
                        }
                    });
                    Turns.wait(2);
                    TaskGroup.run(inner -> inner.spawn(Turns.failing("inner")));
                })))
                .isEqualTo("[[inner]]"));
        assertThat(order).containsExactly("outer child ended");
    }

    @Test
    void anInnerFailureInAChildEndsTheOuterGroup(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(outer -> {
                    outer.spawn(() -> TaskGroup.run(inner -> inner.spawn(Turns.failing("inner"))));
                    Turns.forever();
                })))
                .isEqualTo("[[inner]]"));
    }

    @Test
    void anInnerFailureThatIsCaughtStaysInside(EventLoop loop) throws Exception {
        loop.run(() -> {
            TaskGroup.run(outer -> {
                outer.spawn(() -> {
                    Turns.wait(8);
                    order.add("outer child");
                });
                order.add(failures(() -> TaskGroup.run(inner -> inner.spawn(Turns.failing("inner")))));
            });
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("[inner]", "outer child");
    }

    @Test
    void anOuterFailureCancelsTheInnerGroup(EventLoop loop) throws Exception {
        loop.run(() -> assertThat(failures(() -> TaskGroup.run(outer -> {
                    outer.spawn(() -> {
                        Turns.wait(3);
                        Turns.failing("outer").run();
                    });
                    TaskGroup.run(inner -> inner.spawn(() -> {
                        try {
                            Turns.forever();
                        } catch (CancellationException e) {
                            order.add("inner child cancelled");
                            throw e;
                        }
                    }));
                    order.add("not here");
                })))
                .isEqualTo("[outer]"));
        assertThat(order).containsExactly("inner child cancelled");
    }

    @Test
    @Tag("cells")
    void failuresInBothInOneTurnAllComeOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            var gate = loop.<String>createFuture();
            TaskBody failing = () -> {
                gate.await();
                Turns.failing(Task.current().name()).run();
            };
            assertThat(failures(() -> TaskGroup.run(outer -> {
                        outer.spawn("outer", failing);
                        Turns.later(loop, 3, () -> gate.complete("x"));
                        TaskGroup.run(inner -> inner.spawn("inner", failing));
                    })))
                    .isEqualTo("[outer, [inner]]");
        });
    }

    @Test
    void anOutsideCancelInTheTurnOfAnInnerFailurePassesBoth(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> TaskGroup.run(outer -> TaskGroup.run(inner -> inner.spawn(() -> {
            gate.await();
            Turns.failing("inner").run();
        }))));
        Turns.some(loop);
        gate.complete("x");
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.failureOrNull().getSuppressed())
                .singleElement()
                .satisfies(error -> assertThat(tree(error)).isEqualTo("[inner]"));
    }

    @Test
    void fiftyDeepAFailureComesOutOfAll(EventLoop loop) throws Exception {
        loop.run(() -> {
            var tree = failures(() -> nest(50));
            assertThat(tree).isEqualTo("[".repeat(51) + "deep" + "]".repeat(51));
        });
    }

    private static void nest(int depth) throws Exception {
        TaskGroup.run(group -> {
            group.spawn(depth == 0 ? Turns.failing("deep") : () -> nest(depth - 1));
            Turns.forever();
        });
    }
}
