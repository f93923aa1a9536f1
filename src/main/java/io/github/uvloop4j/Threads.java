package io.github.uvloop4j;

/** Waits for threads. */
final class Threads {
    private Threads() {}

    /** Waits for the end of a thread, however often the caller is interrupted. */
    static void joinFully(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
