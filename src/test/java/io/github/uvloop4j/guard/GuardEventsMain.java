package io.github.uvloop4j.guard;

import static io.github.uvloop4j.guard.Checks.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What a recording has of a guard, in each mode. */
final class GuardEventsMain {
    private GuardEventsMain() {}

    public static void main(String[] args) throws Exception {
        var file = Files.writeString(Path.of(args[0], "file"), "text");
        for (var mode : GuardMode.values()) {
            check("a callback that blocks is recorded in mode " + mode, () -> inCallback(mode, file));
            check("a task that blocks is recorded in mode " + mode, () -> inTask(mode, file));
        }
        check("what is allowed is not recorded", () -> allowed(file));
        check("one call is recorded once where guards overlap", () -> overlap(file));
    }

    private interface Body {
        void run(EventLoop loop) throws Exception;
    }

    private static List<RecordedEvent> recorded(String name, Body body) throws Exception {
        var recording = new Recording();
        try (recording;
                var loop = EventLoop.create(LoopOptions.defaults().name(name))) {
            recording.start();
            body.run(loop);
            recording.stop();
            return events(recording, name);
        }
    }

    private static List<RecordedEvent> events(Recording recording, String name) throws IOException {
        var file = Files.createTempFile("guard", ".jfr");
        recording.dump(file);
        var all = RecordingFile.readAllEvents(file);
        Files.delete(file);
        return all.stream()
                .filter(event -> event.getEventType().getName().equals("uvloop4j.BlockingCall"))
                .filter(event -> event.getString("loop").equals(name))
                .toList();
    }

    private static void inCallback(GuardMode mode, Path file) throws Exception {
        var events = recorded("callback", loop -> {
            try (var _ = BlockingGuard.forAllLoops(mode)) {
                assertThat(OnLoop.raises(loop, () -> Files.size(file))).isEqualTo(mode == GuardMode.RAISE);
            }
        });
        assertThat(events).singleElement().satisfies(event -> {
            holds(event);
            assertThat(event.getString("taskName")).isNull();
            assertThat(event.getThread("thread").getJavaName()).isEqualTo("main");
        });
    }

    private static void inTask(GuardMode mode, Path file) throws Exception {
        boolean[] rides = new boolean[1];
        var events = recorded("task", loop -> {
            rides[0] = loop.tasksRideOnLoop();
            try (var _ = BlockingGuard.forAllLoops(mode)) {
                loop.run(() -> loop.spawn("reader", () -> OnLoop.raisesHere(() -> Files.size(file)))
                        .await());
            }
        });
        if (!rides[0]) {
            // A task on the baton has a thread of its own, which no guard covers.
            assertThat(events).isEmpty();
            return;
        }
        assertThat(events).singleElement().satisfies(event -> {
            holds(event);
            assertThat(event.getString("taskName")).isEqualTo("reader");
            assertThat(event.getThread("thread").getJavaName()).isEqualTo("main");
        });
    }

    private static void holds(RecordedEvent event) {
        assertThat(event.getString("call")).isEqualTo("java.nio.file.Files.size");
        assertThat(event.getString("caller")).contains("GuardEventsMain").contains("GuardEventsMain.java:");
        assertThat(event.getLong("loopId")).isPositive();
    }

    private static void allowed(Path file) throws Exception {
        var events = recorded("allowed", loop -> {
            try (var _ = BlockingGuard.forAllLoops()) {
                OnLoop.call(loop, () -> Guard.allowing(() -> Files.size(file)));
            }
        });
        assertThat(events).isEmpty();
    }

    private static void overlap(Path file) throws Exception {
        var events = recorded("overlap", loop -> {
            try (var _ = BlockingGuard.forAllLoops(GuardMode.COUNT);
                    var _ = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
                OnLoop.call(loop, () -> Files.size(file));
            }
        });
        assertThat(events).hasSize(1);
    }
}
