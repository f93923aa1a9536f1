package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.LoopContext;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;

/**
 * Connections as reactive streams of buffers, with back-pressure both ways: nothing is read that was not asked for, and
 * nothing is asked for that cannot be written.
 *
 * {@snippet :
 * var copied = Flows.subscriber(target);
 * Flows.publisher(source).subscribe(copied);
 * copied.done().await();
 * target.shutdownOutput();
 * }
 */
public final class Flows {
    private static final int CHUNK = 16 * 1024;

    private Flows() {}

    /** {@link #publisher(Connection, int)} with chunks of at most 16 KiB. Loop thread only. */
    public static Flow.Publisher<ByteBuffer> publisher(Connection source) {
        return publisher(source, CHUNK);
    }

    /**
     * What a connection receives. Each buffer that is requested takes one read, of at least one byte and at most the
     * chunk size, and belongs to the subscriber. It completes at the end of the stream, which is only noticed while
     * something is requested, and fails as reading fails. It has one subscriber; others are told IllegalStateException.
     * Cancelling stops reading and loses nothing: what was not delivered can still be read from the connection, which
     * stays open, and is the caller's to close.
     *
     * <p>Subscribing and the subscription's methods: any thread. Signals come in a task of the loop, so that a
     * subscriber may await in them. What a subscriber throws ends its subscription and goes to the loop's exception
     * handler. Loop thread only.
     *
     * @throws IllegalArgumentException when the chunk size is below 1
     */
    public static Flow.Publisher<ByteBuffer> publisher(Connection source, int chunkSize) {
        var loop = loopOf(Objects.requireNonNull(source, "source"));
        if (chunkSize < 1) {
            throw new IllegalArgumentException("chunkSize must be 1 or more: " + chunkSize);
        }
        return new ConnectionPublisher(loop, source, chunkSize);
    }

    /**
     * A subscriber that writes what it gets to a connection, one buffer after the other; it asks for the next one when
     * what waits to be sent is below the water marks. The connection stays open, and is the caller's to close. Loop
     * thread only.
     */
    public static ConnectionSubscriber subscriber(Connection target) {
        return new ConnectionSubscriber(loopOf(Objects.requireNonNull(target, "target")), target);
    }

    private static LoopContext loopOf(Connection connection) {
        var loop = LoopContext.current();
        if (loop == null) {
            throw new IllegalStateException("not on the thread of a loop: " + Thread.currentThread());
        }
        // Throws on the thread of another loop.
        connection.isIdle();
        return loop;
    }
}
