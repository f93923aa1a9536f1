package io.github.uvloop4j.cli;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** How large the terminal is, which Java itself does not know. */
final class ScreenSize {
    private static final int USUAL_ROWS = 24;
    private static final int LEAST_ROWS = 5;

    private ScreenSize() {}

    /** The rows of the terminal now; the usual number if it does not tell. */
    static int rows() {
        try {
            var stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return USUAL_ROWS;
            }
            var rows = Integer.parseInt(
                    stty.inputReader().readAllAsString().strip().split(" ", -1)[0]);
            return rows < LEAST_ROWS ? USUAL_ROWS : rows;
        } catch (IOException | NumberFormatException _) {
            return USUAL_ROWS;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return USUAL_ROWS;
        }
    }
}
