package io.github.uvloop4j.jfr;

import io.github.uvloop4j.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the flight recorder writes in the course of a test. */
final class Recorded implements AutoCloseable {
    private final Recording recording = new Recording();

    private Recorded() {}

    /** Begins to record, with settings like {@code uvloop4j.Turn#enabled=false}. */
    static Recorded with(String... settings) {
        var recorded = new Recorded();
        Map<String, String> all = new TreeMap<>();
        for (var setting : settings) {
            int at = setting.indexOf('=');
            all.put(setting.substring(0, at), setting.substring(at + 1));
        }
        recorded.recording.setSettings(all);
        recorded.recording.start();
        return recorded;
    }

    /** Ends the recording. */
    void stop() {
        recording.stop();
    }

    /** Events of a type, of one loop, in the order of their start. */
    List<RecordedEvent> events(EventLoop loop, String type) throws IOException {
        return all().stream()
                .filter(event -> event.getEventType().getName().equals("uvloop4j." + type))
                .filter(event -> event.getString("loop").equals(loop.options().name()))
                .toList();
    }

    private List<RecordedEvent> all() throws IOException {
        var file = Files.createTempFile("recorded", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .sorted((a, b) -> a.getStartTime().compareTo(b.getStartTime()))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    /** How many events are begun, of all loops. */
    static int pending() {
        return ((JfrObserver) FlightRecording.observers().getFirst()).pending();
    }

    @Override
    public void close() {
        recording.close();
    }
}
