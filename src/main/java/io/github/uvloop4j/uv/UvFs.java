package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.ffi.uv_buf_t;
import io.github.uvloop4j.ffi.uv_stat_t;
import io.github.uvloop4j.util.NativePath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A call to the file system, on a thread of libuv's pool. One request serves one call after another; each callback gets
 * the call's result or a negative code. Binds {@code uv_fs_t}. Loop thread only.
 */
public final class UvFs extends UvPoolRequest {
    /** The most bytes that one call moves. */
    private static final long MOST = 1 << 30;

    /** Reachable as long as the pool writes to it. */
    @SuppressWarnings("UnusedVariable")
    private MemorySegment target = MemorySegment.NULL;

    private int[] closing = {};
    private boolean opens;
    private boolean asks;
    private long size;
    private long mode;

    /** A request for one call at a time. */
    public UvFs(UvLoop loop) {
        super(loop, uv.UV_FS());
    }

    /**
     * Opens a file to read it, close-on-exec, and without a wait for a writer of a FIFO; the callback gets its
     * descriptor. Binds {@code uv_fs_open}.
     */
    public void open(Path path, IntConsumer done) {
        var name = NativePath.bytes(path);
        try (var arena = Arena.ofConfined()) {
            var text = arena.allocate(name.length + 1L);
            MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
            long started = begin(done, loop);
            opens = true;
            int flags = libc.O_RDONLY() | libc.O_NONBLOCK();
            int status = uv.uv_fs_open(Memory.at(loop.address()), Memory.at(started), text, flags, 0, callback());
            begunFile(status, "open " + path);
        }
    }

    /** Asks what a file is: after the callback, {@link #size} and {@link #isRegularFile}. Binds {@code uv_fs_fstat}. */
    public void stat(int file, IntConsumer done) {
        long started = begin(done, loop);
        asks = true;
        int status = uv.uv_fs_fstat(Memory.at(loop.address()), Memory.at(started), file, callback());
        begunFile(status, "stat");
    }

    /**
     * Reads from a position of a file into memory, which must be of the heap's collector or outlive the request; the
     * callback gets how many bytes, 0 at the end. Binds {@code uv_fs_read}.
     */
    public void read(int file, MemorySegment into, long position, IntConsumer done) {
        long length = Math.min(into.byteSize(), MOST);
        long memory = Memory.addressOf(into, 0, length);
        try (var arena = Arena.ofConfined()) {
            var buffer = uv_buf_t.allocate(arena);
            uv_buf_t.base(buffer, MemorySegment.ofAddress(memory));
            uv_buf_t.len(buffer, length);
            long started = begin(done, loop);
            target = into;
            int status =
                    uv.uv_fs_read(Memory.at(loop.address()), Memory.at(started), file, buffer, 1, position, callback());
            begunFile(status, "read");
        }
    }

    private static MemorySegment callback() {
        return Memory.at(Upcalls.Files.DONE);
    }

    private void begunFile(int status, String operation) {
        if (status < 0) {
            opens = false;
            asks = false;
            target = MemorySegment.NULL;
        }
        begun(status, operation);
    }

    /** The size of the file that {@link #stat} was asked about last, in bytes. */
    public long size() {
        return size;
    }

    /** Whether it is a file that has its bytes on a disk, not a directory, a device or the like. */
    public boolean isRegularFile() {
        return (mode & libc.S_IFMT()) == libc.S_IFREG();
    }

    /** Closes a descriptor that the call uses: now, or when libuv is done with it, and be it after the loop's end. */
    public void closeAfter(int descriptor) {
        if (isBusy()) {
            closing = Arrays.copyOf(closing, closing.length + 1);
            closing[closing.length - 1] = descriptor;
        } else {
            libc.close(descriptor);
        }
    }

    void completed() {
        var request = Memory.at(raw());
        long result = uv.uv_fs_get_result(request);
        if (asks) {
            var stat = uv.uv_fs_get_statbuf(request).reinterpret(uv_stat_t.sizeof());
            size = uv_stat_t.st_size(stat);
            mode = uv_stat_t.st_mode(stat);
            asks = false;
        }
        uv.uv_fs_req_cleanup(request);
        boolean leftOpen = opens && result >= 0 && !isPending();
        opens = false;
        target = MemorySegment.NULL;
        if (leftOpen) {
            libc.close((int) result);
        }
        for (int descriptor : closing) {
            libc.close(descriptor);
        }
        closing = new int[0];
        complete((int) result);
    }
}
