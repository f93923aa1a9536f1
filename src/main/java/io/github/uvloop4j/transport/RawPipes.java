package io.github.uvloop4j.transport;

import static io.github.uvloop4j.util.Errno.call;
import static io.github.uvloop4j.util.Errno.handle;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.FifoMode;
import io.github.uvloop4j.net.PipePair;
import io.github.uvloop4j.net.RawPipe;
import io.github.uvloop4j.util.NativePath;
import io.github.uvloop4j.uv.UvDescriptors;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvHandleType;
import io.github.uvloop4j.uv.UvPoll;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The raw pipes of a loop, and where they come from. */
final class RawPipes {
    private final LoopIo io;
    private final Map<Integer, FdPipe> pipes = new HashMap<>();

    RawPipes(LoopIo io) {
        this.io = io;
    }

    /** Loaded on first use. */
    private static final class Opening {
        static final MethodHandle OPEN = handle(
                libc.open.address(),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.firstVariadicArg(2));

        private Opening() {}
    }

    @Nullable
    FdPipe get(int fd) {
        return pipes.get(fd);
    }

    /** It is closed, or given away. */
    void forget(FdPipe pipe, int fd) {
        pipes.remove(fd);
        io.closed(pipe);
        io.rawSockets().forget(fd);
    }

    private FdPipe register(int fd, boolean terminal) {
        var pipe = new FdPipe(io, fd, terminal);
        pipes.put(fd, pipe);
        io.opened(pipe);
        return pipe;
    }

    PipePair pair() throws IOException {
        io.check();
        try {
            var ends = UvDescriptors.pipe(true, true);
            io.rawSockets().forget(ends.first());
            io.rawSockets().forget(ends.second());
            return new PipePair(register(ends.first(), false), register(ends.second(), false));
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
    }

    RawPipe fifo(Path path, FifoMode mode) throws IOException {
        io.check();
        int how = switch (mode) {
            case READ -> libc.O_RDONLY();
            case WRITE -> libc.O_WRONLY();
            case READ_WRITE -> libc.O_RDWR();
        };
        // Opening a device may do something to it.
        int kind = (int) Objects.requireNonNull(Files.getAttribute(path, "unix:mode")) & libc.S_IFMT();
        if (kind != libc.S_IFIFO()) {
            throw new FileSystemException(path.toString(), null, "not a FIFO");
        }
        int fd = open(path, how | libc.O_NONBLOCK() | libc.O_CLOEXEC() | libc.O_NOCTTY());
        if (fd == UvErrno.ENXIO.code()) {
            throw noReader(path);
        }
        if (fd < 0) {
            throw PathErrors.of(fd, "open", path);
        }
        io.rawSockets().forget(fd);
        return register(fd, false);
    }

    private static FileSystemException noReader(Path path) {
        var error = new FileSystemException(path.toString(), null, "nobody has opened the FIFO to read");
        error.initCause(UvException.stackless(UvErrno.ENXIO.code(), "open " + path));
        return error;
    }

    private static int open(Path path, int flags) {
        try (var arena = Arena.ofConfined()) {
            var bytes = NativePath.bytes(path);
            var name = arena.allocate(bytes.length + 1L);
            MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
            return call(errno -> (int) Opening.OPEN.invokeExact(errno, name, flags));
        }
    }

    RawPipe adopt(int fd) {
        io.check();
        io.rawSockets().refuseTaken(fd);
        var type = UvHandleType.guess(fd);
        if (SocketCalls.control(fd, libc.F_GETFD(), 0) < 0) {
            throw new IllegalArgumentException("not an open descriptor: " + fd);
        }
        if (type == UvHandleType.UDP || type == UvHandleType.UNKNOWN) {
            throw new IllegalArgumentException("neither a pipe, a terminal nor a socket of a stream: descriptor " + fd);
        }
        checkWatchable(fd);
        checkConnected(fd);
        int flags = SocketCalls.control(fd, libc.F_GETFL(), 0);
        SocketCalls.control(fd, libc.F_SETFL(), flags | libc.O_NONBLOCK());
        SocketCalls.control(fd, libc.F_SETFD(), libc.FD_CLOEXEC());
        return register(fd, type == UvHandleType.TTY);
    }

    private static void checkConnected(int fd) {
        int status = SocketNames.peerStatus(fd);
        if (status == UvErrno.ENOTCONN.code()) {
            throw new IllegalArgumentException("a socket that is not connected: descriptor " + fd);
        }
    }

    private static void checkWatchable(int fd) {
        if (!UvPoll.canWatch(fd)) {
            throw new IllegalArgumentException(
                    "a regular file, or a device that cannot be waited for: descriptor " + fd);
        }
    }
}
