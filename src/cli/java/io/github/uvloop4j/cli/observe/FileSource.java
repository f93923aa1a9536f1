package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.cli.CliFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import jdk.jfr.consumer.RecordingFile;

/** Reads a recording, and of one that was cut or damaged what can be read. Any thread. */
public final class FileSource {
    private static final int TELL_EVERY = 1 << 16;
    private static final int LIMIT = 5000;

    private final Path file;
    private Collector collector = new Collector(LIMIT);
    private final LongConsumer progress;
    private long events;

    private FileSource(Path file, LongConsumer progress) {
        this.file = file;
        this.progress = progress;
    }

    /**
     * Reads a recording.
     *
     * @param progress is told now and then how many events were read
     * @throws CliFailure if nothing of it can be read: why
     */
    public static Observation read(Path file, LongConsumer progress) {
        try {
            return new FileSource(file, progress).all();
        } catch (NoSuchFileException _) {
            throw new CliFailure("there is no file " + file);
        } catch (IOException e) {
            throw new CliFailure("cannot read " + file + ": " + e.getMessage());
        }
    }

    private Observation all() throws IOException {
        try (var channel = FileChannel.open(file)) {
            if (channel.size() == 0) {
                throw new CliFailure(file + " is empty: the recorder writes it when its JVM ends, or at JFR.dump");
            }
            if (!Chunks.isRecording(channel)) {
                throw new CliFailure(file + " is no recording of the flight recorder"
                        + (channel.size() < Chunks.HEADER ? ", or it was cut at its beginning" : ""));
            }
            var parts = Chunks.of(channel);
            if (parts.getLast().whole() && read(file)) {
                return collector.observation(file.toString());
            }
            collector = new Collector(LIMIT);
            events = 0;
            for (var part : parts) {
                readPart(channel, part);
            }
        }
        if (events == 0) {
            throw new CliFailure(file + " was cut or damaged so early that nothing of it can be read");
        }
        collector.note(
                file.getFileName() + " was cut or damaged: this is about the " + events + " events that could be read");
        return collector.observation(file.toString());
    }

    private void readPart(FileChannel channel, Chunks.Part part) throws IOException {
        var copy = Chunks.temporary();
        try {
            if (part.whole()) {
                Chunks.copy(channel, part, copy);
                read(copy);
            } else if (Chunks.repair(channel, part, copy)) {
                read(copy);
            }
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    /** Reads all events of a file, as far as it can be read; returns whether that was to its end. */
    private boolean read(Path from) {
        try (var recording = new RecordingFile(from)) {
            while (recording.hasMoreEvents()) {
                collector.accept(recording.readEvent());
                events++;
                if (events % TELL_EVERY == 0) {
                    progress.accept(events);
                }
            }
            return true;
        } catch (IOException | RuntimeException | VirtualMachineError _) {
            // What the parser of the JDK makes of damaged bytes: it checks little.
            return false;
        }
    }
}
