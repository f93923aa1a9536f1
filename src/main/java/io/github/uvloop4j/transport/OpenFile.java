package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvFs;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/** A regular file to read from, on libuv's pool. One call at a time. Loop thread only. */
final class OpenFile {
    private final LoopIo io;
    private final Path path;
    private final UvFs request;
    private int fd = -1;

    private OpenFile(LoopIo io, Path path) {
        this.io = io;
        this.path = path;
        this.request = new UvFs(io.uv());
    }

    /** Opens a file; refuses what is no regular file. */
    static LoopFuture<OpenFile> open(LoopIo io, Path path) {
        var file = new OpenFile(io, path);
        var opened = new LoopFuture<OpenFile>(io.context());
        try {
            file.request.open(path, descriptor -> file.opened(descriptor, opened));
        } catch (RuntimeException error) {
            file.request.free();
            throw error;
        }
        return opened;
    }

    private void opened(int descriptor, LoopFuture<OpenFile> opened) {
        if (descriptor < 0) {
            request.free();
            opened.completeExceptionally(IoErrors.ofFile(descriptor, path));
            return;
        }
        fd = descriptor;
        try {
            request.stat(fd, status -> checked(status, opened));
        } catch (UvException e) {
            checked(e.errno().code(), opened);
        }
    }

    private void checked(int status, LoopFuture<OpenFile> opened) {
        if (status < 0) {
            close();
            opened.completeExceptionally(IoErrors.ofFile(status, path));
        } else if (!request.isRegularFile()) {
            close();
            opened.completeExceptionally(new FileSystemException(path.toString(), null, "not a regular file"));
        } else if (!opened.complete(this)) {
            close();
        }
    }

    /** How many bytes it had when it was opened. */
    long size() {
        return request.size();
    }

    /** Reads from a position into memory of an automatic arena: how many bytes, 0 at the end. */
    LoopFuture<Integer> read(MemorySegment target, long position) {
        var future = new LoopFuture<Integer>(io.context());
        read(target, position, status -> {
            if (status < 0) {
                future.completeExceptionally(IoErrors.ofFile(status, path));
            } else {
                future.complete(status);
            }
        });
        return future;
    }

    private void read(MemorySegment target, long position, IntConsumer done) {
        request.read(fd, target, position, done);
    }

    /** Its descriptor, for a call elsewhere, during which it must not be closed. */
    int descriptor() {
        return fd;
    }

    /** An error of reading it. */
    IOException error(int status) {
        return IoErrors.ofFile(status, path);
    }

    void close() {
        if (fd >= 0) {
            request.closeAfter(fd);
            fd = -1;
        }
        request.free();
    }
}
