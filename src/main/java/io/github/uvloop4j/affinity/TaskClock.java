package io.github.uvloop4j.affinity;

import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * Whether threads or processes may have been started since it was asked last. The kernel shows the number that it gave
 * out last, in this process's name space of them; where it does not, something may always have been started. One
 * thread.
 */
final class TaskClock {
    private static final String FILE = "/proc/loadavg";

    private final byte[] text = new byte[128];
    private @Nullable RandomAccessFile file;
    private long last = -1;
    private boolean trusted;

    /** Finds out whether the number moves when a thread is started. */
    void check() {
        long before = read();
        try {
            NoLeak.daemon("uvloop4j-probe", () -> {}).start();
        } catch (OutOfMemoryError noThread) {
            return;
        }
        trusted = before >= 0 && read() != before;
    }

    boolean hasMoved() {
        long now = read();
        boolean moved = !trusted || now < 0 || now != last;
        last = now;
        return moved;
    }

    /** The last word of the file. */
    private long read() {
        try {
            if (file == null) {
                file = new RandomAccessFile(FILE, "r");
            }
            file.seek(0);
            int end = file.read(text);
            while (end > 0 && text[end - 1] <= ' ') {
                end--;
            }
            long number = -1;
            for (int i = end - 1, unit = 1; i >= 0 && text[i] >= '0' && text[i] <= '9'; i--, unit *= 10) {
                number = Math.max(number, 0) + (long) unit * (text[i] - '0');
            }
            return number;
        } catch (IOException hidden) {
            return -1;
        }
    }
}
