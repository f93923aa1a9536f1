package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.sockaddr_storage;
import io.github.uvloop4j.net.Datagram;
import io.github.uvloop4j.net.Received;
import io.github.uvloop4j.uv.SocketAddresses;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operations on raw sockets of datagrams. */
final class DatagramOperations {
    /** Nothing but a family. */
    private static final int NO_NAME = 2;

    private DatagramOperations() {}

    /** Receives a datagram. */
    abstract static class AbstractReceive<T> extends SocketOperation<T> {
        private final MemorySegment memory;

        AbstractReceive(LoopIo io, FdSocket socket, MemorySegment memory) {
            super(io, socket, true);
            this.memory = memory;
        }

        /** How many bytes are wanted. */
        abstract int room();

        /** Hands a datagram over; false when nobody wants it any more. */
        abstract boolean hand(Datagram datagram);

        @Override
        int attempt() {
            var kept = socket.undelivered;
            if (kept != null) {
                socket.undelivered = null;
                give(kept);
                return 0;
            }
            try (var arena = Arena.ofConfined()) {
                var address = arena.allocate(sockaddr_storage.layout());
                var length = arena.allocateFrom(ValueLayout.JAVA_INT, (int) address.byteSize());
                var target = memory.asSlice(0, Math.min(room(), memory.byteSize()));
                int count = SocketCalls.receiveFrom(socket.rawFd(), target, libc.MSG_TRUNC(), address, length);
                if (count < 0) {
                    return count;
                }
                int fits = (int) Math.min(count, target.byteSize());
                var data = ByteBuffer.wrap(target.asSlice(0, fits).toArray(ValueLayout.JAVA_BYTE));
                give(new Datagram(data, sender(address, length.get(ValueLayout.JAVA_INT, 0)), fits < count));
                return 0;
            }
        }

        private static @Nullable SocketAddress sender(MemorySegment address, int length) {
            return length <= NO_NAME ? null : SocketNames.decode(address, length);
        }

        private void give(Datagram datagram) {
            if (!hand(datagram)) {
                socket.undelivered = datagram;
            }
        }

        @Override
        String name() {
            return "receive from";
        }
    }

    /** Receives a new one. */
    static final class Receive extends AbstractReceive<Datagram> {
        private final int most;

        Receive(LoopIo io, FdSocket socket, MemorySegment memory, int most) {
            super(io, socket, memory);
            this.most = most;
        }

        @Override
        int room() {
            return most;
        }

        @Override
        boolean hand(Datagram datagram) {
            return complete(datagram);
        }
    }

    /** Receives into a buffer. */
    static final class ReceiveInto extends AbstractReceive<Received> {
        private final ByteBuffer target;

        ReceiveInto(LoopIo io, FdSocket socket, MemorySegment memory, ByteBuffer target) {
            super(io, socket, memory);
            this.target = target;
        }

        @Override
        int room() {
            return target.remaining();
        }

        @Override
        boolean hand(Datagram datagram) {
            int position = target.position();
            int fits = Math.min(datagram.data().remaining(), target.remaining());
            target.put(position, datagram.data(), 0, fits).position(position + fits);
            boolean truncated = datagram.truncated() || fits < datagram.data().remaining();
            if (complete(new Received(fits, datagram.sender(), truncated))) {
                return true;
            }
            target.position(position);
            return false;
        }
    }

    /** Sends a datagram. */
    static final class Send extends SocketOperation<@Nullable Void> {
        private final ByteBuffer data;
        private final SocketAddress target;
        private final @Nullable Retry retry;

        Send(LoopIo io, FdSocket socket, ByteBuffer data, SocketAddress target) {
            super(io, socket, false);
            this.data = Objects.requireNonNull(data, "data");
            this.target = Objects.requireNonNull(target, "target");
            this.retry = SocketNames.isUnix(target) ? new Retry(io) : null;
        }

        @Override
        @Nullable
        Retry retry() {
            return retry;
        }

        @Override
        int attempt() {
            try (var arena = Arena.ofConfined()) {
                var bytes = data.isDirect()
                        ? MemorySegment.ofBuffer(data)
                        : arena.allocate(Math.max(1, data.remaining())).asSlice(0, data.remaining());
                if (!data.isDirect()) {
                    bytes.copyFrom(MemorySegment.ofBuffer(data));
                }
                var address = SocketNames.encode(target, arena);
                int count = SocketCalls.sendTo(socket.rawFd(), bytes, libc.MSG_NOSIGNAL(), address);
                if (count < 0) {
                    return count;
                }
            }
            data.position(data.limit());
            complete(null);
            return 0;
        }

        @Override
        String name() {
            return "send to " + SocketAddresses.text(target) + " with";
        }
    }
}
