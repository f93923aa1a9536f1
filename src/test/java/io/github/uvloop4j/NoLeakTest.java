package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that is pinned pins nobody else: no thread of the JVM, and no process. */
@Timeout(180)
class NoLeakTest {
    @ParameterizedTest
    @ValueSource(strings = {"main", "loop"})
    void onlyThePinnedThreadIsPinned(String who) throws Exception {
        var all = Affinity.initial();
        assumeTrue(all.size() > 1, "needs two CPUs");
        var result = new ChildJvm().run(NoLeakMain.class, who, String.valueOf(all.last()), all.toString());
        System.out.println("pinned " + who + ": " + line(result.output(), "after"));
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines())
                .contains(
                        "leaked: {}",
                        "pinned: " + all.last(),
                        "processors: " + processors,
                        "carriers at once: " + processors,
                        "descendants: 4");
        assertThat(line(result.output(), "threads")).contains(startedThreads());
    }

    /** The kernel cuts names at 15 characters. */
    private static List<String> startedThreads() {
        var names = new ArrayList<String>();
        for (var name : List.of("pool-1-thread-1", "pool-2-thread-1", "timer", "uvloop4j-cpu-1", "uvloop4j-log")) {
            names.add(name.substring(0, Math.min(15, name.length())));
        }
        names.add("ForkJoinPool");
        return names;
    }

    private static String line(String output, String start) {
        return output.lines().filter(line -> line.startsWith(start)).findFirst().orElse("");
    }
}
