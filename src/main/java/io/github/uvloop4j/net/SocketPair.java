package io.github.uvloop4j.net;

/**
 * Two Unix sockets that are connected to each other.
 *
 * @param first either
 * @param second the other
 */
public record SocketPair(RawSocket first, RawSocket second) implements AutoCloseable {
    /** Closes both, as far as they were not given away. Loop thread only. */
    @Override
    public void close() {
        try (second) {
            first.close();
        }
    }
}
