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
        if (fd < 0 || takes(epoll, fd) || libc.dup2(fd, fd) != fd) {
            return;
        }
        // The loop's own may have it already.
        int fresh = libc.epoll_create1(libc.EPOLL_CLOEXEC());
        if (fresh < 0) {
            throw new UvException(UvErrno.EMFILE.code(), "open " + fd);
        }
        try {
            if (!takes(fresh, fd)) {
                throw new IllegalArgumentException("descriptor " + fd
                        + " cannot be watched: it is a regular file, a directory or a device that never blocks");
            }
        } finally {
            libc.close(fresh);
        }
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
