package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** One connection of the load: a window of requests in flight, each byte that comes back compared. */
final class LoadConnection {
    private final int number;
    private final Link link;
    private final boolean datagrams;
    private final int largestWrite;
    private final RequestPattern pattern;
    private final ByteBuffer outgoing;
    private final long[] sentAt;
    private final SelectionKey key;
    private int oldest;
    private int outstanding;
    private long unsent;
    private int sendPhase;
    private int receivePhase;

    LoadConnection(int number, LoadSettings settings, RequestPattern pattern, Selector selector) throws IOException {
        this.number = number;
        this.pattern = pattern;
        outgoing = pattern.view();
        sentAt = new long[settings.inFlight()];
        datagrams = settings.destination().datagrams();
        link = settings.destination().connect(settings.timeout());
        link.channel().configureBlocking(false);
        largestWrite = link.largestWrite(pattern.requestSize());
        key = link.channel().register(selector, SelectionKey.OP_READ, this);
    }

    /** Requests sent, wholly or in part, whose replies are not complete. */
    int outstanding() {
        return outstanding;
    }

    /** Starts further requests, as many as the window has room for at most. */
    void send(int requests, long now) throws IOException {
        for (var i = 0; i < requests; i++) {
            var slot = oldest + outstanding;
            sentAt[slot < sentAt.length ? slot : slot - sentAt.length] = now;
            outstanding++;
        }
        var blocked = unsent > 0;
        unsent += (long) requests * pattern.requestSize();
        if (!blocked) {
            flush();
        }
    }

    /** Writes what the socket takes; waits for it to become writable for the rest. */
    void flush() throws IOException {
        var free = link.flush();
        while (free && unsent > 0) {
            pattern.aim(outgoing, sendPhase, Math.min(unsent, largestWrite));
            var asked = outgoing.remaining();
            var written = link.write(outgoing);
            unsent -= written;
            sendPhase = (sendPhase + written) % pattern.requestSize();
            free = written == asked && link.flush();
        }
        var events = free ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (key.interestOps() != events) {
            key.interestOps(events);
        }
    }

    /** Whether the oldest request was sent longer ago than that and has no reply. */
    boolean waitsLonger(long nanos, long now) {
        return outstanding > 0 && now - sentAt[oldest] > nanos;
    }

    /**
     * Reads once and verifies.
     *
     * @return how many requests became complete; {@link #takeCompleted} hands out when they were sent
     * @throws IOException at the end of the stream or a wrong byte
     */
    int receive(ByteBuffer buffer, MemorySegment bytes) throws IOException {
        buffer.clear();
        var length = link.read(buffer);
        if (length < 0) {
            throw new IOException("connection " + number + " was closed by the server");
        }
        if (datagrams && length > 0 && length != pattern.requestSize()) {
            throw new IOException("connection " + number + " got a datagram of " + length + " bytes");
        }
        var wrong = pattern.mismatch(bytes, length, receivePhase);
        if (wrong >= 0) {
            throw new IOException("connection " + number + " got a wrong byte: " + buffer.get((int) wrong)
                    + " at place " + (receivePhase + wrong) % pattern.requestSize() + " of a reply");
        }
        var place = receivePhase + length;
        var completed = place / pattern.requestSize();
        receivePhase = place % pattern.requestSize();
        if (completed > outstanding || (completed == outstanding && receivePhase > 0)) {
            throw new IOException("connection " + number + " got more bytes than it sent");
        }
        return completed;
    }

    /** When the oldest request was sent, which {@link #receive} found complete. */
    long takeCompleted() {
        var at = sentAt[oldest];
        oldest = oldest + 1 == sentAt.length ? 0 : oldest + 1;
        outstanding--;
        return at;
    }

    void close() throws IOException {
        link.close();
    }
}
