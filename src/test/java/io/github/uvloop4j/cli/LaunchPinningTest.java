package io.github.uvloop4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.examples.PinnedEcho;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads of an application that {@code launch} has started are pinned. */
@Timeout(60)
class LaunchPinningTest {
    @Test
    void theLoopsAreAndNoOtherThread() throws Exception {
        var allowed = Affinity.allowed();
        assumeTrue(allowed.size() > 1, "with one CPU every thread is on it");
        try (var launched =
                Launched.application(PinnedEcho.class, List.of("--json", "--cpus", allowed.toString()), "0")) {
            var loops = (List<?>) JsonReader.object(launched.line()).get("loops");
            launched.after("listening on ");
            var pinned = new ArrayList<String>();
            for (var loop : loops) {
                var place = (Map<?, ?>) loop;
                var thread = String.valueOf(((Double) place.get("thread_id")).longValue());
                pinned.add(thread);
                assertThat(mask(launched, thread)).isEqualTo(CpuSet.parse((String) place.get("cpus")));
            }
            assertThat(pinned).hasSize(allowed.size()).doesNotHaveDuplicates();
            Until.holds(
                    "all other threads may use all CPUs",
                    () -> threads(launched).stream()
                            .filter(thread -> !pinned.contains(thread))
                            .allMatch(thread -> mask(launched, thread).containsAll(allowed)));
        }
    }

    private static Path tasks(Launched launched) {
        return Path.of("/proc", String.valueOf(launched.child().pid()), "task");
    }

    private static List<String> threads(Launched launched) {
        try (var entries = Files.list(tasks(launched))) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The CPUs of a thread; all there are for one that has ended. */
    private static CpuSet mask(Launched launched, String thread) {
        try (var lines = Files.lines(tasks(launched).resolve(thread).resolve("status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> CpuSet.parse(line.substring(line.indexOf(':') + 1)))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException | UncheckedIOException ended) {
            return CpuSet.range(0, CpuSet.LIMIT - 1);
        }
    }
}
