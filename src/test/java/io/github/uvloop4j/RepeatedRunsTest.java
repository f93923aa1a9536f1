package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.concurrent.TaskLocal;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.ProcessStatus;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that runs a loop again and again keeps nothing of those that are over. */
@Timeout(120)
class RepeatedRunsTest {
    private static final int STEPS = 10;
    private static final int RUNS_PER_STEP = 100;
    private static final Pattern LINE = Pattern.compile(
            "step (\\d+): heap (\\d+) kB, descriptors (\\d+), threads (\\d+), rss (\\d+) kB, kept (\\d+)");

    static final class Main {
        private static final TaskLocal<byte[]> LOCAL = TaskLocal.of("local", new byte[0]);
        private static final ScopedValue<byte[]> SCOPED = ScopedValue.newInstance();

        private final List<WeakReference<Object>> gone = new ArrayList<>();

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            var main = new Main();
            for (int step = 1; step <= STEPS; step++) {
                for (int run = 0; run < RUNS_PER_STEP; run++) {
                    main.runOnce();
                }
                int kept = main.kept();
                var runtime = Runtime.getRuntime();
                System.out.println("step " + step + ": heap "
                        + (runtime.totalMemory() - runtime.freeMemory()) / 1024 + " kB, descriptors "
                        + Descriptors.now().open().size() + ", threads "
                        + ManagementFactory.getThreadMXBean().getThreadCount() + ", rss "
                        + ProcessStatus.kilobytes("VmRSS") + " kB, kept " + kept);
            }
        }

        /** How much of the last runs is still there after collecting garbage. */
        private int kept() throws InterruptedException {
            for (int i = 0; i < 50; i++) {
                System.gc();
                gone.removeIf(reference -> reference.refersTo(null));
                if (gone.isEmpty()) {
                    return 0;
                }
                Thread.sleep(10);
            }
            int kept = gone.size();
            gone.clear();
            return kept;
        }

        private <T> T watched(T object) {
            gone.add(new WeakReference<>(object));
            return object;
        }

        private void runOnce() throws Exception {
            EventLoop.run(loop -> work(watched(loop)));
            var fat = watched(new byte[32 * 1024]);
            ScopedValue.where(SCOPED, fat).call(() -> {
                try (var loop = watched(EventLoop.create(LoopOptions.defaults().propagate(SCOPED)))) {
                    loop.callLater(Duration.ofHours(1), () -> SCOPED.get());
                    loop.run(() -> {
                        work(loop);
                        loop.spawn(() -> watched(SCOPED.get())).await();
                    });
                }
                return null;
            });
        }

        private void work(EventLoop loop) throws Exception {
            LOCAL.set(watched(new byte[32 * 1024]));
            loop.callLater(Duration.ofHours(1), () -> LOCAL.get());
            watched(loop.spawn(() -> loop.createFuture().await()));
            watched(loop.runInExecutor(() -> LOCAL.get().length)).await();
            loop.createFuture().whenDone((value, error) -> LOCAL.get());
            TaskGroup.run(group -> {
                watched(group);
                group.spawn(() -> watched(Thread.currentThread()).isAlive());
                group.spawn(() -> LOCAL.set(watched(new byte[1024])));
            });
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var client = loop.net().openConnection("127.0.0.1", listener.port());
                    var server = watched(listener.accept())) {
                client.write("hello\n");
                if (!"hello".equals(server.readLine())) {
                    throw new AssertionError("another line");
                }
            }
        }
    }

    private static long of(MatchResult line, int group) {
        return Long.parseLong(line.group(group));
    }

    @Test
    @Tag("cells")
    void leaveNothingBehind() throws Exception {
        var result = new ChildJvm().flag("-XX:+UseSerialGC").flag("-Xmx64m").run(Main.class);
        var lines = LINE.matcher(result.output()).results().toList();
        assertThat(lines).as(result.output()).hasSize(STEPS);
        var early = lines.get(2);
        var last = lines.getLast();
        assertThat(lines)
                .as("loops, tasks and values that are still there\n" + result.output())
                .allMatch(line -> of(line, 6) == 0);
        assertThat(of(last, 2)).as("heap\n" + result.output()).isLessThan(of(early, 2) + 1024);
        assertThat(of(last, 3)).as("descriptors\n" + result.output()).isLessThanOrEqualTo(of(early, 3));
        assertThat(of(last, 4)).as("threads\n" + result.output()).isLessThanOrEqualTo(of(early, 4) + 2);
        assertThat(of(last, 5)).as("memory\n" + result.output()).isLessThan(of(early, 5) + 64 * 1024);
        assertThat(result.exitCode()).isZero();
    }
}
