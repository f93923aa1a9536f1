package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.Accepted;
import io.github.uvloop4j.net.Datagram;
import io.github.uvloop4j.net.PeerCredentials;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A raw socket: a descriptor, its watcher once one is needed, and the operations that wait. */
final class FdSocket implements RawSocket, Created {
    private final LoopIo io;
    private final int fd;
    private @Nullable PolledFd polled;

    @Nullable
    SocketOperation<?> reading;

    @Nullable
    SocketOperation<?> writing;

    /** Bytes that were received for an operation which another thread cancelled at that moment. */
    final ByteQueue unread = new ByteQueue();

    /** A connection that was accepted for an operation which another thread cancelled at that moment. */
    @Nullable
    Accepted unclaimed;

    private @Nullable Throwable creation;
    /** A datagram that was received for an operation which another thread cancelled at that moment. */
    @Nullable
    Datagram undelivered;

    /** The descriptor that came with those bytes, or with that datagram. */
    @Nullable
    FdPassed passed;

    private boolean open = true;
    private boolean closing;

    FdSocket(LoopIo io, int fd) {
        this.io = io;
        this.fd = fd;
        this.creation = io.context().creation("socket");
    }

    /** In debug mode: the place where the user asked for it, if it is made elsewhere. */
    void createdAt(@Nullable Throwable place) {
        creation = place;
    }

    @Override
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public int fd() {
        io.check();
        if (!open || closing) {
            throw new IllegalStateException(this + " is closed");
        }
        return fd;
    }

    /** The descriptor for an operation that began before close. */
    int rawFd() {
        return fd;
    }

    PolledFd polled() {
        var known = polled;
        if (known == null) {
            known = io.rawSockets().watchers().polled(fd);
            polled = known;
        }
        return known;
    }

    /** Whether a reader or writer of {@link io.github.uvloop4j.net.Sockets#addReader} is there. */
    boolean hasCallback(boolean reads) {
        var known = io.rawSockets().watchers().get(fd);
        return known != null && (reads ? known.hasReader() : known.hasWriter());
    }

    /** The operation that waits to read. One that another thread has cancelled does not count any more. */
    @Nullable
    SocketOperation<?> pendingRead() {
        var operation = reading;
        if (operation != null && operation.isDone()) {
            operation.leave();
        }
        return reading;
    }

    /** The operation that waits to write; as for {@link #pendingRead}. */
    @Nullable
    SocketOperation<?> pendingWrite() {
        var operation = writing;
        if (operation != null && operation.isDone()) {
            operation.leave();
        }
        return writing;
    }

    private void check(int status, String operation) throws IOException {
        if (status < 0) {
            throw IoErrors.of(status, operation);
        }
    }

    @Override
    public void bind(SocketAddress address) throws IOException {
        int handle = fd();
        if (isStream()) {
            option(libc.SOL_SOCKET(), libc.SO_REUSEADDR(), true);
        }
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.bind(handle, SocketNames.encode(address, arena));
            check(status, "bind " + SocketAddresses.text(address));
        }
    }

    /** For datagrams, reusing an address would let another process take them away. */
    boolean isStream() {
        return SocketOptions.get(fd, libc.SOL_SOCKET(), libc.SO_TYPE()) == libc.SOCK_STREAM();
    }

    @Override
    public void listen(int backlog) throws IOException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog must be 1 or more: " + backlog);
        }
        check(SocketCalls.listen(fd(), backlog), "listen");
    }

    @Override
    public void noDelay(boolean enable) throws IOException {
        option(libc.IPPROTO_TCP(), libc.TCP_NODELAY(), enable);
    }

    @Override
    public void reusePort(boolean enable) throws IOException {
        option(libc.SOL_SOCKET(), libc.SO_REUSEPORT(), enable);
    }

    private void option(int level, int option, boolean enable) throws IOException {
        int handle = fd();
        try {
            SocketOptions.set(handle, level, option, enable ? 1 : 0);
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        check(SocketCalls.shutdown(fd(), 1), "shutdown");
    }

    @Override
    public SocketAddress localAddress() throws IOException {
        return name(false);
    }

    @Override
    public SocketAddress peerAddress() throws IOException {
        return name(true);
    }

    private SocketAddress name(boolean peer) throws IOException {
        int handle = fd();
        try {
            return peer ? SocketNames.peer(handle) : SocketNames.local(handle);
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
    }

    @Override
    public PeerCredentials peerCredentials() throws IOException {
        return UnixFacts.peer(fd());
    }

    @Override
    public boolean isOpen() {
        io.checkLook();
        return open && !closing;
    }

    @Override
    public int detach() {
        int handle = fd();
        if (pendingRead() != null || pendingWrite() != null) {
            throw new IllegalStateException("an operation is pending on " + this);
        }
        if (unread.size() == 0 && undelivered == null) {
            keep(null);
        }
        if (unread.size() > 0 || unclaimed != null || undelivered != null) {
            throw new IllegalStateException("what a cancelled operation had received waits to be taken from " + this
                    + ": receive or accept it");
        }
        open = false;
        letGo();
        return handle;
    }

    /** Keeps a descriptor for the next who receives one, in place of an earlier. */
    void keep(@Nullable FdPassed descriptor) {
        var before = passed;
        passed = descriptor;
        if (before != null) {
            before.close();
        }
    }

    private void letGo() {
        polled = null;
        io.rawSockets().forget(fd);
    }

    @Override
    public void close() {
        io.check();
        if (!open || closing) {
            return;
        }
        closing = true;
        closeIfIdle();
    }

    /** Called when an operation has ended: a close that waited for it goes on. */
    void closeIfIdle() {
        if (closing && open && reading == null && writing == null) {
            open = false;
            letGo();
            SocketCalls.close(fd);
            var left = unclaimed;
            if (left != null) {
                unclaimed = null;
                left.socket().close();
            }
            keep(null);
        }
    }

    void abort() {
        var first = reading;
        var second = writing;
        if (first != null) {
            first.cancel();
        }
        if (second != null) {
            second.cancel();
        }
        close();
    }

    @Override
    public String toString() {
        return "socket " + fd + (open && !closing ? "" : " [closed]");
    }
}
