package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One blocking connection with one request in flight: what a worker process runs. */
public final class PingPong implements AutoCloseable {
    private static final long LONGEST_LATENCY = TimeUnit.SECONDS.toNanos(600);

    /** Decryption wants more room than there are bytes. */
    private static final int SLACK = 32 << 10;

    private final Link link;
    private final RequestPattern pattern;
    private final Duration timeout;
    private final Histogram latencies = new Histogram(1, LONGEST_LATENCY, 3);
    private volatile long done;

    private PingPong(Link link, RequestPattern pattern, Duration timeout) {
        this.link = link;
        this.pattern = pattern;
        this.timeout = timeout;
    }

    /**
     * Connects.
     *
     * @param timeout for the connect, and for each request
     */
    public static PingPong connect(Destination destination, int messageSize, int messagesPerRequest, Duration timeout)
            throws IOException {
        var pattern = new RequestPattern(messageSize, messagesPerRequest);
        return new PingPong(destination.connect(timeout), pattern, timeout);
    }

    /**
     * Sends and verifies that many requests.
     *
     * @return the nanoseconds from the first byte out to the last byte in
     * @throws IOException at the end of the stream, a wrong byte, or a request that takes longer than the timeout
     */
    public long exchange(long requests) throws IOException {
        var watchdog = Thread.ofPlatform().daemon().name("echo-timeout").start(this::watch);
        var start = System.nanoTime();
        try {
            pingPong(requests, start);
        } catch (IOException e) {
            throw link.channel().isOpen() ? e : new IOException("no reply for " + timeout.toMillis() + " ms", e);
        } finally {
            watchdog.interrupt();
        }
        return System.nanoTime() - start;
    }

    private void pingPong(long requests, long start) throws IOException {
        var size = pattern.requestSize();
        var outgoing = pattern.view();
        var incoming = ByteBuffer.allocateDirect(size + SLACK);
        var received = MemorySegment.ofBuffer(incoming);
        var sent = start;
        for (var request = 0L; request < requests; request++) {
            pattern.aim(outgoing, 0, size);
            while (outgoing.hasRemaining()) {
                link.write(outgoing);
            }
            incoming.clear();
            while (incoming.position() < size) {
                if (link.read(incoming) < 0) {
                    throw new IOException("closed by the server after " + request + " requests");
                }
            }
            if (incoming.position() > size) {
                throw new IOException("got more bytes than it sent");
            }
            var wrong = pattern.mismatch(received, size, 0);
            if (wrong >= 0) {
                throw new IOException(
                        "wrong byte: " + incoming.get((int) wrong) + " at place " + wrong + " of a reply");
            }
            var now = System.nanoTime();
            latencies.recordValue(Math.min(now - sent, LONGEST_LATENCY));
            sent = now;
            done = request + 1;
        }
    }

    /** Closes the channel under a request that takes too long: a blocking read has no timeout of its own. */
    private void watch() {
        var seen = -1L;
        try {
            while (seen != done) {
                seen = done;
                Thread.sleep(timeout);
            }
            link.close();
        } catch (InterruptedException | IOException _) {
            // Interrupted: the exchange is over.
        }
    }

    /** The round trips, in nanoseconds. */
    public Histogram latencies() {
        return latencies;
    }

    @Override
    public void close() throws IOException {
        link.close();
    }
}
