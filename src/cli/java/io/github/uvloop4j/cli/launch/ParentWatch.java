package io.github.uvloop4j.cli.launch;

/**
 * Notices that the process that launched this one is gone, killed perhaps. A signal from the kernel would be quicker, but
 * a process that is killed and not yet waited for cannot be told from a live one but by its children's new parent.
 */
final class ParentWatch {
    /** The launching process's number. */
    static final String PROPERTY = "uvloop4j.launcher";

    private static final long PERIOD_MILLIS = 250;

    private ParentWatch() {}

    /** Runs an action once it is gone, on a thread of its own. */
    static void start(Runnable gone) {
        var launcher = Long.getLong(PROPERTY);
        if (launcher != null) {
            Thread.ofPlatform().daemon().name("launcher-watch").start(() -> watch(launcher, gone));
        }
    }

    private static void watch(long launcher, Runnable gone) {
        var self = ProcessHandle.current();
        try {
            while (self.parent().map(ProcessHandle::pid).orElse(0L) == launcher) {
                Thread.sleep(PERIOD_MILLIS);
            }
            gone.run();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
