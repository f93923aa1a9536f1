package io.github.uvloop4j.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A named pipe, whose readers hang in open until there is a writer. */
public final class Fifo implements AutoCloseable {
    private final Path directory;
    private final Path path;

    /** One in a directory of its own. */
    public Fifo() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("uvloop4j-fifo");
        path = directory.resolve("fifo");
        int status = new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
        if (status != 0) {
            throw new IOException("mkfifo ended with " + status);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** A writer, with whom readers that hang in open go on, and read. */
    public FileChannel writer() throws IOException {
        // To open it for both never hangs.
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Has those who hang in open or read go on, to the end of the file. */
    public void release() {
        try {
            writer().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
        Files.deleteIfExists(directory);
    }
}
