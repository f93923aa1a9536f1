package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.sync.AsyncQueue;
import io.github.uvloop4j.sync.Semaphore;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a dump says of each task. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TaskDumpTest {
    /** Runs a body as the task "main", and cancels what it leaves. */
    private static void scene(EventLoop loop, TaskBody body) throws Exception {
        loop.run(() -> {
            try {
                body.run();
            } finally {
                var left = new ArrayList<>(loop.tasks());
                left.remove(Task.current());
                left.forEach(Task::cancel);
                Combine.gatherOutcomes(left).await();
            }
        });
    }

    private static TaskInfo find(TaskDump dump, String name) {
        return dump.tasks().stream()
                .filter(task -> task.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + dump));
    }

    private static List<String> names(TaskDump dump) {
        return dump.tasks().stream().map(TaskInfo::name).toList();
    }

    @Test
    @Tag("cells")
    void showsTasksBelowThoseThatSpawnedThem(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var main = Task.current();
            var first = loop.spawn("first", () -> {
                loop.spawn("grandchild", Turns::forever);
                Turns.forever();
            });
            loop.spawn("second", Turns::forever);
            Turns.wait(8);
            var dump = loop.dumpTasks();
            assertThat(names(dump)).containsExactly("main", "first", "grandchild", "second");
            assertThat(dump.tasks().stream().map(TaskInfo::depth)).containsExactly(0, 1, 2, 1);
            assertThat(find(dump, "first").parentId()).isEqualTo(main.id());
            assertThat(find(dump, "grandchild").parentId()).isEqualTo(first.id());
            assertThat(dump.toString()).startsWith("loop uvloop4j: 4 tasks, on thread ");
            assertThat(dump.toString().lines().skip(1).map(line -> line.replaceAll("#\\d+ (\\w+) .*", "$1")))
                    .containsExactly("+- main", "|  +- first", "|  |  +- grandchild", "|  +- second");
        });
    }

    @Test
    void aTaskWhoseParentHasEndedIsARootThatNamesIt(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var parent = loop.spawn("parent", () -> {
                loop.spawn("orphan", Turns::forever);
            });
            parent.await();
            var orphan = find(loop.dumpTasks(), "orphan");
            assertThat(orphan.depth()).isZero();
            assertThat(orphan.isOrphan()).isTrue();
            assertThat(orphan.parentId()).isEqualTo(parent.id());
            assertThat(orphan.toString()).endsWith("(spawned by #" + parent.id() + " parent, which has ended)");
        });
    }

    @Test
    void aTaskOfACallbackHasNoParent(EventLoop loop) throws Exception {
        loop.callSoon(() -> loop.spawn("free", Turns::forever));
        scene(loop, () -> {
            var free = find(loop.dumpTasks(), "free");
            assertThat(free.parentId()).isZero();
            assertThat(free.parentName()).isNull();
            assertThat(free.isOrphan()).isFalse();
        });
    }

    @Test
    @Tag("cells")
    void countsTheRequestsToEnd(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var gate = loop.<String>createFuture();
            var stubborn = loop.spawn("stubborn", () -> Task.shielded(() -> gate.await()));
            loop.spawn("waiting", Turns::forever);
            Turns.wait(8);
            stubborn.cancel();
            stubborn.cancel();
            var dump = loop.dumpTasks();
            assertThat(find(dump, "stubborn").cancelRequests()).isEqualTo(2);
            assertThat(find(dump, "stubborn").toString()).contains(" [waiting, cancelling x2] ");
            assertThat(find(dump, "waiting").toString()).contains(" [waiting] ");
            gate.complete("x");
        });
    }

    @Test
    void aTaskThatHasNotBegunIsNew(EventLoop loop) throws Exception {
        scene(loop, () -> {
            loop.spawn("fresh", () -> {});
            var fresh = find(loop.dumpTasks(), "fresh");
            assertThat(fresh.state()).isEqualTo(TaskInfo.State.NEW);
            assertThat(fresh.stack()).isEmpty();
        });
    }

    @Test
    @Tag("cells")
    void aTaskThatWasWokenIsRunnableAndTheCallerRuns(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var gate = loop.<String>createFuture();
            loop.spawn("woken", () -> gate.await());
            Turns.wait(8);
            gate.complete("x");
            var dump = loop.dumpTasks();
            assertThat(find(dump, "woken").state()).isEqualTo(TaskInfo.State.RUNNABLE);
            assertThat(find(dump, "main").state()).isEqualTo(TaskInfo.State.RUNNING);
        });
    }

    @Test
    @Tag("cells")
    void namesTheTaskAndTheFutureThatIsAwaited(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var future = loop.createFuture();
            var child = loop.spawn("child", () -> future.await());
            loop.spawn("parent", () -> child.await());
            Turns.wait(8);
            var dump = loop.dumpTasks();
            var parent = find(dump, "parent");
            assertThat(parent.waitsFor()).isEqualTo("task #" + child.id() + " child");
            assertThat(parent.waitsForTask()).isEqualTo(child.id());
            assertThat(find(dump, "child").waitsFor()).isEqualTo(future.toString());
            assertThat(find(dump, "child").waitsIn()).isEqualTo("LoopFuture.await");
        });
    }

    private static void atAPlaceOfItsOwn() {
        Task.sleep(Duration.ofHours(1));
    }

    @Test
    @Tag("cells")
    void tellsThePlaceInTheUsersCodeAndTheCall(EventLoop loop) throws Exception {
        scene(loop, () -> {
            loop.spawn("sleeper", TaskDumpTest::atAPlaceOfItsOwn);
            Turns.wait(8);
            var sleeper = find(loop.dumpTasks(), "sleeper");
            assertThat(sleeper.place()).isNotNull();
            assertThat(sleeper.place().getMethodName()).isEqualTo("atAPlaceOfItsOwn");
            assertThat(sleeper.waitsIn()).isEqualTo("Task.sleep");
            assertThat(sleeper.stack()).contains(sleeper.place());
        });
    }

    @Test
    @Tag("carrier")
    void namesTheCallOfTheJdk(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var queue = new LinkedBlockingQueue<String>();
            var taker = loop.spawn("taker", (Callable<String>) queue::take);
            loop.spawn("reader", () -> {
                queue.take();
            });
            Turns.wait(8);
            var reader = find(loop.dumpTasks(), "reader");
            assertThat(reader.waitsIn()).isEqualTo("LinkedBlockingQueue.take");
            assertThat(reader.state()).isEqualTo(TaskInfo.State.WAITING);
            queue.add("x");
            queue.add("y");
            taker.await();
        });
    }

    @Test
    @Tag("cells")
    void namesTheCallOfTheLibrary(EventLoop loop) throws Exception {
        scene(loop, () -> {
            var semaphore = new Semaphore(0);
            var queue = AsyncQueue.<String>fifo();
            loop.spawn("acquiring", () -> {
                semaphore.acquire();
            });
            loop.spawn("getting", () -> {
                queue.get();
            });
            loop.spawn("grouped", () -> TaskGroup.run(group -> group.spawn("leaf", Turns::forever)));
            Turns.wait(8);
            var dump = loop.dumpTasks();
            assertThat(find(dump, "acquiring").waitsIn()).isEqualTo("Semaphore.acquire");
            assertThat(find(dump, "getting").waitsIn()).isEqualTo("AsyncQueue.get");
            assertThat(find(dump, "grouped").waitsIn()).isEqualTo("TaskGroup.run");
        });
    }

    @Test
    void namesTheGroup(EventLoop loop) throws Exception {
        scene(loop, () -> {
            try (var group = TaskGroup.open("crew")) {
                group.spawn("member", Turns::forever);
                Turns.wait(8);
                var member = find(loop.dumpTasks(), "member");
                assertThat(member.group()).isEqualTo("crew");
                assertThat(member.toString()).contains(" of crew ");
                group.cancel();
            }
        });
    }

    @Test
    void keepsOnlySoManyFrames(EventLoop loop) throws Exception {
        scene(loop, () -> {
            loop.spawn("sleeper", TaskDumpTest::atAPlaceOfItsOwn);
            Turns.wait(8);
            var two = find(loop.dumpTasks(2), "sleeper");
            assertThat(two.stack()).hasSize(2);
            assertThat(two.place()).isNotNull();
            var none = find(loop.dumpTasks(0), "sleeper");
            assertThat(none.stack()).isEmpty();
            assertThat(none.place()).isNull();
            assertThat(none.state()).isEqualTo(TaskInfo.State.WAITING);
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loop.dumpTasks(-1))
                .withMessageContaining("frames");
    }

    @Test
    void theTextHasTheStacks(EventLoop loop) throws Exception {
        scene(loop, () -> {
            loop.spawn("sleeper", TaskDumpTest::atAPlaceOfItsOwn);
            Turns.wait(8);
            var dump = loop.dumpTasks();
            assertThat(dump.toText()).contains("at " + find(dump, "sleeper").place());
            assertThat(dump.toText().lines().count())
                    .isGreaterThan(dump.toString().lines().count() + 5);
        });
    }

    @Test
    void aLoopThatRestsIsDumpedToo(EventLoop loop) {
        var task = loop.spawn("later", () -> {});
        var dump = loop.dumpTasks();
        assertThat(dump.loopThread()).isNull();
        assertThat(dump.toString()).startsWith("loop uvloop4j: 1 task, does not run\n");
        assertThat(find(dump, "later").state()).isEqualTo(TaskInfo.State.NEW);
        Turns.some(loop);
        assertThat(task.isDone()).isTrue();
        assertThat(loop.dumpTasks().tasks()).isEmpty();
    }

    @Test
    void tenThousandGenerationsAreNoProblem(EventLoop loop) throws Exception {
        int generations = 10_000;
        scene(loop, () -> {
            var all = new ArrayList<Task<?>>();
            generation(loop, all, generations);
            for (int i = 0; all.size() < generations; i++) {
                Turns.one();
                assertThat(i).isLessThan(2 * generations);
            }
            var dump = loop.dumpTasks(1);
            assertThat(dump.tasks()).hasSize(generations + 1);
            assertThat(dump.tasks().getLast().depth()).isEqualTo(generations);
            assertThat(dump.toString()).contains("(depth " + generations + ") #");
            assertThat(dump.toJson()).hasSizeLessThan(10_000_000);
        });
    }

    private static void generation(EventLoop loop, List<Task<?>> all, int left) {
        if (left > 0) {
            all.add(loop.spawn(() -> {
                generation(loop, all, left - 1);
                Turns.forever();
            }));
        }
    }

    @Test
    void aListOfTheTasksIsInTheOrderOfTheirSpawn(EventLoop loop) throws Exception {
        scene(loop, () -> {
            for (int i = 0; i < 100; i++) {
                loop.spawn("t" + i, Turns::forever);
            }
            var tasks = loop.tasks();
            assertThat(tasks).hasSize(101);
            for (int i = 0; i < 100; i++) {
                assertThat(tasks.get(i + 1).name()).isEqualTo("t" + i);
                assertThat(tasks.get(i + 1).id()).isGreaterThan(tasks.get(i).id());
            }
        });
        assertThat(loop.tasks()).isEmpty();
    }
}
