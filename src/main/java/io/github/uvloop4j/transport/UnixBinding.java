package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.AbstractAddress;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Binds Unix sockets that are to listen. A file that is in the way is removed only if it is a socket that nobody listens
 * on. One server at a time does so for a path, and listens before it lets go: two that start together neither remove each
 * other's file nor take a socket that does not listen yet for a dead one.
 */
final class UnixBinding {
    private static final int MOST_TRIES = 100;
    private static final long PAUSE_NANOS = 100_000;

    private UnixBinding() {}

    static ListenSocket bind(LoopIo io, SocketAddress address, ServerOptions options) throws IOException {
        int fd = socket();
        SocketFile file = null;
        try {
            if (address instanceof UnixDomainSocketAddress named) {
                file = bindFile(fd, named, options);
            } else {
                bind(fd, address);
            }
        } catch (IOException | RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
        return new ListenSocket(io, fd, address, options.keepSocketFile() ? null : file);
    }

    static int socket() throws IOException {
        int type = libc.SOCK_STREAM() | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
        int fd = SocketCalls.socket(libc.AF_UNIX(), type, 0);
        if (fd < 0) {
            throw IoErrors.of(fd, "socket");
        }
        return fd;
    }

    private static int tryBind(int fd, SocketAddress address) {
        try (var arena = Arena.ofConfined()) {
            return SocketCalls.bind(fd, SocketNames.encode(address, arena));
        }
    }

    private static void bind(int fd, SocketAddress address) throws IOException {
        int status = tryBind(fd, address);
        if (status < 0) {
            throw IoErrors.of(status, "bind " + address);
        }
    }

    private static SocketFile bindFile(int fd, UnixDomainSocketAddress address, ServerOptions options)
            throws IOException {
        var path = address.getPath();
        SocketAddresses.checkPath(address);
        int lock = lock(path);
        try {
            int status = tryBind(fd, address);
            if (status == UvErrno.EADDRINUSE.code()) {
                removeIfDead(path);
                status = tryBind(fd, address);
            }
            if (status < 0) {
                throw IoErrors.of(status, "bind " + path);
            }
            var file = SocketFile.at(path);
            try {
                if (options.permissions() != null) {
                    Files.setPosixFilePermissions(path, options.permissions());
                }
                listen(fd, path, options.backlog());
                return file;
            } catch (IOException | RuntimeException error) {
                file.removeIfSame();
                throw error;
            }
        } finally {
            SocketCalls.close(lock);
        }
    }

    private static void listen(int fd, Path path, int backlog) throws IOException {
        int status = SocketCalls.listen(fd, backlog);
        if (status < 0) {
            throw IoErrors.of(status, "listen on " + path);
        }
    }

    /** An abstract name stands for the path: one process has it, and loses it when it dies. */
    private static int lock(Path path) throws IOException {
        var absolute = path.toAbsolutePath();
        var directory = absolute.getParent();
        var real = directory == null ? absolute : realPath(directory).resolve(absolute.getFileName());
        var id = UUID.nameUUIDFromBytes(real.toString().getBytes(StandardCharsets.UTF_8));
        var name = AbstractAddress.of("uvloop4j-bind-" + id);
        int fd = socket();
        try {
            int status = tryBind(fd, name);
            for (int i = 0; status == UvErrno.EADDRINUSE.code() && i < MOST_TRIES; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                status = tryBind(fd, name);
            }
            if (status == UvErrno.EADDRINUSE.code()) {
                throw new BindException(
                        "bind " + path + ": another server is starting there, and holds the name " + name);
            }
            if (status < 0) {
                throw IoErrors.of(status, "bind " + name);
            }
            return fd;
        } catch (IOException | RuntimeException error) {
            SocketCalls.close(fd);
            throw error;
        }
    }

    private static Path realPath(Path directory) throws IOException {
        try {
            return directory.toRealPath();
        } catch (NoSuchFileException e) {
            throw (NoSuchFileException)
                    new NoSuchFileException(directory.toString(), null, "no directory for a socket").initCause(e);
        }
    }

    private static void removeIfDead(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!SocketFile.isSocket(path)) {
            throw new BindException("bind " + path + ": a file that is no socket is there");
        }
        int fd = socket();
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.connect(fd, SocketNames.encode(UnixDomainSocketAddress.of(path), arena));
            if (status != UvErrno.ECONNREFUSED.code()) {
                throw new BindException("bind " + path + ": "
                        + (status == 0 || IoErrors.isRetry(status)
                                ? "a server listens there"
                                : "it cannot be told whether a server listens there"));
            }
            Files.deleteIfExists(path);
        } finally {
            SocketCalls.close(fd);
        }
    }
}
