package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cancel of the task that owns a group in the turn in which something else happens to the group. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskGroupCancelTurnTest {
    private final ArrayList<String> order = new ArrayList<>();

    private static TaskGroupException suppressed(Task<?> task) {
        assertThat(task.isCancelled()).as("cancelled").isTrue();
        var error = task.failureOrNull();
        assertThat(error).isNotNull();
        assertThat(error.getSuppressed()).singleElement().isInstanceOf(TaskGroupException.class);
        return (TaskGroupException) error.getSuppressed()[0];
    }

    @Test
    @Tag("cells")
    void afterAChildsFailureOfTheSameTurnPasses(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            var owner = Task.current();
            group.spawn(() -> {
                gate.await();
                Turns.failing("child").run();
            });
            loop.spawn(() -> {
                gate.await();
                order.add("failed " + group.failures().size());
                owner.cancel();
            });
            Turns.forever();
        }));
        Turns.some(loop);
        gate.complete("x");
        Turns.some(loop);
        assertThat(suppressed(task).first()).hasMessage("child");
        assertThat(order).containsExactly("failed 1");
    }

    @Test
    void ofTheFailingChildPasses(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            var owner = Task.current();
            group.spawn(() -> {
                Turns.one();
                owner.cancel();
                Turns.failing("child").run();
            });
            group.spawn(Turns.failingWhenCancelled("sibling"));
            Turns.forever();
        }));
        Turns.some(loop);
        Turns.some(loop);
        assertThat(suppressed(task).failures())
                .extracting(Throwable::getMessage)
                .containsExactly("child", "sibling");
    }

    @Test
    void beforeAChildsFailureOfTheSameTurnPasses(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> TaskGroup.run(group -> {
            group.spawn(() -> {
                gate.await();
                Turns.failing("child").run();
            });
        }));
        Turns.some(loop);
        gate.complete("x");
        task.cancel();
        Turns.some(loop);
        assertThat(suppressed(task).first()).hasMessage("child");
    }

    @Test
    void afterTheLastChildsEndLeavesTheValue(EventLoop loop) {
        var gate = loop.<String>createFuture();
        var task = loop.spawn(() -> {
            order.add(TaskGroup.call(group -> {
                group.spawn(() -> gate.await());
                return "value";
            }));
            Turns.one();
            order.add("not here");
        });
        Turns.some(loop);
        // The child resumes and ends in the next turn; the cancel comes before the owner goes on.
        loop.callSoon(() -> loop.callSoon(task::cancel));
        gate.complete("x");
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).containsExactly("value");
    }

    @Test
    void pendingFromBeforeTheGroupIsNotTakenForTheGroupsOwn(EventLoop loop) {
        var task = loop.spawn(() -> {
            Task.current().cancel();
            TaskGroup.run(group -> {
                group.cancel();
                Turns.forever();
            });
            order.add("not here");
            Turns.one();
            order.add("nor here");
        });
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
    }

    @Test
    void beforeTheFirstStepOfTheOwnerStartsNoGroup(EventLoop loop) {
        var task = loop.spawn(() -> TaskGroup.run(group -> order.add("body")));
        task.cancel();
        Turns.some(loop);
        assertThat(task.isCancelled()).isTrue();
        assertThat(order).isEmpty();
    }
}
