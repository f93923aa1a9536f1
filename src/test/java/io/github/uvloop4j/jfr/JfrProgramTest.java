package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.RecordedMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of which the recorder knows or does not, each in a JVM of its own. */
@Timeout(120)
class JfrProgramTest {
    private static final Path LIBRARY = Path.of(System.getProperty("basedir", ""), "target", "classes");

    @TempDir
    Path directory;

    private static String run(ChildJvm child, String... arguments) throws Exception {
        var result = child.run(RecordedMain.class, arguments);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("the program ends");
        return result.output();
    }

    private static Map<String, List<RecordedEvent>> events(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("uvloop4j."))
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
    }

    private static List<String> tasks(Map<String, List<RecordedEvent>> events) {
        return events.getOrDefault("uvloop4j.Task", List.of()).stream()
                .map(task -> task.getString("name"))
                .sorted()
                .toList();
    }

    private static void checkLate(Map<String, List<RecordedEvent>> events) {
        assertThat(tasks(events)).containsExactly("after", "main");
        assertThat(events.get("uvloop4j.Loop")).hasSizeGreaterThan(3);
        assertThat(events.get("uvloop4j.LoopClosed")).hasSize(1);
        assertThat(events).doesNotContainKeys("uvloop4j.LoopOpened", "uvloop4j.Turn");
    }

    @Test
    @Tag("cells")
    void aRecordingMayBeginInAProgramThatWasStartedWithoutOne() throws Exception {
        var file = directory.resolve("late.jfr");
        var output = run(new ChildJvm().flag("-Xlog:class+load"), file.toString());
        checkLate(events(file));
        var before = output.lines()
                .takeWhile(line -> !line.equals("the recording starts"))
                .toList();
        assertThat(before)
                .anyMatch(line -> line.contains(" io.github.uvloop4j.jfr.JfrObserver "))
                .noneMatch(line -> line.contains(" io.github.uvloop4j.jfr.") && line.contains("Event "))
                .noneMatch(line -> line.contains(" jdk.jfr.internal.MetadataRepository "));
    }

    @Test
    void aProgramMayBeRecordedFromItsStart() throws Exception {
        var file = directory.resolve("whole.jfr");
        run(new ChildJvm().flag("-XX:StartFlightRecording:filename=" + file));
        var events = events(file);
        assertThat(tasks(events)).containsExactly("after", "before", "main", "main");
        assertThat(events).containsKeys("uvloop4j.LoopOpened", "uvloop4j.Loop", "uvloop4j.LoopClosed");
    }

    @Test
    void theLibraryRecordsAsANamedModuleToo() throws Exception {
        var file = directory.resolve("module.jfr");
        var output = run(
                new ChildJvm()
                        .flag("--module-path=" + LIBRARY)
                        .flag("--add-modules=io.github.uvloop4j")
                        .flag("--enable-native-access=io.github.uvloop4j")
                        .flag("--add-opens=java.base/java.lang=io.github.uvloop4j"),
                file.toString());
        assertThat(output).contains("the library is in module io.github.uvloop4j");
        checkLate(events(file));
    }

    @Test
    void aJvmWithoutTheRecorderRunsLoops() throws Exception {
        var output = run(new ChildJvm().flag("--limit-modules=java.base").flag("-Xlog:class+load"));
        assertThat(output)
                .contains(" io.github.uvloop4j.jfr.FlightRecording ")
                .doesNotContain(" jdk.jfr.", " io.github.uvloop4j.jfr.JfrObserver ");
    }

    @Test
    void theRecorderCanBeLeftAlone() throws Exception {
        var output = run(new ChildJvm().flag("-Duvloop4j.jfr=false").flag("-Xlog:class+load"));
        assertThat(output).doesNotContain(" jdk.jfr.", " io.github.uvloop4j.jfr.JfrObserver ");
    }
}
