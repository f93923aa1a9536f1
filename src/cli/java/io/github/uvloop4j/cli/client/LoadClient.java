package io.github.uvloop4j.cli.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One thread that keeps many connections busy. Nothing is allocated for a message. Any connection that fails makes the
 * whole run fail, and so does a datagram that is lost; only verified replies count.
 */
public final class LoadClient {
    private static final int RECEIVE_SIZE = 256 << 10;
    private static final long LONGEST_LATENCY = TimeUnit.SECONDS.toNanos(600);
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOSSES_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int SELECT_MILLIS = 200;

    /** Called on the loading thread around the measurement, to sample what it likes. */
    public interface Observer {
        /** The measurement begins. */
        void started() throws IOException;

        /** The measurement is over; replies that still come do not count. */
        void ended() throws IOException;

        /** Does nothing. */
        Observer NONE = new Observer() {
            @Override
            public void started() {}

            @Override
            public void ended() {}
        };
    }

    private enum Phase {
        WARMING,
        MEASURING,
        DRAINING
    }

    private final LoadSettings settings;
    private final Observer observer;
    private final ByteBuffer receiveBuffer = ByteBuffer.allocateDirect(RECEIVE_SIZE);
    private final MemorySegment received = MemorySegment.ofBuffer(receiveBuffer);
    private final Histogram latencies = new Histogram(1, LONGEST_LATENCY, 3);
    private final List<LoadConnection> connections = new ArrayList<>();

    private Phase phase = Phase.WARMING;
    private long replies;
    private long allReplies;
    private long budget = Long.MAX_VALUE;
    private long startedAt;
    private long endedAt;
    private long deadline = Long.MAX_VALUE;
    private long firstReplyEpochMicros;
    private long lossesAt;

    private LoadClient(LoadSettings settings, Observer observer) {
        this.settings = settings;
        this.observer = observer;
    }

    /**
     * Runs a load on the calling thread.
     *
     * @throws IOException if a connection is refused, closed, silent for too long or brings a wrong byte; the message
     *     is one line to show
     */
    public static LoadResult run(LoadSettings settings, Observer observer) throws IOException {
        return new LoadClient(settings, observer).run();
    }

    private LoadResult run() throws IOException {
        try (var selector = Selector.open()) {
            try {
                var pattern = new RequestPattern(settings.messageSize(), settings.messagesPerRequest());
                for (var number = 0; number < settings.connections(); number++) {
                    connections.add(new LoadConnection(number, settings, pattern, selector));
                }
                exchange(selector);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } finally {
                for (var connection : connections) {
                    connection.close();
                }
            }
        }
        var messages = replies * settings.messagesPerRequest();
        return new LoadResult(messages, endedAt - startedAt, firstReplyEpochMicros, latencies);
    }

    private void exchange(Selector selector) throws IOException {
        if (settings.warmupMessages() == 0) {
            startMeasuring();
        }
        var begin = System.nanoTime();
        for (var connection : connections) {
            connection.send(take(settings.inFlight()), begin);
        }
        lossesAt = begin;
        var progressAt = begin;
        var progress = 0L;
        while (phase != Phase.DRAINING || outstanding() > 0) {
            selector.select(this::ready, SELECT_MILLIS);
            var now = System.nanoTime();
            if (allReplies != progress) {
                progress = allReplies;
                progressAt = now;
            } else if (now - progressAt > settings.timeout().toNanos()) {
                throw new IOException("no reply for " + settings.timeout().toMillis() + " ms");
            }
            advance(now);
            if (settings.destination().datagrams() && now - lossesAt > LOSSES_NANOS) {
                lossesAt = now;
                failIfLost(settings.timeout().toNanos(), now);
            }
            if (phase == Phase.DRAINING && now - endedAt > DRAIN_NANOS) {
                if (settings.destination().datagrams()) {
                    failIfLost(0, now);
                }
                return;
            }
        }
    }

    /** Others go on when a datagram is lost: only its own connection waits for it, and forever. */
    private void failIfLost(long patience, long now) throws IOException {
        var lost = 0;
        for (var connection : connections) {
            lost += connection.waitsLonger(patience, now) ? connection.outstanding() : 0;
        }
        if (lost > 0) {
            throw new IOException("datagrams lost: " + lost
                    + "; sockets' receive buffers may not have held all that were in" + " flight at once");
        }
    }

    private void advance(long now) throws IOException {
        if (phase == Phase.WARMING && allReplies * settings.messagesPerRequest() >= settings.warmupMessages()) {
            startMeasuring();
        } else if (phase == Phase.MEASURING && (now >= deadline || isComplete())) {
            endedAt = now;
            phase = Phase.DRAINING;
            budget = 0;
            observer.ended();
        }
    }

    private boolean isComplete() {
        return settings.duration().isZero() && replies >= target();
    }

    private long target() {
        return Math.max(1, settings.messages() / settings.messagesPerRequest());
    }

    private void startMeasuring() throws IOException {
        phase = Phase.MEASURING;
        observer.started();
        startedAt = System.nanoTime();
        if (settings.duration().isZero()) {
            budget = Math.max(0, target() - outstanding());
        } else {
            deadline = startedAt + settings.duration().toNanos();
        }
    }

    private long outstanding() {
        var sum = 0L;
        for (var i = 0; i < connections.size(); i++) {
            sum += connections.get(i).outstanding();
        }
        return sum;
    }

    private int take(int requests) {
        var taken = (int) Math.min(requests, budget);
        budget -= taken;
        return taken;
    }

    private void ready(SelectionKey key) {
        var connection = (LoadConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.flush();
            }
            if (key.isReadable()) {
                receive(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receive(LoadConnection connection) throws IOException {
        var completed = connection.receive(receiveBuffer, received);
        if (completed == 0) {
            return;
        }
        var now = System.nanoTime();
        if (allReplies == 0) {
            firstReplyEpochMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        }
        allReplies += completed;
        for (var i = 0; i < completed; i++) {
            var nanos = now - connection.takeCompleted();
            if (phase == Phase.MEASURING) {
                latencies.recordValue(Math.min(nanos, LONGEST_LATENCY));
            }
        }
        if (phase == Phase.MEASURING) {
            replies += completed;
        }
        var next = take(completed);
        if (next > 0) {
            connection.send(next, now);
        }
    }

    /** How long a run may take that makes progress: for whoever waits for one. */
    public static Duration longest(LoadSettings settings) {
        return settings.duration().plusMinutes(10);
    }
}
