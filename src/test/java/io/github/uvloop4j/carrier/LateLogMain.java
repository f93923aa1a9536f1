package io.github.uvloop4j.carrier;

import io.github.uvloop4j.testing.Until;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Logger;

/** Logs while the JVM goes down, when the JDK's logger has been shut already. For a JVM of its own. */
final class LateLogMain {
    private LateLogMain() {}

    public static void main(String[] arguments) {
        // Makes the JDK register the hook that shuts its loggers.
        var root = Logger.getLogger("");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Until.holds("the logger is shut", () -> root.getHandlers().length == 0);
            var printed = new ByteArrayOutputStream();
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            LoopLog.error("said late", null);
            Until.holds(
                    "it is printed",
                    () -> printed.toString(StandardCharsets.UTF_8).contains("said late"));
            System.out.println("nothing was lost");
        }));
        if (root.getHandlers().length == 0) {
            throw new AssertionError("the logger writes nowhere from the start");
        }
    }
}
