package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.net.DatagramSettings;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvUdp;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The life of a socket of datagrams: open, closing (what waits is still sent), lost; and what can be set of it. */
abstract class DatagramBase
        implements DatagramSettings, UvUdp.Receiver, DatagramOutgoing.Owner, LoopIo.Closeables, Created {
    final LoopIo io;
    final UvUdp socket;
    final DatagramOutgoing outgoing;
    final boolean batching;
    private final int fd;
    private final @Nullable SocketAddress local;
    private final boolean connected;
    private final @Nullable SocketAddress peer;
    private @Nullable Throwable creation;
    /** The last Unix address that was found to be one that can be sent to. */
    private @Nullable SocketAddress checked;

    private boolean receiving;
    private boolean closing;
    private boolean dead;

    DatagramBase(LoopIo io, DatagramSockets.Opened opened, WriteLimits limits) {
        this.io = io;
        this.socket = opened.socket();
        this.batching = opened.batching();
        this.fd = opened.fd();
        this.local = opened.local();
        this.connected = opened.connected();
        this.peer = opened.peer();
        this.outgoing = new DatagramOutgoing(io, socket, this, batching, limits);
    }

    /** Takes its place among what the loop has open. */
    final void register() {
        io.own(fd, this);
        io.opened(this);
    }

    /** In debug mode: the place where the user asked for it. */
    final void createdAt(@Nullable Throwable place) {
        creation = place;
    }

    @Override
    public final @Nullable Throwable creation() {
        return creation;
    }

    final void startReceiving() {
        if (!receiving && !closing) {
            receiving = true;
            socket.receiveStart(this);
        }
    }

    final void stopReceiving() {
        if (receiving) {
            receiving = false;
            socket.receiveStop();
        }
    }

    final boolean isReceivingNow() {
        return receiving;
    }

    @Override
    public void allocate(UvUdp from, long suggested) {
        var memory = io.datagrams().area(batching).memory;
        from.lend(memory, 0, memory.byteSize());
    }

    // Sending

    /** The target as libuv wants it: null for the peer of a connected socket. */
    final @Nullable SocketAddress target(@Nullable SocketAddress target) {
        if (connected) {
            if (target != null && !target.equals(peer)) {
                throw new IllegalArgumentException("connected to " + peer + ", not to " + target);
            }
            return null;
        }
        if (target == null) {
            throw new IllegalStateException("the socket is not connected: name the target");
        }
        if (target instanceof InetSocketAddress internet) {
            checkFamily(internet);
        } else {
            checkUnix(target);
        }
        return target;
    }

    private void checkUnix(SocketAddress target) {
        if (local instanceof InetSocketAddress) {
            throw new IllegalArgumentException("not an internet address: " + target);
        }
        if (!target.equals(checked)) {
            try (var arena = Arena.ofConfined()) {
                // Refuses what could not be sent to later.
                SocketAddresses.encode(target, arena);
            }
            checked = target;
        }
    }

    private void checkFamily(InetSocketAddress target) {
        if (target.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + target);
        }
        boolean v4Only = local instanceof InetSocketAddress own && !(own.getAddress() instanceof Inet6Address);
        if (v4Only && target.getAddress() instanceof Inet6Address) {
            throw new IllegalArgumentException("an IPv4 socket cannot send to " + target);
        }
    }

    @Override
    public void drained() {
        if (closing) {
            die();
        }
    }

    // The end

    @Override
    public void close() {
        io.check();
        if (closing) {
            return;
        }
        closing = true;
        stopReceiving();
        if (outgoing.isIdle()) {
            die();
        }
    }

    @Override
    public void abort() {
        io.check();
        if (!dead) {
            closing = true;
            die();
        }
    }

    private void die() {
        if (dead) {
            return;
        }
        dead = true;
        stopReceiving();
        io.disown(fd);
        outgoing.discard();
        socket.close();
        io.closed(this);
        gone();
        io.context().soon(this::lost);
    }

    /** It is over, for those who wait; {@link #lost} follows in a turn of its own. */
    void gone() {}

    /** It is over; called once, in a turn of its own. */
    abstract void lost();

    @Override
    public final void abortNow() {
        abort();
    }

    @Override
    public final boolean isFlushing() {
        return closing && !dead;
    }

    @Override
    public final boolean isClosing() {
        io.checkLook();
        return closing;
    }

    final boolean isDead() {
        return dead;
    }

    // Settings

    @Override
    public final @Nullable SocketAddress localAddress() {
        return local;
    }

    @Override
    public final @Nullable SocketAddress peerAddress() {
        return peer;
    }

    @Override
    public final @Nullable Integer fd() {
        io.checkLook();
        return dead ? null : fd;
    }

    @Override
    public final void writeBufferLimits(WriteLimits limits) {
        io.check();
        outgoing.limits(limits);
    }

    @Override
    public final long writeBufferSize() {
        io.check();
        return dead ? 0 : outgoing.size();
    }

    private void set(Runnable setting) throws IOException {
        io.check();
        if (dead) {
            throw new IllegalStateException(this + " is closed");
        }
        try {
            setting.run();
        } catch (UvException e) {
            throw IoErrors.of(e);
        }
    }

    @Override
    public final void broadcast(boolean enable) throws IOException {
        set(() -> socket.broadcast(enable));
    }

    @Override
    public final void ttl(int hops) throws IOException {
        set(() -> socket.ttl(hops));
    }

    @Override
    public final void multicastTtl(int hops) throws IOException {
        set(() -> socket.multicastTtl(hops));
    }

    @Override
    public final void multicastLoop(boolean enable) throws IOException {
        set(() -> socket.multicastLoop(enable));
    }

    @Override
    public final void multicastInterface(InetAddress own) throws IOException {
        set(() -> socket.multicastInterface(own));
    }

    private static InetAddress group(InetAddress group) {
        if (!Objects.requireNonNull(group, "group").isMulticastAddress()) {
            throw new IllegalArgumentException("not the address of a group: " + group.getHostAddress());
        }
        return group;
    }

    @Override
    public final void join(InetAddress group, @Nullable InetAddress own) throws IOException {
        set(() -> socket.join(group(group), own));
    }

    @Override
    public final void leave(InetAddress group, @Nullable InetAddress own) throws IOException {
        set(() -> socket.leave(group(group), own));
    }

    @Override
    public final void join(InetAddress group, @Nullable InetAddress own, InetAddress sender) throws IOException {
        set(() -> socket.joinSource(group(group), own, sender));
    }

    @Override
    public final void leave(InetAddress group, @Nullable InetAddress own, InetAddress sender) throws IOException {
        set(() -> socket.leaveSource(group(group), own, sender));
    }

    @Override
    public String toString() {
        var where = peer == null ? " at " + local : " to " + peer;
        return "datagrams" + where + (dead ? " [closed]" : closing ? " [closing]" : "");
    }
}
