package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams. Binds {@code uv_udp_t}. Loop thread only. */
public final class UvUdp extends UvHandle {
    /** How an address is bound. */
    public enum Bind {
        /** An IPv6 socket takes no IPv4. */
        V6_ONLY(uv.UV_UDP_IPV6ONLY()),
        /** Who binds the address after us takes it over. */
        REUSE_ADDRESS(uv.UV_UDP_REUSEADDR()),
        /** Several sockets share the address. Needs {@link UvFeature#REUSE_PORT}. */
        REUSE_PORT(uv.UV_UDP_REUSEPORT()),
        /** The kernel reports errors of unconnected sockets too, such as a port that nobody listens on. */
        ERRORS(uv.UV_UDP_LINUX_RECVERR());

        private final int flag;

        Bind(int flag) {
            this.flag = flag;
        }
    }

    /** Who lends memory to receive into, and is told what was received. */
    public interface Receiver {
        /** Lends memory by {@link UvUdp#lend}; what lends none is told ENOBUFS. Loop thread. */
        void allocate(UvUdp socket, long suggested);

        /**
         * A datagram is in what was lent last, at an offset. It may be empty. Loop thread.
         *
         * @param sender null when it has no name
         * @param truncated whether it was longer than what was lent, and the rest is lost
         */
        void received(UvUdp socket, long offset, int length, @Nullable SocketAddress sender, boolean truncated);

        /** Receiving failed; the socket goes on. Loop thread. */
        void failed(UvUdp socket, int status);
    }

    private static final Receiver NOBODY = new Receiver() {
        @Override
        public void allocate(UvUdp socket, long suggested) {
            throw new IllegalStateException("nobody receives");
        }

        @Override
        public void received(
                UvUdp socket, long offset, int length, @Nullable SocketAddress sender, boolean truncated) {}

        @Override
        public void failed(UvUdp socket, int status) {}
    };

    /** The largest datagram: an 8th of what libuv can receive at once in a batch. */
    private static final long LARGEST = 64 * 1024;

    /** Of more, libuv 1.50 skips some and says that it has sent them. */
    private static final int MOST_AT_ONCE = 20;

    /** One descriptor for the bytes that are sent: filled and read within the call. */
    private final long scratch = Memory.allocate(16);

    private final Lending lending = new Lending(() -> uv.uv_udp_recv_stop(Memory.at(raw())));
    private final PeerAddresses peers = new PeerAddresses();
    private Receiver receiver = NOBODY;

    /** Where what was lent last begins. */
    private long lentAddress;

    private final boolean batch;
    private boolean hasSocket;
    private boolean isUnix;
    private boolean receiving;

    /**
     * A handle without a socket. Binds {@code uv_udp_init_ex}.
     *
     * @param batch whether several datagrams are received with one system call, if what is lent has room for 64 KiB
     *     each
     */
    public UvUdp(UvLoop loop, boolean batch) {
        super(loop, uv.UV_UDP());
        int flags = batch ? uv.UV_UDP_RECVMMSG() : libc.AF_UNSPEC();
        this.batch = batch;
        initialised(uv.uv_udp_init_ex(Memory.at(loop.address()), Memory.at(raw()), flags), "udp init");
    }

    /** Takes a socket of datagrams over, which is set non-blocking and closed with the handle. Binds {@code uv_udp_open}. */
    public void open(int fd) {
        UvException.check(uv.uv_udp_open(Memory.at(open()), fd), "udp open " + fd);
        taken(fd);
    }

    /** It has a socket that was made elsewhere. */
    void taken(int fd) {
        hasSocket = true;
        isUnix = isUnix(fd);
        if (isUnix && batch) {
            // libuv has room for internet addresses only when it receives several.
            throw new IllegalStateException("Unix sockets do not receive in batches");
        }
    }

    private static boolean isUnix(int fd) {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(128, 8);
            var length = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_INT, 128);
            return libc.getsockname(fd, address, length) == 0
                    && address.get(java.lang.foreign.ValueLayout.JAVA_SHORT, 0) == libc.AF_UNIX();
        }
    }

    /** Binds to an address. Binds {@code uv_udp_bind}. */
    public void bind(InetSocketAddress address, Bind... how) {
        int flags = 0;
        for (var one : how) {
            if (one == Bind.REUSE_PORT) {
                UvFeature.REUSE_PORT.require();
            }
            flags |= one.flag;
        }
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_udp_bind(Memory.at(open()), SocketAddresses.encode(address, arena), flags);
            UvException.check(status, "bind " + SocketAddresses.text(address));
            hasSocket = true;
        }
    }

    /** Receives from this peer and sends to it only. Binds {@code uv_udp_connect}. */
    public void connect(InetSocketAddress address) {
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_udp_connect(Memory.at(open()), SocketAddresses.encode(address, arena));
            UvException.check(status, "connect " + SocketAddresses.text(address));
            hasSocket = true;
        }
    }

    /** Lets go of the peer again. Binds {@code uv_udp_connect}. */
    public void disconnect() {
        UvException.check(uv.uv_udp_connect(Memory.at(open()), MemorySegment.NULL), "disconnect");
    }

    /** The own address; null when it has none. Binds {@code uv_udp_getsockname}. */
    public @Nullable SocketAddress localAddress() {
        return SocketAddresses.readAny((address, length) -> uv.uv_udp_getsockname(Memory.at(open()), address, length));
    }

    /** The peer's address. Binds {@code uv_udp_getpeername}. */
    public @Nullable SocketAddress peerAddress() {
        return SocketAddresses.readAny((address, length) -> uv.uv_udp_getpeername(Memory.at(open()), address, length));
    }

    // Receiving

    /** Receives until {@link #receiveStop}. Binds {@code uv_udp_recv_start}. */
    public void receiveStart(Receiver to) {
        Objects.requireNonNull(to, "receiver");
        long handle = open();
        if (!lending.forgetsStop() && !receiving) {
            int status = uv.uv_udp_recv_start(
                    Memory.at(handle), Memory.at(Upcalls.Datagrams.LEND), Memory.at(Upcalls.Datagrams.RECEIVED));
            UvException.check(status, "receive start");
            hasSocket = true;
        }
        receiving = true;
        receiver = to;
    }

    /** Stops receiving. Binds {@code uv_udp_recv_stop}. A second call does nothing. */
    public void receiveStop() {
        long handle = open();
        receiving = false;
        if (!lending.keepsStop()) {
            UvException.check(uv.uv_udp_recv_stop(Memory.at(handle)), "receive stop");
        }
    }

    @Override
    boolean closesLater(Runnable call) {
        return lending.keepsClose(call);
    }

    /** Lends part of a native segment; only from {@link Receiver#allocate}. */
    public void lend(MemorySegment memory, long offset, long length) {
        lending.lend(memory, offset, length);
        lentAddress = memory.address() + offset;
    }

    /** Whether several datagrams are received with one system call. Binds {@code uv_udp_using_recvmmsg}. */
    public boolean isBatching() {
        return uv.uv_udp_using_recvmmsg(Memory.at(open())) != 0;
    }

    void lendTo(long suggested, long buffer) {
        lending.asks(buffer);
        try {
            receiver.allocate(this, suggested);
            if (batch && Memory.getLong(buffer + 8) < LARGEST) {
                // libuv would receive into no chunk at all, again and again.
                throw new IllegalStateException("a batch needs " + LARGEST + " bytes or more");
            }
        } catch (Throwable e) {
            Memory.putLong(buffer + 8, 0);
            throw e;
        } finally {
            lending.asked();
        }
    }

    void received(int count, long buffer, long address, int flags) {
        if (lending.doesWhatWasKept() || isClosing()) {
            return;
        }
        if (count < 0) {
            receiver.failed(this, count);
        } else if (address != 0) {
            // Without an address there is nothing, or only a batch that has ended.
            long offset = Memory.getLong(buffer) - lentAddress;
            receiver.received(this, offset, count, peers.received(address), (flags & uv.UV_UDP_PARTIAL()) != 0);
        }
    }

    // Sending

    private long target(@Nullable SocketAddress to) {
        if (to == null) {
            return 0;
        }
        if (!(to instanceof InetSocketAddress) && !isUnix) {
            // libuv ends the process when it is to make a socket for such an address.
            throw new IllegalArgumentException("not an internet address: " + to);
        }
        return peers.target(to);
    }

    /**
     * Sends a datagram if that needs no wait. Binds {@code uv_udp_try_send}.
     *
     * @param to null for a connected socket
     * @return the length, or a negative code: EAGAIN when the kernel has no room, or others wait before
     */
    public int trySend(MemorySegment data, long offset, long length, @Nullable SocketAddress to) {
        long bytes = Memory.addressOf(data, offset, length);
        long handle = open();
        long target = target(to);
        Memory.putLong(scratch, bytes);
        Memory.putLong(scratch + 8, length);
        int status = HotCalls.udpTrySend(handle, scratch, 1, target);
        hasSocket |= status >= 0;
        return status;
    }

    /**
     * Sends the datagrams of a batch as far as that needs no wait, with few system calls. Binds
     * {@code uv_udp_try_send2}, see {@link UvFeature#UDP_TRY_SEND2}.
     *
     * @return how many of them, or a negative code when the first cannot be sent
     */
    public int trySend(UvUdpBatch batch) {
        UvFeature.UDP_TRY_SEND2.require();
        long handle = open();
        if (batch.count() == 0) {
            throw new IllegalArgumentException("nothing to send");
        }
        if (!hasSocket) {
            throw new IllegalStateException("bind the socket first");
        }
        int sent = 0;
        while (sent < batch.count()) {
            int some = Math.min(batch.count() - sent, MOST_AT_ONCE);
            int status = uv.uv_udp_try_send2(
                    Memory.at(handle),
                    some,
                    Memory.at(batch.lists() + sent * 8L),
                    Memory.at(batch.counts()),
                    Memory.at(batch.targets() + sent * 8L),
                    0);
            if (status < 0) {
                return sent == 0 ? status : sent;
            }
            sent += status;
            if (status < some) {
                return sent;
            }
        }
        return sent;
    }

    /**
     * Sends a datagram, whose bytes must stay as they are until the callback, which gets 0 or a negative code. Binds
     * {@code uv_udp_send}.
     *
     * @param to null for a connected socket
     */
    public void send(
            UvUdpSend request,
            MemorySegment data,
            long offset,
            long length,
            @Nullable SocketAddress to,
            IntConsumer done) {
        long bytes = Memory.addressOf(data, offset, length);
        long handle = open();
        long target = target(to);
        Memory.putLong(scratch, bytes);
        Memory.putLong(scratch + 8, length);
        long started = request.begin(done, loop);
        request.keep(data);
        int status = HotCalls.udpSend(started, handle, scratch, 1, target, Upcalls.Requests.DONE);
        request.begun(status, "send");
        hasSocket = true;
    }

    /** How many bytes wait to be sent. Binds {@code uv_udp_get_send_queue_size}. */
    public long sendQueueSize() {
        return uv.uv_udp_get_send_queue_size(Memory.at(open()));
    }

    /** How many datagrams wait to be sent. Binds {@code uv_udp_get_send_queue_count}. */
    public long sendQueueCount() {
        return uv.uv_udp_get_send_queue_count(Memory.at(open()));
    }

    // Options

    /** Lets it send to broadcast addresses. Binds {@code uv_udp_set_broadcast}. */
    public void broadcast(boolean enable) {
        UvException.check(uv.uv_udp_set_broadcast(Memory.at(socket()), enable ? 1 : 0), "broadcast");
    }

    /** How many routers a datagram may pass, 1 to 255. Binds {@code uv_udp_set_ttl}. */
    public void ttl(int hops) {
        UvException.check(uv.uv_udp_set_ttl(Memory.at(socket()), checkHops(hops, 1)), "ttl");
    }

    /** How many routers one to a group may pass, 0 to 255. Binds {@code uv_udp_set_multicast_ttl}. */
    public void multicastTtl(int hops) {
        UvException.check(uv.uv_udp_set_multicast_ttl(Memory.at(socket()), checkHops(hops, 0)), "multicast ttl");
    }

    private static int checkHops(int hops, int least) {
        if (hops < least || hops > 255) {
            throw new IllegalArgumentException("must be " + least + " to 255: " + hops);
        }
        return hops;
    }

    /** Whether this machine gets what it sends to a group itself. Binds {@code uv_udp_set_multicast_loop}. */
    public void multicastLoop(boolean enable) {
        UvException.check(uv.uv_udp_set_multicast_loop(Memory.at(socket()), enable ? 1 : 0), "multicast loop");
    }

    /** By which interface it sends to groups: its address. Binds {@code uv_udp_set_multicast_interface}. */
    public void multicastInterface(InetAddress own) {
        Objects.requireNonNull(own, "own");
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_udp_set_multicast_interface(Memory.at(socket()), name(own, arena));
            UvException.check(status, "multicast interface " + own.getHostAddress());
        }
    }

    /** Joins a group on the interface with an address; null for one that the kernel chooses. Binds {@code uv_udp_set_membership}. */
    public void join(InetAddress group, @Nullable InetAddress own) {
        membership(group, own, uv.UV_JOIN_GROUP(), "join ");
    }

    /** Leaves a group. Binds {@code uv_udp_set_membership}. */
    public void leave(InetAddress group, @Nullable InetAddress own) {
        membership(group, own, uv.UV_LEAVE_GROUP(), "leave ");
    }

    private void membership(InetAddress group, @Nullable InetAddress own, int change, String what) {
        Objects.requireNonNull(group, "group");
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_udp_set_membership(Memory.at(open()), name(group, arena), name(own, arena), change);
            UvException.check(status, what + group.getHostAddress());
            hasSocket = true;
        }
    }

    /** Joins a group for what one sender sends. Binds {@code uv_udp_set_source_membership}. */
    public void joinSource(InetAddress group, @Nullable InetAddress own, InetAddress sender) {
        sourceMembership(group, own, sender, uv.UV_JOIN_GROUP(), "join ");
    }

    /** Leaves a group for what one sender sends. Binds {@code uv_udp_set_source_membership}. */
    public void leaveSource(InetAddress group, @Nullable InetAddress own, InetAddress sender) {
        sourceMembership(group, own, sender, uv.UV_LEAVE_GROUP(), "leave ");
    }

    private void sourceMembership(
            InetAddress group, @Nullable InetAddress own, InetAddress sender, int change, String what) {
        // libuv reads the name of an IPv6 sender without a look at whether there is one.
        Objects.requireNonNull(sender, "sender");
        Objects.requireNonNull(group, "group");
        try (var arena = Arena.ofConfined()) {
            int status = uv.uv_udp_set_source_membership(
                    Memory.at(open()), name(group, arena), name(own, arena), name(sender, arena), change);
            UvException.check(status, what + group.getHostAddress() + " from " + sender.getHostAddress());
            hasSocket = true;
        }
    }

    private static MemorySegment name(@Nullable InetAddress address, Arena arena) {
        return address == null ? MemorySegment.NULL : arena.allocateFrom(address.getHostAddress());
    }

    /** The handle, which must have a socket: libuv would set the option of descriptor -1. */
    private long socket() {
        long handle = open();
        if (!hasSocket) {
            throw new IllegalStateException("bind the socket first");
        }
        return handle;
    }

    @Override
    void onReleased() {
        Memory.free(scratch);
        peers.release();
        receiver = NOBODY;
        lending.release();
    }
}
