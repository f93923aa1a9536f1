package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.Accepted;
import io.github.uvloop4j.net.Datagram;
import io.github.uvloop4j.net.FifoMode;
import io.github.uvloop4j.net.PipePair;
import io.github.uvloop4j.net.RawPipe;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Received;
import io.github.uvloop4j.net.Sockets;
import io.github.uvloop4j.util.Errno;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Raw sockets and watched descriptors of a loop. */
final class RawSockets implements Sockets {
    private final LoopIo io;
    private @Nullable MemorySegment errno;
    /** Not the loop's: a protocol may be looking at that while it starts an operation here. */
    private @Nullable MemorySegment receive;

    private final Map<Integer, PolledFd> polled = new HashMap<>();
    private final Map<Integer, FdSocket> sockets = new HashMap<>();

    RawSockets(LoopIo io) {
        this.io = io;
    }

    /** Made on first use, as it loads every system call on sockets, which costs milliseconds at start-up. */
    private MemorySegment errno() {
        var known = errno;
        if (known == null) {
            known = Arena.ofAuto().allocate(Errno.LAYOUT);
            errno = known;
        }
        return known;
    }

    @Nullable
    PolledFd watcherOf(int fd) {
        return polled.get(fd);
    }

    PolledFd polled(int fd) {
        return polled.computeIfAbsent(fd, number -> new PolledFd(io, number));
    }

    boolean isSocket(int fd) {
        return sockets.containsKey(fd);
    }

    /** A descriptor that the kernel has just made: a watcher of that number is left from one that was closed. */
    FdSocket fresh(int fd) {
        unwatch(fd);
        return register(fd);
    }

    private FdSocket register(int fd) {
        var socket = new FdSocket(io, fd);
        sockets.put(fd, socket);
        return socket;
    }

    /** The descriptor is being closed or given away: nothing may be keyed by it any more. */
    void forget(int fd) {
        sockets.remove(fd);
        unwatch(fd);
    }

    private void unwatch(int fd) {
        var watcher = polled.remove(fd);
        if (watcher != null) {
            watcher.close();
        }
    }

    @Override
    public RawSocket openTcp(ProtocolFamily family) throws IOException {
        return open(family, libc.SOCK_STREAM(), libc.IPPROTO_TCP());
    }

    @Override
    public RawSocket openUdp(ProtocolFamily family) throws IOException {
        return open(family, libc.SOCK_DGRAM(), libc.IPPROTO_UDP());
    }

    private RawSocket open(ProtocolFamily family, int kind, int protocol) throws IOException {
        io.check();
        int domain = switch (family) {
            case StandardProtocolFamily.INET -> libc.AF_INET();
            case StandardProtocolFamily.INET6 -> libc.AF_INET6();
            default -> throw new IllegalArgumentException("neither INET nor INET6: " + family);
        };
        int fd = SocketCalls.socket(domain, kind | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC(), protocol);
        if (fd < 0) {
            throw IoErrors.of(fd, "socket");
        }
        return fresh(fd);
    }

    @Override
    public RawSocket adopt(int fd) {
        io.check();
        refuseTaken(fd);
        try {
            int type = SocketOptions.get(fd, libc.SOL_SOCKET(), libc.SO_TYPE());
            if (type != libc.SOCK_STREAM() && type != libc.SOCK_DGRAM()) {
                throw new IllegalArgumentException("neither a stream nor datagrams: descriptor " + fd);
            }
        } catch (UvException e) {
            throw new IllegalArgumentException("not a socket: descriptor " + fd, e);
        }
        int flags = SocketCalls.control(fd, libc.F_GETFL(), 0);
        SocketCalls.control(fd, libc.F_SETFL(), flags | libc.O_NONBLOCK());
        SocketCalls.control(fd, libc.F_SETFD(), 1);
        return register(fd);
    }

    /** A descriptor has one owner. */
    void refuseTaken(int fd) {
        refuseOwned(fd);
        var pipe = io.rawPipes().get(fd);
        if (pipe != null || sockets.containsKey(fd)) {
            throw new IllegalStateException(
                    "descriptor " + fd + " is that of " + (pipe != null ? pipe : sockets.get(fd)));
        }
    }

    @Override
    public PipePair openPipe() throws IOException {
        return io.rawPipes().pair();
    }

    @Override
    public RawPipe openFifo(Path path, FifoMode mode) throws IOException {
        return io.rawPipes().fifo(path, mode);
    }

    @Override
    public RawPipe adoptPipe(int fd) {
        return io.rawPipes().adopt(fd);
    }

    private FdSocket checked(RawSocket socket) {
        io.check();
        var ours = (FdSocket) Objects.requireNonNull(socket, "socket");
        ours.fd();
        return ours;
    }

    @Override
    public LoopFuture<byte[]> sockRecv(RawSocket socket, int maxBytes) {
        var ours = checked(socket);
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be 1 or more: " + maxBytes);
        }
        return new SocketOperations.Receive(io, ours, errno(), receive(), maxBytes).begin(mayRead(ours));
    }

    @Override
    public LoopFuture<Integer> sockRecvInto(RawSocket socket, ByteBuffer target) {
        var ours = checked(socket);
        if (!target.hasRemaining() || target.isReadOnly()) {
            throw new IllegalArgumentException("no room to receive into: " + target);
        }
        return new SocketOperations.ReceiveInto(io, ours, errno(), target).begin(mayRead(ours));
    }

    private MemorySegment receive() {
        var memory = receive;
        if (memory == null) {
            memory = Arena.ofAuto().allocate(io.receiveSize(), 64);
            receive = memory;
        }
        return memory;
    }

    private static boolean mayRead(FdSocket socket) {
        return socket.unread.size() > 0 || socket.polled().mayRead();
    }

    @Override
    public LoopFuture<@Nullable Void> sockSendAll(RawSocket socket, ByteBuffer data) {
        return new SocketOperations.SendAll(io, checked(socket), errno(), data).begin(true);
    }

    @Override
    public LoopFuture<Datagram> sockRecvFrom(RawSocket socket, int maxBytes) {
        var ours = checked(socket);
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be 1 or more: " + maxBytes);
        }
        refuseStream(ours);
        return new DatagramOperations.Receive(io, ours, receive(), maxBytes).begin(true);
    }

    @Override
    public LoopFuture<Received> sockRecvFromInto(RawSocket socket, ByteBuffer target) {
        var ours = checked(socket);
        if (!target.hasRemaining() || target.isReadOnly()) {
            throw new IllegalArgumentException("no room to receive into: " + target);
        }
        refuseStream(ours);
        return new DatagramOperations.ReceiveInto(io, ours, receive(), target).begin(true);
    }

    /** The kernel would drop bytes of a stream, and say that it has put them there. */
    private static void refuseStream(FdSocket socket) {
        if (socket.isStream()) {
            throw new IllegalArgumentException("not a socket of datagrams: " + socket);
        }
    }

    @Override
    public LoopFuture<@Nullable Void> sockSendTo(RawSocket socket, ByteBuffer data, SocketAddress target) {
        return new DatagramOperations.Send(io, checked(socket), data, target).begin(true);
    }

    @Override
    public LoopFuture<Accepted> sockAccept(RawSocket socket) {
        return new SocketOperations.Accept(io, checked(socket)).begin(true);
    }

    @Override
    public LoopFuture<@Nullable Void> sockConnect(RawSocket socket, SocketAddress address) {
        return new SocketOperations.Connect(io, checked(socket), address).begin(true);
    }

    // Readers and writers

    private void refuseOwned(int fd) {
        var owner = io.ownerOf(fd);
        if (owner != null) {
            throw new IllegalStateException("descriptor " + fd + " is used by " + owner);
        }
    }

    private PolledFd watched(int fd) {
        io.check();
        refuseOwned(fd);
        try {
            return polled(fd);
        } catch (UvException e) {
            throw new IllegalArgumentException("descriptor " + fd + " cannot be watched: " + e.getMessage(), e);
        }
    }

    private void refusePending(@Nullable SocketOperation<?> operation, int fd) {
        if (operation != null) {
            throw new IllegalStateException("an operation is pending on socket " + fd + ": " + operation);
        }
    }

    @Override
    public void addReader(int fd, Runnable action) {
        Objects.requireNonNull(action, "action");
        var watcher = watched(fd);
        var socket = sockets.get(fd);
        refusePending(socket == null ? null : socket.pendingRead(), fd);
        watcher.reader(Context.enclose(io.context().capture(), action));
    }

    @Override
    public void addWriter(int fd, Runnable action) {
        Objects.requireNonNull(action, "action");
        var watcher = watched(fd);
        var socket = sockets.get(fd);
        refusePending(socket == null ? null : socket.pendingWrite(), fd);
        watcher.writer(Context.enclose(io.context().capture(), action));
    }

    @Override
    public boolean removeReader(int fd) {
        io.check();
        refuseOwned(fd);
        var watcher = polled.get(fd);
        var socket = sockets.get(fd);
        if (watcher == null || !watcher.hasReader() || socket != null && socket.pendingRead() != null) {
            return false;
        }
        watcher.reader(null);
        watcher.disarmReading();
        dropUnused(fd, watcher);
        return true;
    }

    @Override
    public boolean removeWriter(int fd) {
        io.check();
        refuseOwned(fd);
        var watcher = polled.get(fd);
        var socket = sockets.get(fd);
        if (watcher == null || !watcher.hasWriter() || socket != null && socket.pendingWrite() != null) {
            return false;
        }
        watcher.writer(null);
        dropUnused(fd, watcher);
        return true;
    }

    /** A descriptor that is not ours may be closed and reused once it is removed: no watcher may stay. */
    private void dropUnused(int fd, PolledFd watcher) {
        if (watcher.isUnused() && !sockets.containsKey(fd)) {
            unwatch(fd);
        }
    }

    boolean isEmpty() {
        return sockets.isEmpty() && polled.isEmpty();
    }

    void forEachUnclosed(Consumer<? super Created> consumer) {
        sockets.values().stream().filter(FdSocket::isOpen).forEach(consumer);
        polled.forEach((fd, watcher) -> {
            if (!sockets.containsKey(fd)) {
                consumer.accept(watcher);
            }
        });
    }

    void abortAll() {
        for (var socket : new ArrayList<>(sockets.values())) {
            socket.abort();
        }
        for (int fd : new ArrayList<>(polled.keySet())) {
            unwatch(fd);
        }
    }
}
