package io.github.uvloop4j.affinity;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What is said about pinning that is not possible: each message once, and not by a thread that must not block. */
final class Complaints {
    /** So many different ones are remembered; what comes after those is not said. */
    private static final int LIMIT = 1_000;

    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Complaints() {}

    static void once(String message, Consumer<? super String> log) {
        if (SAID.size() < LIMIT && SAID.add(message)) {
            log.accept(message);
        }
    }

    static void log(String message) {
        NoLeak.daemon(
                        "uvloop4j-affinity-log",
                        Unpinned.unpinned(
                                () -> System.getLogger("io.github.uvloop4j").log(System.Logger.Level.WARNING, message)))
                .start();
    }
}
