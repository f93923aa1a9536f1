package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.IoStatistics;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts what goes through the connections of a loop. Loop thread only, but for the snapshot. */
final class IoCounts {
    private static final int RECEIVED = 0;
    private static final int SENT = 1;
    private static final int OPENED = 2;
    private static final int ACCEPTED = 3;
    private static final int CLOSED = 4;
    private static final int PAUSES = 5;
    private static final VarHandle COUNTERS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counters = new long[6];

    private void add(int counter, long count) {
        COUNTERS.setOpaque(counters, counter, counters[counter] + count);
    }

    private long read(int counter) {
        return (long) COUNTERS.getOpaque(counters, counter);
    }

    void received(int bytes) {
        add(RECEIVED, bytes);
    }

    void sent(long bytes) {
        add(SENT, bytes);
    }

    void opened(boolean accepted) {
        add(OPENED, 1);
        if (accepted) {
            add(ACCEPTED, 1);
        }
    }

    void closed() {
        add(CLOSED, 1);
    }

    void paused() {
        add(PAUSES, 1);
    }

    /** Any thread. */
    IoStatistics snapshot() {
        // The closed ones first: seen from elsewhere, there are never fewer than none open.
        long closed = read(CLOSED);
        long opened = read(OPENED);
        int open = (int) Math.max(0, opened - closed);
        return new IoStatistics(read(RECEIVED), read(SENT), opened, read(ACCEPTED), open, read(PAUSES));
    }
}
