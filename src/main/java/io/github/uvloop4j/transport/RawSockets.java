package io.github.uvloop4j.transport;

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
import io.github.uvloop4j.net.ReceivedDescriptor;
import io.github.uvloop4j.net.SocketPair;
import io.github.uvloop4j.net.SocketType;
import io.github.uvloop4j.net.Sockets;
import io.github.uvloop4j.util.Errno;
import io.github.uvloop4j.uv.UvDescriptors;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
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

    private final Watchers watchers;
    private final Map<Integer, FdSocket> sockets = new HashMap<>();

    RawSockets(LoopIo io) {
        this.io = io;
        this.watchers = new Watchers(io);
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

    Watchers watchers() {
        return watchers;
    }

    @Nullable
    FdSocket get(int fd) {
        return sockets.get(fd);
    }

    boolean isSocket(int fd) {
        return sockets.containsKey(fd);
    }

    /** A descriptor that the kernel has just made: a watcher of that number is left from one that was closed. */
    FdSocket fresh(int fd) {
        watchers.unwatch(fd);
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
        watchers.unwatch(fd);
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
        return made(SocketCalls.socket(domain, kind | libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC(), protocol));
    }

    @Override
    public RawSocket openUnix(SocketType type) throws IOException {
        io.check();
        return made(SocketCalls.socket(libc.AF_UNIX(), UnixFacts.type(type), 0));
    }

    private FdSocket made(int fd) throws IOException {
        if (fd < 0) {
            throw IoErrors.of(fd, "socket");
        }
        return fresh(fd);
    }

    @Override
    public SocketPair openUnixPair(SocketType type) throws IOException {
        io.check();
        try {
            var ends = UvDescriptors.sockets(UnixFacts.kind(type), true, true);
            return new SocketPair(fresh(ends.first()), fresh(ends.second()));
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
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
        watchers.refuseOwned(fd);
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
        refuseWithoutRoom(target);
        return new SocketOperations.ReceiveInto(io, ours, errno(), target).begin(mayRead(ours));
    }

    private static void refuseWithoutRoom(ByteBuffer target) {
        if (!target.hasRemaining() || target.isReadOnly()) {
            throw new IllegalArgumentException("no room to receive into: " + target);
        }
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
        refuseWithoutRoom(target);
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
    public LoopFuture<@Nullable Void> sockSendDescriptor(RawSocket socket, ByteBuffer data, int fd) {
        var ours = checked(socket);
        UnixFacts.check(ours);
        if (!data.hasRemaining()) {
            throw new IllegalArgumentException("a descriptor needs a byte to go with");
        }
        if (SocketCalls.control(fd, libc.F_GETFD(), 0) < 0) {
            throw new IllegalArgumentException("not an open descriptor: " + fd);
        }
        return new DescriptorOperations.Send(io, ours, errno(), data, fd).begin(true);
    }

    @Override
    public LoopFuture<ReceivedDescriptor> sockRecvDescriptor(RawSocket socket, ByteBuffer target) {
        var ours = checked(socket);
        UnixFacts.check(ours);
        refuseWithoutRoom(target);
        return new DescriptorOperations.Receive(io, ours, receive(), target).begin(true);
    }

    @Override
    public LoopFuture<Accepted> sockAccept(RawSocket socket) {
        return new SocketOperations.Accept(io, checked(socket)).begin(true);
    }

    @Override
    public LoopFuture<@Nullable Void> sockConnect(RawSocket socket, SocketAddress address) {
        var ours = checked(socket);
        if (!(address instanceof InetSocketAddress internet) || !internet.isUnresolved()) {
            return new SocketOperations.Connect(io, ours, address).begin(true);
        }
        var addresses = HostAddresses.toConnect(
                io, internet.getHostString(), internet.getPort(), SocketNames.family(ours.rawFd()));
        return new Chained<>(
                io,
                addresses,
                found -> new SocketOperations.Connect(io, checked(socket), found.getFirst()).begin(true),
                unwanted -> {});
    }

    // Readers and writers

    @Override
    public void addReader(int fd, Runnable action) {
        watchers.addReader(fd, action);
    }

    @Override
    public void addWriter(int fd, Runnable action) {
        watchers.addWriter(fd, action);
    }

    @Override
    public boolean removeReader(int fd) {
        return watchers.removeReader(fd);
    }

    @Override
    public boolean removeWriter(int fd) {
        return watchers.removeWriter(fd);
    }

    boolean isEmpty() {
        return sockets.isEmpty() && watchers.isEmpty();
    }

    void forEachUnclosed(Consumer<? super Created> consumer) {
        sockets.values().stream().filter(FdSocket::isOpen).forEach(consumer);
        watchers.forEach((fd, watcher) -> {
            if (!sockets.containsKey(fd)) {
                consumer.accept(watcher);
            }
        });
    }

    void abortAll() {
        for (var socket : new ArrayList<>(sockets.values())) {
            socket.abort();
        }
        watchers.unwatchAll();
    }
}
