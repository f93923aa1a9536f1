package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.epoll_event;
import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Whether the kernel can watch a descriptor. libuv ends the process when it wants to watch one that cannot be: a
 * regular file, a directory, some devices.
 */
final class Pollable {
    private Pollable() {}

    /** Throws for an open descriptor that cannot be watched. */
    static void check(int epoll, int fd) {
        if (fd >= 0 && !takes(epoll, fd) && libc.dup2(fd, fd) == fd && !isPollable(fd)) {
            throw new IllegalArgumentException("descriptor " + fd
                    + " cannot be watched: it is a regular file, a directory or a device that never blocks");
        }
    }

    /** As {@link #check}, where a loop may watch it already. */
    static boolean isPollable(int fd) {
        int fresh = UvException.check(made(libc.epoll_create1(libc.EPOLL_CLOEXEC())), "watch " + fd);
        try {
            return takes(fresh, fd);
        } finally {
            libc.close(fresh);
        }
    }

    private static int made(int fd) {
        return fd < 0 ? UvErrno.EMFILE.code() : fd;
    }

    private static boolean takes(int epoll, int fd) {
        try (var arena = Arena.ofConfined()) {
            var event = arena.allocate(epoll_event.layout());
            if (libc.epoll_ctl(epoll, libc.EPOLL_CTL_ADD(), fd, event) != 0) {
                return false;
            }
            libc.epoll_ctl(epoll, libc.EPOLL_CTL_DEL(), fd, MemorySegment.NULL);
            return true;
        }
    }
}
