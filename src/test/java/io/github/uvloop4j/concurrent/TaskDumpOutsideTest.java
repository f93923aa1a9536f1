package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop that is looked at from another thread while it runs or is stuck, by its dump and by the JDK's. */
@Timeout(60)
class TaskDumpOutsideTest {
    private EventLoop loop;

    @BeforeEach
    void start() {
        loop = EventLoop.create(LoopOptions.defaults().name("seen")).start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static boolean isIn(TaskDump dump, String name, TaskInfo.State state) {
        return dump.tasks().stream()
                .anyMatch(task -> task.name().equals(name) && task.state().equals(state));
    }

    @Test
    @Tag("cells")
    void worksWhileACallbackBlocksTheLoop() throws Exception {
        var held = new CountDownLatch(1);
        try {
            loop.submit(() -> loop.<Object>spawn(
                            "waiting", () -> loop.createFuture().await()))
                    .get();
            Until.holds("it waits", () -> isIn(loop.dumpTasks(), "waiting", TaskInfo.State.WAITING));
            loop.post(() -> {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            // It is in the call a moment before it waits.
            Until.holds("the loop is stuck", () -> {
                var seen = loop.dumpTasks();
                return seen.toText().contains("CountDownLatch.await") && seen.loopThreadState() == Thread.State.WAITING;
            });
            var dump = loop.dumpTasks();
            assertThat(dump.loopThread()).isEqualTo("seen");
            assertThat(isIn(dump, "waiting", TaskInfo.State.WAITING)).isTrue();
        } finally {
            held.countDown();
        }
    }

    @Test
    @Tag("cells")
    void worksWhileATaskRunsWithoutEnd() throws Exception {
        var stop = new AtomicBoolean();
        try {
            loop.post(() -> loop.spawn("spinning", () -> {
                while (!stop.get()) {
                    Thread.onSpinWait();
                }
            }));
            Until.holds("it spins", () -> isIn(loop.dumpTasks(), "spinning", TaskInfo.State.RUNNING));
        } finally {
            stop.set(true);
        }
    }

    @Test
    @Tag("cells")
    void disturbsNoTask() throws Exception {
        int tasks = 50;
        int turns = 400;
        var sum = new AtomicLong();
        var work = loop.submit(() -> TaskGroup.run(group -> {
            for (int i = 0; i < tasks; i++) {
                group.spawn(() -> {
                    for (int k = 0; k < turns; k++) {
                        Turns.one();
                        sum.incrementAndGet();
                    }
                });
            }
        }));
        int dumps = 0;
        while (!work.isDone()) {
            assertThat(loop.dumpTasks().tasks().size()).isLessThanOrEqualTo(tasks + 1);
            dumps++;
        }
        work.get();
        assertThat(sum.get()).isEqualTo((long) tasks * turns);
        assertThat(dumps).isPositive();
    }

    @Test
    void tenThousandTasksAreDumped() throws Exception {
        int tasks = 10_000;
        loop.submit(() -> {
                    for (int i = 0; i < tasks; i++) {
                        loop.spawn(Turns::forever);
                    }
                })
                .get();
        var dump = loop.dumpTasks(3);
        assertThat(dump.tasks()).hasSize(tasks);
        assertThat(dump.toString().lines()).hasSize(tasks + 1);
    }

    @TempDir
    private Path directory;

    private String threadDump(HotSpotDiagnosticMXBean.ThreadDumpFormat format) throws IOException {
        var file = directory.resolve(format + ".txt").toAbsolutePath();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpThreads(file.toString(), format);
        return Files.readString(file);
    }

    @Test
    @Tag("cells")
    void threadDumpsOfTheJdkNameTheTasksAndTheirLoop() throws Exception {
        loop.submit(() -> loop.<Object>spawn(
                        "fetch prices", () -> loop.createFuture().await()))
                .get();
        Until.holds("it waits", () -> isIn(loop.dumpTasks(), "fetch prices", TaskInfo.State.WAITING));
        var json = threadDump(HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        assertThat(json)
                .containsPattern("\"name\": *\"seen\\\\?/fetch prices\"")
                .containsPattern("\"name\": *\"seen\"")
                .contains("TaskDumpOutsideTest.lambda$");
        assertThat(threadDump(HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN))
                .contains("\"seen/fetch prices\" virtual");
    }
}
