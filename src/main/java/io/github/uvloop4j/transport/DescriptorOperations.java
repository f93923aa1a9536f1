package io.github.uvloop4j.transport;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.net.Datagram;
import io.github.uvloop4j.net.ReceivedDescriptor;
import io.github.uvloop4j.transport.DescriptorCalls.Arrival;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The operations on raw Unix sockets that pass descriptors. */
final class DescriptorOperations {
    /** Of a stream, how much goes with the descriptor at most. */
    private static final int FIRST_PART = 64 * 1024;

    private static final int NONE = -1;

    private DescriptorOperations() {}

    /** Sends a descriptor with the first byte of a buffer, then the rest. */
    static final class Send extends SocketOperations.SendAll {
        private final int descriptor;
        private boolean sent;

        /** Ours while it waits: the caller may close his, and the number be another's. */
        private int kept = NONE;

        Send(LoopIo io, FdSocket socket, MemorySegment errno, ByteBuffer source, int descriptor) {
            super(io, socket, errno, source);
            this.descriptor = descriptor;
        }

        @Override
        int attempt() {
            if (!sent) {
                int count = sendFirst();
                if (count < 0) {
                    return IoErrors.isRetry(count) ? keep(count) : count;
                }
                sent = true;
                source.position(source.position() + count);
                released();
            }
            return super.attempt();
        }

        private int sendFirst() {
            int length = socket.isStream() ? Math.min(source.remaining(), FIRST_PART) : source.remaining();
            var bytes = MemorySegment.ofBuffer(source).asSlice(0, length);
            try (var arena = Arena.ofConfined()) {
                var reachable =
                        bytes.isNative() ? bytes : arena.allocate(length).copyFrom(bytes);
                return DescriptorCalls.send(socket.rawFd(), reachable, kept == NONE ? descriptor : kept);
            }
        }

        private int keep(int again) {
            if (kept == NONE) {
                int copy = SocketCalls.control(descriptor, libc.F_DUPFD_CLOEXEC(), 0);
                if (copy < 0) {
                    return copy;
                }
                kept = copy;
            }
            return again;
        }

        @Override
        void released() {
            if (kept != NONE) {
                SocketCalls.close(kept);
                kept = NONE;
            }
        }
    }

    /** Receives into a buffer, with the descriptor that comes along. */
    static final class Receive extends SocketOperation<ReceivedDescriptor> {
        private final MemorySegment memory;
        private final ByteBuffer target;
        private final boolean stream;

        Receive(LoopIo io, FdSocket socket, MemorySegment memory, ByteBuffer target) {
            super(io, socket, true);
            this.memory = memory;
            this.target = target;
            this.stream = socket.isStream();
        }

        @Override
        int attempt() {
            if (socket.unread.size() > 0) {
                var bytes = socket.unread.take(Math.min(target.remaining(), socket.unread.size()));
                give(bytes, false, takeKept());
                return 0;
            }
            var datagram = socket.undelivered;
            if (datagram != null) {
                socket.undelivered = null;
                var bytes = new byte[datagram.data().remaining()];
                datagram.data().get(bytes);
                give(bytes, datagram.truncated(), takeKept());
                return 0;
            }
            // What it came with was received without it.
            socket.keep(null);
            var room = memory.asSlice(0, Math.min(target.remaining(), memory.byteSize()));
            var arrival = DescriptorCalls.receive(socket.rawFd(), room, stream ? 0 : libc.MSG_TRUNC());
            if (arrival.count() < 0) {
                return arrival.count();
            }
            int fits = (int) Math.min(arrival.count(), room.byteSize());
            arrived(arrival, room.asSlice(0, fits).toArray(ValueLayout.JAVA_BYTE), fits < arrival.count());
            return 0;
        }

        private void arrived(Arrival arrival, byte[] bytes, boolean truncated) {
            var descriptors = arrival.descriptors();
            if (descriptors.size() > 1 || (arrival.flags() & libc.MSG_CTRUNC()) != 0) {
                arrival.closeAll();
                if (stream) {
                    socket.unread.append(ByteBuffer.wrap(bytes));
                }
                completeExceptionally(new IOException("receive from " + socket + ": "
                        + (descriptors.size() > 1
                                ? "several descriptors came with one message, and were closed"
                                : "a descriptor that came is lost: this process cannot have more")));
                return;
            }
            var passed = descriptors.isEmpty() ? null : new FdPassed(io, descriptors.getFirst());
            if (stream && bytes.length == 0) {
                end(passed);
            } else {
                give(bytes, truncated, passed);
            }
        }

        private void end(@Nullable FdPassed passed) {
            if (!complete(new ReceivedDescriptor(-1, false, passed)) && passed != null) {
                passed.close();
            }
        }

        private @Nullable FdPassed takeKept() {
            var kept = socket.passed;
            socket.passed = null;
            return kept;
        }

        private void give(byte[] bytes, boolean cut, @Nullable FdPassed passed) {
            int position = target.position();
            int fits = Math.min(bytes.length, target.remaining());
            target.put(bytes, 0, fits);
            if (complete(new ReceivedDescriptor(fits, cut || fits < bytes.length, passed))) {
                return;
            }
            target.position(position);
            socket.keep(passed);
            if (stream) {
                socket.unread.unread(bytes, bytes.length);
            } else {
                socket.undelivered = new Datagram(ByteBuffer.wrap(bytes), null, cut);
            }
        }

        @Override
        String name() {
            return "receive from";
        }
    }
}
