package io.github.uvloop4j.cli.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.cli.CliFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class FileSourceTest {
    private static final int CUTS = 60;
    private static final int DAMAGES = 60;

    @TempDir
    static Path directory;

    private static Path whole = Path.of("");
    private static byte[] bytes = {};

    @BeforeAll
    static void record() throws Exception {
        whole = Recordings.record(directory.resolve("whole.jfr"), () -> {
            Recordings.loop("first", 60);
            Recordings.loop("second/third", 60);
            var stall = new FakeEvents.Stall();
            stall.lasted = 100_000_000;
            stall.commit();
            var over = new FakeEvents.StallOver();
            over.lasted = 300_000_000;
            over.commit();
            new FakeEvents.Odd().commit();
            new FakeEvents.Later().commit();
            new FakeEvents.Foreign().commit();
        });
        bytes = Files.readAllBytes(whole);
    }

    private static Observation read(Path file) {
        return FileSource.read(file, _ -> {});
    }

    private static LoopReport loop(Observation seen, String name) {
        return seen.loops().stream()
                .filter(loop -> loop.identity().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readsTheNumbersOfEachLoop() {
        var seen = read(whole);
        var loop = loop(seen, "first");
        var span = loop.whole().orElseThrow();

        assertThat(seen.notes()).isEmpty();
        assertThat(seen.jvm()).contains("25");
        assertThat(loop.closed()).isTrue();
        assertThat(loop.label()).isEqualTo("first");
        assertThat(span.count(Counter.TURNS)).isPositive();
        assertThat(span.count(Counter.TASKS_MADE)).isEqualTo(3);
        assertThat(span.count(Counter.BUSY)).isGreaterThan(60_000_000);
        assertThat(span.max(Distribution.TURNS)).isGreaterThan(60_000_000);
        assertThat(span.histogram(Distribution.TURNS).count()).isEqualTo(span.count(Counter.TURNS));
        assertThat(loop.snapshots()).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
        assertThat(loop.snapshots().getFirst().isBlank()).isTrue();
    }

    @Test
    void readsLongTurnsAndHowTasksEnded() {
        var loop = loop(read(whole), "first");

        assertThat(loop.turns()).anyMatch(turn -> turn.busyNanos() > 60_000_000);
        assertThat(loop.tasks())
                .anyMatch(task -> task.failed() == 1 && task.error().contains("as asked"))
                .anyMatch(task -> task.completed() == 1)
                .anyMatch(task -> task.cancelled() == 1);
    }

    @Test
    void aStallIsGivenItsEnd() {
        assertThat(loop(read(whole), "fake").stalls()).singleElement().satisfies(stall -> {
            assertThat(stall.nanos()).isEqualTo(300_000_000);
            assertThat(stall.over()).isTrue();
            assertThat(stall.frame()).isEqualTo("demo.Server.crunch(Server.java:7)");
            assertThat(stall.stack()).hasSize(2);
        });
    }

    @Test
    void fieldsThatAreSomethingElseReadAsNothing() {
        var seen = read(whole);

        assertThat(seen.loops()).extracting(loop -> loop.identity().id()).contains(78L, 79L);
        var odd = seen.loops().stream()
                .filter(loop -> loop.identity().id() == 78)
                .findFirst()
                .orElseThrow();
        assertThat(odd.last().orElseThrow().isBlank()).isTrue();
        assertThat(odd.last().orElseThrow().histogram(Distribution.TURNS).count())
                .isZero();
    }

    @Test
    void loopsOfTheSameNameHaveTheirNumberInTheLabel() throws Exception {
        var file = Recordings.record(directory.resolve("same.jfr"), () -> {
            Recordings.loop("same", 1);
            Recordings.loop("same", 1);
        });

        assertThat(read(file).loops())
                .extracting(LoopReport::label)
                .hasSize(2)
                .allMatch(label -> label.matches("same #\\d+"));
    }

    @Test
    void samplesBelongToTheLoopOfTheThreadOrTask() throws Exception {
        var file = Recordings.record(directory.resolve("samples.jfr"), () -> {
            Recordings.loop("tasks", 400);
            Recordings.callback("calls", 400);
        });
        var seen = read(file);

        for (var name : List.of("tasks", "calls")) {
            assertThat(loop(seen, name).activity().frames())
                    .anyMatch(share -> share.name().contains("Recordings.compute") && share.share() > 0.5);
        }
        assertThat(seen.unassigned().samples()).isZero();
    }

    @Test
    void whatAThreadDoesOnceItsLoopIsClosedIsNotTheLoops() throws Exception {
        var file = Recordings.record(directory.resolve("after.jfr"), () -> {
            Recordings.here("here", 300);
            Recordings.computeLater(300);
        });
        var frames = loop(read(file), "here").activity().frames();

        assertThat(frames).anyMatch(share -> share.name().endsWith("Recordings.compute"));
        assertThat(frames).noneMatch(share -> share.name().endsWith("Recordings.computeLater"));
    }

    static IntStream cuts() {
        var random = new Random(42);
        var fixed = IntStream.of(1, 3, 4, 8, 67, 68, 69, 100, bytes.length - 1, bytes.length - 100);
        return IntStream.concat(fixed, random.ints(CUTS, 1, bytes.length));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void aCutRecordingIsReadAsFarAsItGoes(int length) throws Exception {
        var file = Recordings.cut(whole, length, directory.resolve("cut.jfr"));

        try {
            var seen = read(file);
            assertThat(seen.notes()).singleElement().asString().startsWith("cut.jfr was cut or damaged");
        } catch (CliFailure failure) {
            assertThat(failure.getMessage()).contains("cut").doesNotContain("\n");
        }
    }

    @Test
    void mostOfARecordingIsThereWhenItsEndIsCut() throws Exception {
        var file = directory.resolve("two.jfr");
        Files.write(file, bytes);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2), java.nio.file.StandardOpenOption.APPEND);

        var seen = read(file);

        assertThat(loop(seen, "first").turns()).isNotEmpty();
        assertThat(seen.notes()).singleElement().asString().contains("events that could be read");
    }

    static Stream<byte[]> damages() {
        var random = new Random(7);
        return Stream.generate(() -> {
                    var damaged = bytes.clone();
                    for (var i = random.nextInt(8); i >= 0; i--) {
                        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                    }
                    return damaged;
                })
                .limit(DAMAGES);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aDamagedRecordingIsReadOrRefused(byte[] damaged) throws Exception {
        var file = Files.write(directory.resolve("damaged.jfr"), damaged);

        try {
            assertThat(read(file).loops()).isNotNull();
        } catch (CliFailure failure) {
            assertThat(failure.getMessage()).contains("damaged");
        }
    }

    @Test
    void whatIsNoRecordingIsRefused() throws Exception {
        var random = new byte[5000];
        new Random(3).nextBytes(random);
        var garbage = Files.write(directory.resolve("garbage.jfr"), random);
        var empty = Files.write(directory.resolve("empty.jfr"), new byte[0]);
        var magic = Files.write(directory.resolve("magic.jfr"), new byte[] {'F', 'L', 'R', 0});

        assertThatThrownBy(() -> read(garbage)).isInstanceOf(CliFailure.class).hasMessageContaining("is no recording");
        assertThatThrownBy(() -> read(empty)).isInstanceOf(CliFailure.class).hasMessageContaining("is empty");
        assertThatThrownBy(() -> read(magic))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("cut at its beginning");
        assertThatThrownBy(() -> read(directory.resolve("none.jfr")))
                .isInstanceOf(CliFailure.class)
                .hasMessageContaining("there is no file");
    }

    @Test
    void aRecordingOfNothingHasNoLoops() throws Exception {
        var file = Recordings.record(directory.resolve("nothing.jfr"), () -> {});

        assertThat(read(file).loops()).isEmpty();
        assertThat(read(file).notes()).isEmpty();
    }
}
