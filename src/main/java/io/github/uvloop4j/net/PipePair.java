package io.github.uvloop4j.net;

/**
 * The two ends of a pipe.
 *
 * @param reader the end to read
 * @param writer the end to write
 */
public record PipePair(RawPipe reader, RawPipe writer) implements AutoCloseable {
    /** Closes both ends, as far as they were not given away. Loop thread only. */
    @Override
    public void close() {
        try (writer) {
            reader.close();
        }
    }
}
