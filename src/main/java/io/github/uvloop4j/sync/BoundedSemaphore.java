package io.github.uvloop4j.sync;

/**
 * A semaphore that never has more permits than at first: a release too many, which would otherwise raise the limit
 * silently, throws IllegalStateException.
 */
public final class BoundedSemaphore extends Semaphore {
    private final int permits;

    /**
     * A semaphore with permits. Any thread.
     *
     * @throws IllegalArgumentException when the number is less than 1
     */
    public BoundedSemaphore(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("permits is not positive: " + permits);
        }
        super(permits, permits);
        this.permits = permits;
    }

    /** How many permits it has, free or not. Any thread. */
    public int permits() {
        return permits;
    }
}
