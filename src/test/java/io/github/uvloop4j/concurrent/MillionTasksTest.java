package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.ProcessStatus;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million tasks that all wait take less than 2 GiB of the machine, the JVM's own part included. */
@Timeout(120)
class MillionTasksTest {
    private static final int TASKS = 1_000_000;

    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            EventLoop.run(Main::run);
        }

        private static void run(EventLoop loop) throws Exception {
            var first = loop.<String>createFuture();
            var others = loop.<String>createFuture();
            var parked = new int[1];
            var ended = new int[1];
            for (int i = 0; i < TASKS; i++) {
                var gate = i % 1000 == 0 ? first : others;
                loop.spawn(() -> {
                    parked[0]++;
                    gate.await();
                    ended[0]++;
                });
                if (i % 1000 == 999) {
                    Task.sleep(Duration.ZERO);
                }
            }
            Task.sleep(Duration.ZERO);
            System.out.println("parked " + parked[0] + ", live " + (loop.taskCount() - 1));
            first.complete("x");
            while (ended[0] < TASKS / 1000) {
                Task.sleep(Duration.ZERO);
            }
            System.out.println("then live " + (loop.taskCount() - 1));
            System.gc();
            var runtime = Runtime.getRuntime();
            System.out.println("heap " + (runtime.totalMemory() - runtime.freeMemory()) / TASKS + " bytes per task");
            System.out.println("peak " + ProcessStatus.kilobytes("VmHWM") + " kB");
            System.out.flush();
            // To wake and end them all is no part of this.
            Runtime.getRuntime().halt(0);
        }
    }

    @Test
    @Tag("carrier")
    void fitInTwoGibibytes() throws Exception {
        var result = new ChildJvm()
                // Debug mode keeps a stack for each task.
                .flag("-Duvloop4j.debug=false")
                .flag("-XX:+UseSerialGC")
                .flag("-Xmx1650m")
                .flag("-Xmn256m")
                .run(Main.class);
        assertThat(result.output())
                .contains("parked " + TASKS + ", live " + TASKS)
                .contains("then live " + (TASKS - TASKS / 1000));
        var peak = Pattern.compile("peak (\\d+) kB").matcher(result.output());
        assertThat(peak.find()).as(result.output()).isTrue();
        assertThat(Long.parseLong(peak.group(1))).isLessThan(2L << 20);
    }
}
