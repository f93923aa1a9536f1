package io.github.uvloop4j.sync;

/** Something a task holds until the end of a try block: {@code try (var _ = lock.hold())}. */
public interface Held extends AutoCloseable {
    /** Gives it back. Loop thread only. */
    @Override
    void close();
}
