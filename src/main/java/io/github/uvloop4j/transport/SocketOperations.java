package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.net.Accepted;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operations on raw sockets. */
final class SocketOperations {
    private static final int MOST_SENDS = 16;

    private SocketOperations() {}

    /** Receives into a buffer. */
    static final class ReceiveInto extends SocketOperation<Integer> {
        private final MemorySegment errno;
        private final ByteBuffer target;

        ReceiveInto(LoopIo io, FdSocket socket, MemorySegment errno, ByteBuffer target) {
            super(io, socket, true);
            this.errno = errno;
            this.target = target;
        }

        @Override
        int attempt() {
            if (socket.unread.size() > 0) {
                int start = target.position();
                int taken = socket.unread.take(target);
                if (!complete(taken)) {
                    var bytes = new byte[taken];
                    target.get(start, bytes);
                    socket.unread.unread(bytes, taken);
                }
                return 0;
            }
            var room = MemorySegment.ofBuffer(target);
            int count = SocketCalls.receive(errno, socket.rawFd(), room, 0);
            if (count < 0) {
                return count;
            }
            if (count < room.byteSize() && count > 0) {
                socket.polled().drained();
            }
            target.position(target.position() + count);
            if (!complete(count == 0 && room.byteSize() > 0 ? -1 : count)) {
                socket.unread.append(target.duplicate().flip().position(target.position() - count));
            }
            return 0;
        }

        @Override
        String name() {
            return "receive from";
        }
    }

    /** Receives an array. */
    static final class Receive extends SocketOperation<byte[]> {
        private final MemorySegment errno;
        private final MemorySegment memory;
        private final int most;

        Receive(LoopIo io, FdSocket socket, MemorySegment errno, MemorySegment memory, int most) {
            super(io, socket, true);
            this.errno = errno;
            this.memory = memory;
            this.most = most;
        }

        @Override
        int attempt() {
            if (socket.unread.size() > 0) {
                var kept = socket.unread.take(Math.min(most, socket.unread.size()));
                if (!complete(kept)) {
                    socket.unread.unread(kept, kept.length);
                }
                return 0;
            }
            int length = (int) Math.min(most, memory.byteSize());
            var room = memory.asSlice(0, length);
            int count = SocketCalls.receive(errno, socket.rawFd(), room, 0);
            if (count < 0) {
                return count;
            }
            if (count < length && count > 0) {
                socket.polled().drained();
            }
            var bytes = room.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
            if (!complete(bytes)) {
                socket.unread.append(ByteBuffer.wrap(bytes));
            }
            return 0;
        }

        @Override
        String name() {
            return "receive from";
        }
    }

    /** Sends all of a buffer. */
    static class SendAll extends SocketOperation<@Nullable Void> {
        final ByteBuffer source;
        private final MemorySegment errno;

        SendAll(LoopIo io, FdSocket socket, MemorySegment errno, ByteBuffer source) {
            super(io, socket, false);
            this.errno = errno;
            this.source = source;
        }

        @Override
        int attempt() {
            for (int sent = 0; source.hasRemaining(); sent++) {
                if (sent == MOST_SENDS) {
                    // A peer that reads as fast would keep the loop here.
                    return UvErrno.EAGAIN.code();
                }
                var rest = MemorySegment.ofBuffer(source);
                int count = SocketCalls.send(errno, socket.rawFd(), rest, libc.MSG_NOSIGNAL());
                if (count < 0) {
                    return count;
                }
                source.position(source.position() + count);
            }
            complete(null);
            return 0;
        }

        @Override
        String name() {
            return "send to";
        }
    }

    /** Accepts a connection. */
    static final class Accept extends SocketOperation<Accepted> {
        private final @Nullable Throwable creation;

        Accept(LoopIo io, FdSocket socket) {
            super(io, socket, true);
            creation = io.context().creation("socket");
        }

        @Override
        int attempt() {
            var kept = socket.unclaimed;
            if (kept != null) {
                socket.unclaimed = null;
                hand(kept);
                return 0;
            }
            try (var arena = Arena.ofConfined()) {
                var address = arena.allocate(sockaddr_storage.layout());
                var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
                int flags = libc.SOCK_NONBLOCK() | libc.SOCK_CLOEXEC();
                int fd = SocketCalls.accept(socket.rawFd(), address, length, flags);
                if (fd < 0) {
                    return fd == UvErrno.ECONNABORTED.code() ? UvErrno.EAGAIN.code() : fd;
                }
                var client = io.rawSockets().fresh(fd);
                try {
                    hand(new Accepted(client, SocketNames.decode(address, length.get(ValueLayout.JAVA_INT, 0))));
                } catch (IllegalArgumentException family) {
                    client.close();
                    throw family;
                }
                return 0;
            }
        }

        private void hand(Accepted accepted) {
            ((FdSocket) accepted.socket()).createdAt(creation);
            if (!complete(accepted)) {
                socket.unclaimed = accepted;
            }
        }

        @Override
        String name() {
            return "accept on";
        }
    }

    /** Connects. */
    static final class Connect extends SocketOperation<@Nullable Void> {
        private final SocketAddress address;
        private final @Nullable Retry retry;
        private boolean begun;

        Connect(LoopIo io, FdSocket socket, SocketAddress address) {
            super(io, socket, false);
            this.address = Objects.requireNonNull(address, "address");
            this.retry = SocketNames.isUnix(address) ? new Retry(io) : null;
        }

        @Override
        @Nullable
        Retry retry() {
            return retry;
        }

        @Override
        int attempt() {
            int status = begun ? SocketOptions.pendingError(socket.rawFd()) : connect();
            if (status < 0) {
                return status;
            }
            complete(null);
            return 0;
        }

        private int connect() {
            // A Unix socket is connected at once, or not at all.
            begun = retry == null;
            try (var arena = Arena.ofConfined()) {
                int status = SocketCalls.connect(socket.rawFd(), SocketNames.encode(address, arena));
                // Already: an attempt that was cancelled goes on in the kernel.
                boolean underWay = status == -libc.EINPROGRESS() || status == UvErrno.EALREADY.code();
                return underWay ? UvErrno.EAGAIN.code() : status;
            }
        }

        @Override
        String name() {
            return "connect to " + SocketAddresses.text(address) + " with";
        }
    }
}
