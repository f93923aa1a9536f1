package io.github.uvloop4j.guard;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * The agent: {@code -javaagent:uvloop4j.jar}, or {@code -javaagent:uvloop4j.jar=raise} (log, count) for a guard of all
 * loops that stays for the life of the program, as does {@code -Duvloop4j.guard=raise}.
 *
 * <p>When it is attached for a library in another class loader it is alone: its signatures name nothing of the library.
 */
public final class GuardAgent {
    private static volatile @Nullable Instrumentation instrumentation;

    private GuardAgent() {}

    /** Called by the JVM before the program starts. */
    public static void premain(@Nullable String mode, Instrumentation given) {
        instrumentation = given;
        var wanted = mode == null || mode.isBlank() ? System.getProperty("uvloop4j.guard", "") : mode;
        if (!wanted.isBlank()) {
            BlockingGuard.installOrWarn(wanted);
        }
    }

    /** Called by the JVM when it is attached. */
    public static void agentmain(@Nullable String ignored, Instrumentation given) {
        instrumentation = given;
    }

    /** What the JVM gave, or null when no agent was loaded. Any thread. */
    public static @Nullable Instrumentation instrumentation() {
        return instrumentation;
    }
}
