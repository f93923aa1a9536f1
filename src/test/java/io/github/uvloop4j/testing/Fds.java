package io.github.uvloop4j.testing;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/** Descriptors that a test makes itself, through the C library. */
public final class Fds {
    private Fds() {}

    /** Two connected sockets of the Unix family. */
    public static int[] pair(int type) {
        try (var arena = Arena.ofConfined()) {
            var fds = arena.allocate(ValueLayout.JAVA_INT, 2);
            check(libc.socketpair(libc.AF_UNIX(), type | libc.SOCK_NONBLOCK(), 0, fds), "socketpair");
            return fds.toArray(ValueLayout.JAVA_INT);
        }
    }

    /** Two connected stream sockets. */
    public static int[] pair() {
        return pair(libc.SOCK_STREAM());
    }

    /** Closes descriptors. */
    public static void close(int... fds) {
        for (int fd : fds) {
            check(libc.close(fd), "close " + fd);
        }
    }

    /** Another number for the same descriptor. */
    public static int dup(int fd) {
        return check(libc.dup(fd), "dup");
    }

    /** Writes text. */
    public static void write(int fd, String text) {
        try (var arena = Arena.ofConfined()) {
            var bytes = arena.allocateFrom(text, StandardCharsets.UTF_8);
            check((int) libc.write(fd, bytes, bytes.byteSize() - 1), "write");
        }
    }

    /** Reads what is there; -1 for an error. */
    public static int read(int fd) {
        try (var arena = Arena.ofConfined()) {
            return (int) libc.read(fd, arena.allocate(1024), 1024);
        }
    }

    private static int check(int result, String what) {
        if (result < 0) {
            throw new AssertionError(what + " failed");
        }
        return result;
    }

    /** Whether the number stands for an open descriptor. */
    public static boolean isOpen(int fd) {
        return Files.isSymbolicLink(Path.of("/proc/self/fd/" + fd));
    }

    /** Whether the number stands for a socket: of one that was closed, a file of the class loader may take it over. */
    public static boolean isSocket(int fd) {
        return isA(fd, "socket:");
    }

    /** As {@link #isSocket}, for a pipe. */
    public static boolean isPipe(int fd) {
        return isA(fd, "pipe:");
    }

    private static boolean isA(int fd, String kind) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd))
                    .toString()
                    .startsWith(kind);
        } catch (IOException closed) {
            return false;
        }
    }

    /** What the kernel says of an open descriptor: a line each of position, flags and so on. */
    public static String info(int fd) {
        try {
            return Files.readString(Path.of("/proc/self/fdinfo/" + fd));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The descriptors that a loop has the kernel watch at this moment. */
    public static Set<Integer> watchedBy(EventLoop loop) {
        return info(loop.uv().backendFd())
                .lines()
                .filter(line -> line.startsWith("tfd:"))
                .map(line -> Integer.valueOf(line.split("\\s+")[1]))
                .collect(Collectors.toSet());
    }
}
