package io.github.uvloop4j.pool;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * The right to use a connection of a pool. It ends with {@link #release}, after which the connection serves others, or
 * with {@link #close}, which closes the connection: the way a transaction is committed, or rolled back when an exception
 * passes. Loop thread only.
 *
 * {@snippet :
 * try (var lease = pool.acquire()) {
 *     var connection = lease.connection();
 *     connection.write("PING\r\n");
 *     System.out.println(connection.readLine());
 *     lease.release(); // the reply was read to its end
 * }
 * }
 *
 * <p>Why close does not give back: try-with-resources cannot tell it that the block failed. A task that is cancelled
 * while it waits for a reply leaves a connection on which nothing is unread yet, which no check can tell from a good one;
 * the late reply would go to the next user. Forgetting the release costs a handshake, never correctness.
 * {@link ConnectionPool#call} sees what the body throws and needs no release.
 *
 * <p>A lease that is dropped without either is reported to the loop's exception handler once the garbage collector finds
 * it, with the place of acquire in debug mode, and its connection is closed. In debug mode one that is still
 * out when the loop is closed is reported too.
 *
 * @param <C> what is pooled
 */
public final class Lease<C extends AutoCloseable> implements AutoCloseable {
    private static final class Lazy {
        static final Cleaner CLEANER = Cleaner.create();
    }

    /** What becomes of the connection of a dropped lease; it must not refer to the lease. */
    private static final class Loan<C extends AutoCloseable> implements Runnable {
        final ConnectionPool<C> pool;
        final Entry<C> entry;
        final @Nullable Throwable place;
        volatile boolean over;

        Loan(ConnectionPool<C> pool, Entry<C> entry, @Nullable Throwable place) {
            this.pool = pool;
            this.entry = entry;
            this.place = place;
        }

        @Override
        public void run() {
            if (!over) {
                pool.dropped(entry, place);
            }
        }
    }

    private final Loan<C> loan;
    private final boolean reused;
    private final Cleaner.Cleanable watch;

    Lease(ConnectionPool<C> pool, Entry<C> entry, boolean reused, @Nullable Throwable place) {
        this.loan = new Loan<>(pool, entry, place);
        this.reused = reused;
        this.watch = Lazy.CLEANER.register(this, loan);
    }

    /**
     * The connection.
     *
     * @throws IllegalStateException when the lease was released or closed
     */
    public C connection() {
        loan.pool.checkThread();
        checkOpen();
        return loan.entry.connection;
    }

    /**
     * Whether the connection has served before. Then the peer may have closed it in the same moment: a request that can
     * be repeated deserves a second try when it fails before the first byte of a reply.
     */
    public boolean isReused() {
        return reused;
    }

    /**
     * Gives the connection back to serve others, now. Call it when the exchange is complete. A connection that is not
     * clean after all ({@link Connector#isClean}) is closed.
     *
     * @throws IllegalStateException when the lease was released or closed before
     */
    public void release() {
        loan.pool.checkThread();
        checkOpen();
        end();
        loan.pool.giveBack(loan.entry);
    }

    /** Closes the connection, unless the lease was released; a second call does nothing. */
    @Override
    public void close() {
        if (loan.over) {
            return;
        }
        loan.pool.checkThread();
        end();
        loan.pool.giveUp(loan.entry);
    }

    private void checkOpen() {
        if (loan.over) {
            throw new IllegalStateException("the lease was released or closed before: " + this);
        }
    }

    private void end() {
        loan.over = true;
        watch.clean();
    }

    @Override
    public String toString() {
        return "lease of " + loan.entry.connection + (loan.over ? " [over]" : "");
    }
}
