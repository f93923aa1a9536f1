package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.util.NativePath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * A pipe, or a Unix socket of a stream. Binds {@code uv_pipe_t}. Loop thread only.
 *
 * <p>A name is a path, or what begins with a zero byte: a name of the kernel's own, without a file, whose bytes all
 * count. It has up to {@value #LONGEST_NAME} bytes.
 */
public final class UvPipe extends UvStream {
    /** How many bytes a name has at most. */
    public static final int LONGEST_NAME = 107;

    private static final int BUFFER = 128;

    private final boolean descriptors;
    private boolean connecting;

    private interface Name {
        int fill(MemorySegment handle, MemorySegment buffer, MemorySegment size);
    }

    /**
     * A handle without a descriptor. Binds {@code uv_pipe_init}.
     *
     * @param descriptors whether handles can be sent and received; such a pipe cannot listen
     */
    public UvPipe(UvLoop loop, boolean descriptors) {
        super(loop, uv.UV_NAMED_PIPE());
        this.descriptors = descriptors;
        initialised(uv.uv_pipe_init(Memory.at(loop.address()), Memory.at(raw()), descriptors ? 1 : 0), "pipe init");
    }

    /**
     * Takes a descriptor over, which is set non-blocking and closed with the handle, but for 0 to 2. What it was opened
     * for tells whether it can be read and written. Binds {@code uv_pipe_open}.
     *
     * @throws IllegalArgumentException for a regular file, a directory or a device that cannot be watched; like after
     *     any error, the descriptor stays the caller's
     */
    public void open(int fd) {
        long handle = open();
        Pollable.check(loop.backendFd(), fd);
        UvException.check(uv.uv_pipe_open(Memory.at(handle), fd), "pipe open " + fd);
    }

    /**
     * Binds to a path, where a file appears, which is deleted at {@link #close} whoever made it. Binds
     * {@code uv_pipe_bind}.
     *
     * @throws IllegalArgumentException when the path has not 1 to {@value #LONGEST_NAME} bytes
     */
    public void bind(Path path) {
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_pipe_bind(Memory.at(open()), terminated(path, arena));
            UvException.check(status, "bind " + path);
        }
    }

    /**
     * Binds to a name; to one that the kernel chooses when it is empty. Binds {@code uv_pipe_bind2}, see
     * {@link UvFeature#PIPE_NAMES}.
     */
    public void bind(byte[] name) {
        UvFeature.PIPE_NAMES.require();
        try (var arena = Arena.ofConfined()) {
            var bytes = checked(name, 0, arena);
            int status = uv.uv_pipe_bind2(Memory.at(open()), bytes, name.length, noTruncation());
            UvException.check(status, "bind " + text(name));
        }
    }

    /** Connects to a path; the callback gets 0 or a negative code. Binds {@code uv_pipe_connect}. */
    public void connect(UvConnect request, Path path, IntConsumer done) {
        try (var arena = Arena.ofConfined()) {
            var name = terminated(path, arena);
            long handle = connectable();
            long started = request.begin(ended(done), loop);
            connecting = true;
            uv.uv_pipe_connect(Memory.at(started), Memory.at(handle), name, Memory.at(Upcalls.Requests.DONE));
        }
    }

    /**
     * Connects to a name; the callback gets 0 or a negative code. Binds {@code uv_pipe_connect2}, see
     * {@link UvFeature#PIPE_NAMES}.
     */
    public void connect(UvConnect request, byte[] name, IntConsumer done) {
        UvFeature.PIPE_NAMES.require();
        try (var arena = Arena.ofConfined()) {
            var bytes = checked(name, 1, arena);
            long handle = connectable();
            long started = request.begin(ended(done), loop);
            int status = uv.uv_pipe_connect2(
                    Memory.at(started),
                    Memory.at(handle),
                    bytes,
                    name.length,
                    noTruncation(),
                    Memory.at(Upcalls.Requests.DONE));
            request.begun(status, "connect " + text(name));
            connecting = true;
        }
    }

    /** libuv forgets the request of a connect when another begins, and ends the process when a listener connects. */
    private long connectable() {
        long handle = open();
        if (connecting || isListening()) {
            throw new UvException(connecting ? UvErrno.EALREADY.code() : UvErrno.EINVAL.code(), "connect");
        }
        return handle;
    }

    private IntConsumer ended(IntConsumer done) {
        Objects.requireNonNull(done, "callback");
        return status -> {
            connecting = false;
            done.accept(status);
        };
    }

    private static int noTruncation() {
        return uv.UV_PIPE_NO_TRUNCATE();
    }

    private static MemorySegment terminated(Path path, Arena arena) {
        var bytes = NativePath.bytes(path);
        check(bytes, 1, path.toString());
        var segment = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return segment;
    }

    private static MemorySegment checked(byte[] name, int least, Arena arena) {
        check(name, least, text(name));
        var segment = arena.allocate(BUFFER);
        MemorySegment.copy(name, 0, segment, ValueLayout.JAVA_BYTE, 0, name.length);
        return segment;
    }

    private static void check(byte[] name, int least, String text) {
        if (name.length < least || name.length > LONGEST_NAME) {
            throw new IllegalArgumentException("a socket's name has " + least + " to " + LONGEST_NAME
                    + " bytes, this one " + name.length + ": " + text);
        }
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8).replace('\0', '@');
    }

    /** The own name; empty without one. Binds {@code uv_pipe_getsockname}. */
    public byte[] localName() {
        return name(uv::uv_pipe_getsockname);
    }

    /** The peer's name; empty without one. Binds {@code uv_pipe_getpeername}. */
    public byte[] peerName() {
        return name(uv::uv_pipe_getpeername);
    }

    private byte[] name(Name call) {
        try (var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(BUFFER);
            var size = arena.allocateFrom(ValueLayout.JAVA_LONG, BUFFER);
            UvException.check(call.fill(Memory.at(open()), buffer, size), "socket name");
            return buffer.asSlice(0, size.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /**
     * Lets everybody read, write or both: adds to the permissions of the path it is bound to. Binds
     * {@code uv_pipe_chmod}.
     */
    public void chmod(boolean readable, boolean writable) {
        int flags = (readable ? uv.UV_READABLE() : 0) | (writable ? uv.UV_WRITABLE() : 0);
        UvException.check(uv.uv_pipe_chmod(Memory.at(open()), flags), "chmod");
    }

    /** How many connections wait on Windows; nothing here. Binds {@code uv_pipe_pending_instances}. */
    public void pendingInstances(int count) {
        uv.uv_pipe_pending_instances(Memory.at(open()), count);
    }

    /** How many handles were received and not accepted yet. Binds {@code uv_pipe_pending_count}. */
    public int pendingCount() {
        return uv.uv_pipe_pending_count(Memory.at(open()));
    }

    /** What the handle is that {@link #accept} takes next; unknown without one. Binds {@code uv_pipe_pending_type}. */
    public UvHandleType pendingType() {
        return UvHandleType.of(uv.uv_pipe_pending_type(Memory.at(open())));
    }

    /** Takes a socket of datagrams that was received. Binds {@code uv_accept}. */
    public void accept(UvUdp client) {
        if (client.loop() != loop) {
            throw new IllegalArgumentException("the client belongs to another loop");
        }
        UvException.check(uv.uv_accept(Memory.at(open()), Memory.at(client.open())), "accept");
        client.taken(client.fileno());
    }

    /**
     * Writes the buffers of a request and sends a handle with the first byte; the callback gets 0 or a negative code.
     * The handle stays open and the sender's, and may be closed once the callback has come. Binds {@code uv_write2}.
     *
     * @throws IllegalArgumentException when there is not a byte to write, as the kernel sends none without
     */
    public void write(UvWrite request, UvHandle sent, IntConsumer done) {
        long stream = open();
        Objects.requireNonNull(done, "callback");
        if (sent.loop() != loop) {
            throw new IllegalArgumentException("the handle belongs to another loop");
        }
        if (!descriptors) {
            throw new IllegalStateException("this pipe sends no handles");
        }
        if (request.isEmpty()) {
            throw new IllegalArgumentException("nothing to write");
        }
        long handle = sent.open();
        long address = request.begin(
                status -> {
                    sent.unpin();
                    done.accept(status);
                },
                loop);
        int status = uv.uv_write2(
                Memory.at(address),
                Memory.at(stream),
                Memory.at(request.buffers()),
                request.count(),
                Memory.at(handle),
                Memory.at(Upcalls.Requests.DONE));
        request.begun(status, "write");
        sent.pin();
    }
}
