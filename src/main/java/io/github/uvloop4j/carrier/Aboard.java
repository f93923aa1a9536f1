package io.github.uvloop4j.carrier;

/** Virtual threads that come and go on the calling thread, within one call. */
public final class Aboard {
    private Aboard() {}

    /**
     * Runs a body, which must not park, on a virtual thread that rides on the calling thread, where the JVM allows it;
     * as it is elsewhere, and on a virtual thread. Any thread.
     */
    public static void run(Runnable body) {
        var here = Thread.currentThread();
        if (here.isVirtual() || !Schedulers.available()) {
            body.run();
        } else {
            Schedulers.builder(Runnable::run).name(here.getName()).start(body);
        }
    }
}
