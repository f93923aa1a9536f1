package io.github.uvloop4j.pool;

/** A connection and its age. */
final class Entry<C> {
    final C connection;
    final long diesAt;
    long idleSince;
    boolean served;

    Entry(C connection, long diesAt) {
        this.connection = connection;
        this.diesAt = diesAt;
    }
}
