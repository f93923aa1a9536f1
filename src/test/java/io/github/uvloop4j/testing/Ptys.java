package io.github.uvloop4j.testing;

import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/** Special files that a test makes itself, through the C library. */
public final class Ptys {
    private Ptys() {}

    /** The two ends of a pseudo terminal without echo. */
    public record Pty(int master, int slave) {}

    /** A pseudo terminal that neither echoes nor changes what goes through. */
    public static Pty open() {
        try (var arena = Arena.ofConfined()) {
            int master = check(libc.posix_openpt(libc.O_RDWR() | libc.O_NOCTTY() | libc.O_CLOEXEC()), "openpt");
            check(libc.grantpt(master), "grantpt");
            check(libc.unlockpt(master), "unlockpt");
            var name = arena.allocate(64);
            check(libc.ptsname_r(master, name, 64), "ptsname");
            int slave = openFile(name.getString(0), libc.O_RDWR() | libc.O_NOCTTY());
            return new Pty(master, slave);
        }
    }

    /** Opens a file of any kind. */
    public static int openFile(String path, int flags) {
        try (var arena = Arena.ofConfined()) {
            return check(
                    libc.open.makeInvoker().apply(arena.allocateFrom(path), flags | libc.O_CLOEXEC()), "open " + path);
        }
    }

    /** Makes a FIFO. */
    public static Path fifo(Path path) {
        try (var arena = Arena.ofConfined()) {
            check(libc.mkfifo(arena.allocateFrom(path.toString()), 0600), "mkfifo " + path);
            return path;
        }
    }

    private static int check(int result, String what) {
        if (result < 0) {
            throw new AssertionError(what + " failed");
        }
        return result;
    }
}
