package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cancel of the task that owns a group passes through the group, whatever else happens. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupOutsideCancelTest {
    private final ArrayList<String> order = new ArrayList<>();

    private TaskBody noting(String what) {
        return () -> {
            try {
                Turns.forever();
            } catch (CancellationException e) {
                order.add(what + " cancelled");
                throw e;
            }
        };
    }

    private TaskBody cleaningUp(String what, int turns) {
        return () -> {
            try {
                Turns.forever();
            } finally {
                Turns.wait(turns);
                order.add(what + " cleaned up");
            }
        };
    }

    private static TaskGroupException suppressed(Task<?> task) {
        assertThat(task.isCancelled()).as("cancelled").isTrue();
        var error = task.failureOrNull();
        assertThat(error).isNotNull();
        assertThat(error.getSuppressed()).singleElement().isInstanceOf(TaskGroupException.class);
        return (TaskGroupException) error.getSuppressed()[0];
    }

    @Test
    @Tag("cells")
    void inTheBodyPasses(EventLoop loop) {
        var task = loop.spawn(() -> {
            TaskGroup.run(group -> {
                group.spawn(noting("child"));
                noting("body").run();
            });
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.cancelling()).isEqualTo(1);
        assertThat(order).containsExactly("body cancelled", "child cancelled");
    }

    @Test
    @Tag("cells")
    void whileItWaitsForChildrenPasses(EventLoop loop) {
        var task = loop.spawn(() -> {
            TaskGroup.run(group -> group.spawn(noting("child")));
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void inTheJoinPasses(EventLoop loop) {
        var task = loop.spawn(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(noting("child"));
                group.join();
            }
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void beforeTheJoinPasses(EventLoop loop) {
        var task = loop.spawn(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(noting("child"));
                Turns.wait(2);
                Task.current().cancel();
                order.add("before the join");
                group.join();
            }
            order.add("not here");
        });
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("before the join", "child cancelled");
    }

    @Test
    void inTheBodyOfAnOpenGroupPassesThroughClose(EventLoop loop) {
        var task = loop.spawn(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(cleaningUp("child", 3));
                noting("body").run();
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.failureOrNull().getSuppressed()).isEmpty();
        assertThat(order).containsExactly("body cancelled", "child cleaned up");
    }

    @Test
    void waitsForTheChildrensCleanUp(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> TaskGroup.run(group -> group.spawn(() -> {
            try {
                Turns.forever();
            } finally {
                order.add(gate.await());
            }
        })));
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isDone()).as("the child cleans up").isFalse();
        gate.complete("clean");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("clean");
    }

    @Test
    void bringsFailuresAlong(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            group.spawn(Turns.failingWhenCancelled("a"));
            group.spawn(Turns.failingWhenCancelled("b"));
        }));
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(suppressed(task).failures())
                .extracting(Throwable::getMessage)
                .containsExactly("a", "b");
    }

    @Test
    void whileAFailureCancelsTheSiblingsPasses(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            group.spawn(cleaningUp("sibling", 10));
            group.spawn(() -> {
                Turns.one();
                Turns.failing("child").run();
            });
        }));
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        Turns.some(loop);
        assertThat(suppressed(task).first()).hasMessage("child");
        assertThat(order).as("the second cancel does not disturb").containsExactly("sibling cleaned up");
    }

    @Test
    void twicePassesOnceAndDoesNotDisturbTheCleanUp(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> group.spawn(cleaningUp("child", 12))));
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(task.cancelling()).isEqualTo(2);
        assertThat(order).containsExactly("child cleaned up");
    }

    @Test
    void afterTheBodysValuePasses(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.call(group -> {
            group.spawn(noting("child"));
            Turns.wait(2);
            Task.current().cancel();
            return "value";
        }));
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("child cancelled");
    }

    @Test
    void thatDropsAResourceIsReported(EventLoop loop, LoopExtension.Errors errors) {
        AutoCloseable resource = () -> order.add("closed");
        var task = loop.spawn(() -> TaskGroup.call(group -> {
            group.spawn(noting("child"));
            return resource;
        }));
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(errors.take())
                .singleElement()
                .satisfies(report -> assertThat(report.message()).contains("which nobody will close"));
    }

    @Test
    void meanwhileHeldByCloseArrivesAtTheNextAwait(EventLoop loop) {
        var task = loop.spawn(() -> {
            try (var group = TaskGroup.open()) {
                group.spawn(cleaningUp("child", 12));
                Turns.wait(2);
                group.cancel();
            }
            order.add("closed");
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("child cleaned up", "closed");
    }

    @Test
    void ofAClosingLoopLetsChildrenCleanUpUndisturbed(EventLoop loop) {
        int groups = 30;
        for (int i = 0; i < groups; i++) {
            loop.spawn(() -> TaskGroup.run(group -> {
                group.spawn(cleaningUp("a", 6));
                group.spawn(cleaningUp("b", 3));
            }));
        }
        Turns.some(loop);
        loop.close();
        assertThat(order).hasSize(2 * groups);
    }

    @Test
    void inTheCleanUpAGroupWorksAsEver(EventLoop loop) {
        var task = loop.spawn(() -> {
            try {
                Turns.forever();
            } finally {
                TaskGroup.run(group -> {
                    group.spawn(() -> {
                        Turns.wait(3);
                        order.add("saved");
                    });
                });
                try {
                    TaskGroup.run(group -> {
                        group.spawn(Turns.failing("child"));
                        Turns.forever();
                    });
                } catch (TaskGroupException e) {
                    order.add(e.first().getMessage());
                }
                order.add("open " + Task.current().cancelling());
            }
        });
        Turns.some(loop);
        task.cancel();
        Turns.some(loop);
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("saved", "child", "open 1");
    }
}
