package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failure that nobody looks at is told once, wherever it went; one that somebody saw is not told. */
@Timeout(60)
class UnobservedTest {
    private static final String LAST = "the last one";

    private final LinkedBlockingQueue<ExceptionContext> reports = new LinkedBlockingQueue<>();
    private EventLoop loop;

    @BeforeEach
    void start() {
        loop = EventLoop.create();
        loop.exceptionHandler(reports::add);
        loop.start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** Runs a body as a task and waits until so many failures were told; what has been told when one more is. */
    private List<String> toldOf(int expected, TaskBody body) throws Exception {
        loop.submit(body).get();
        var told = new ArrayList<String>();
        while (told.size() < expected) {
            told.add(next());
        }
        loop.submit(() -> {
                    loop.spawn(Turns.failing(LAST));
                })
                .get();
        for (var message = next(); !message.equals(LAST); message = next()) {
            told.add(message);
        }
        return told;
    }

    private String next() throws InterruptedException {
        for (int i = 0; i < 1_000; i++) {
            System.gc();
            var report = reports.poll(10, TimeUnit.MILLISECONDS);
            if (report != null) {
                return String.valueOf(report.exception().getMessage());
            }
        }
        throw new AssertionError("nothing more was told");
    }

    @Test
    @Tag("cells")
    void aChildOfAGroupIsToldByItsGroupOnly() throws Exception {
        assertThat(toldOf(
                        0,
                        () -> assertThatThrownBy(() -> TaskGroup.run(group -> {
                                    group.spawn(Turns.failing("child"));
                                    group.spawn(Turns.failingWhenCancelled("sibling"));
                                }))
                                .isInstanceOf(TaskGroupException.class)))
                .isEmpty();
    }

    @Test
    void aTaskWhoseGroupFailedIsToldOnce() throws Exception {
        var told = toldOf(1, () -> {
            loop.spawn("owner", () -> TaskGroup.run(group -> group.spawn(Turns.failing("child"))));
        });
        assertThat(told).hasSize(1);
    }

    @Test
    @Tag("cells")
    void aFailureThatDroppedStagesPassedOnIsToldOnce() throws Exception {
        assertThat(toldOf(3, () -> {
                    loop.spawn(Turns.failing("mapped")).map(value -> value).map(value -> value);
                    loop.spawn(Turns.failing("taken")).then(value -> {});
                    loop.spawn(() -> 1).compose(value -> loop.spawn(Turns.failing("composed")));
                }))
                .containsExactlyInAnyOrder("mapped", "taken", "composed");
    }

    @Test
    void aFailureThatAStageHandledIsNotTold() throws Exception {
        assertThat(toldOf(0, () -> {
                    loop.spawn(Turns.failing("handled")).handle((value, error) -> 1);
                    loop.spawn(Turns.failing("seen")).whenDone((value, error) -> {});
                }))
                .isEmpty();
    }

    @Test
    void aShieldThatSomebodyAwaitsIsNotTold() throws Exception {
        assertThat(toldOf(0, () -> {
                    var shield = loop.spawn(Turns.failing("shielded")).shield();
                    assertThatThrownBy(shield::await).hasMessage("shielded");
                }))
                .isEmpty();
    }

    @Test
    @Tag("cells")
    void aShieldThatNobodyAwaitsIsToldOnce() throws Exception {
        assertThat(toldOf(1, () -> {
                    var task = loop.spawn(Turns.failing("shielded"));
                    task.shield();
                    task.shield();
                }))
                .containsExactly("shielded");
    }

    @Test
    void aShieldThatIsHeldIsNotToldBefore() throws Exception {
        var held = new CopyOnWriteArrayList<LoopFuture<?>>();
        assertThat(toldOf(
                        0, () -> held.add(loop.spawn(Turns.failing("shielded")).shield())))
                .isEmpty();
        assertThatThrownBy(held.getFirst()::get).hasRootCauseMessage("shielded");
    }

    @Test
    void aSubmittedTaskIsToldOnce() throws Exception {
        assertThat(toldOf(1, () -> {
                    loop.submit(Turns.failing("submitted"));
                    Turns.wait(8);
                }))
                .containsExactly("submitted");
    }

    @Test
    void aGatherThatIsAwaitedIsNotTold() throws Exception {
        assertThat(toldOf(0, () -> {
                    var all = Combine.gather(List.of(
                            loop.spawn(Turns.failing("gathered")),
                            loop.<@org.jspecify.annotations.Nullable Void>createFuture()));
                    assertThatThrownBy(all::await).hasMessage("gathered");
                }))
                .isEmpty();
    }

    @Test
    void aGatherThatNobodyAwaitsIsToldOnce() throws Exception {
        assertThat(toldOf(1, () -> {
                    Combine.gather(List.of(loop.spawn(Turns.failing("gathered"))));
                    Turns.wait(8);
                }))
                .containsExactly("gathered");
    }

    @Test
    @Tag("cells")
    void aTaskThatOnlyItsLoopKnowsIsNotCollected() throws Exception {
        var ended = new LinkedBlockingQueue<String>();
        // What the task awaits is known to nobody but the task itself.
        var gate = loop.<WeakReference<LoopFuture<String>>>submit(() -> {
                    var reference = new CopyOnWriteArrayList<WeakReference<LoopFuture<String>>>();
                    loop.spawn(() -> {
                        var own = loop.<String>createFuture();
                        reference.add(new WeakReference<>(own));
                        ended.add(own.await());
                    });
                    Turns.wait(8);
                    return reference.getFirst();
                })
                .get();
        for (int i = 0; i < 5; i++) {
            System.gc();
        }
        var future = gate.get();
        assertThat(future).isNotNull();
        future.complete("x");
        assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("x");
    }
}
