package io.github.uvloop4j.carrier;

/** Threads of our own, beside the loops. */
public final class HelperThreads {
    private HelperThreads() {}

    /** A daemon that keeps nothing of the thread that happens to make it, nor of its CPUs. Any thread. */
    public static Thread daemon(String name, Runnable body) {
        return Rescue.daemon(name, body);
    }
}
