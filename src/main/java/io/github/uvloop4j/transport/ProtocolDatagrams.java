package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.net.DatagramProtocol;
import io.github.uvloop4j.net.DatagramTransport;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvUdp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A socket of datagrams for callbacks. */
final class ProtocolDatagrams extends DatagramBase implements DatagramTransport {
    private static final int WARN_AFTER = 5;

    private final DatagramProtocol protocol;

    /** Of who made it: what it calls runs in it. */
    private final @Nullable Context context;

    private boolean paused;
    private boolean made;
    private int dropped;

    ProtocolDatagrams(LoopIo io, DatagramSockets.Opened opened, DatagramProtocol protocol, WriteLimits limits) {
        super(io, opened, limits);
        this.protocol = protocol;
        var captured = io.context().capture();
        this.context = captured == null ? null : captured.lasting();
    }

    /** Queues connectionMade; receiving starts after it. */
    ProtocolDatagrams started() {
        register();
        io.context().soon(() -> {
            made = true;
            guarded("connectionMade", () -> protocol.connectionMade(this));
            if (!paused) {
                startReceiving();
            }
        });
        return this;
    }

    private void guarded(String what, Runnable callback) {
        try {
            if (context == null) {
                callback.run();
            } else {
                context.run(callback);
            }
        } catch (Throwable error) {
            io.context().report("protocol." + what + " failed", error, protocol);
        }
    }

    // In

    @Override
    public void received(UvUdp from, long offset, int length, @Nullable SocketAddress sender, boolean truncated) {
        if (io.debug()) {
            intoOwnMemory((int) offset, length, sender, truncated);
            return;
        }
        var view = io.datagrams().area(batching).view;
        view.limit((int) offset + length).position((int) offset).order(ByteOrder.BIG_ENDIAN);
        try {
            tell(view, sender, truncated);
        } finally {
            view.limit(0);
        }
    }

    /** Debug mode: memory that is taken away after the call, so that a kept buffer throws. */
    private void intoOwnMemory(int offset, int length, @Nullable SocketAddress sender, boolean truncated) {
        try (var arena = Arena.ofConfined()) {
            var copy = arena.allocate(Math.max(1, length));
            MemorySegment.copy(io.datagrams().area(batching).memory, offset, copy, 0, length);
            tell(copy.asByteBuffer().limit(length), sender, truncated);
        }
    }

    private void tell(ByteBuffer data, @Nullable SocketAddress sender, boolean truncated) {
        if (context != null || truncated) {
            guarded(
                    truncated ? "truncatedReceived" : "datagramReceived",
                    truncated
                            ? () -> protocol.truncatedReceived(data, sender)
                            : () -> protocol.datagramReceived(data, sender));
            return;
        }
        try {
            protocol.datagramReceived(data, sender);
        } catch (Throwable error) {
            io.context().report("protocol.datagramReceived failed", error, protocol);
        }
    }

    @Override
    public void failed(UvUdp from, int status) {
        var error = IoErrors.ofDatagram(status, "receive");
        guarded("errorReceived", () -> protocol.errorReceived(error));
    }

    @Override
    public void pauseReading() {
        io.check();
        paused = true;
        stopReceiving();
    }

    @Override
    public void resumeReading() {
        io.check();
        paused = false;
        if (made) {
            startReceiving();
        }
    }

    @Override
    public boolean isReading() {
        io.checkLook();
        return !paused && !isClosing();
    }

    // Out

    @Override
    public void sendTo(ByteBuffer data) {
        send(data, null);
    }

    @Override
    public void sendTo(ByteBuffer data, SocketAddress target) {
        send(data, java.util.Objects.requireNonNull(target, "target"));
    }

    private void send(ByteBuffer data, @Nullable SocketAddress named) {
        io.check();
        var target = target(named);
        if (isClosing()) {
            drop(data);
            return;
        }
        int status = outgoing.send(data, target);
        if (status < 0) {
            sendFailed(status);
        }
    }

    private void drop(ByteBuffer data) {
        data.position(data.limit());
        if (++dropped == WARN_AFTER) {
            io.context()
                    .report(
                            "a protocol goes on sending to a closed socket",
                            new IllegalStateException(dropped + " datagrams were dropped"),
                            protocol);
        }
    }

    @Override
    public void sendFailed(int status) {
        var error = IoErrors.ofDatagram(status, "send");
        guarded("errorReceived", () -> protocol.errorReceived(error));
    }

    @Override
    public void pause() {
        guarded("pauseWriting", protocol::pauseWriting);
    }

    @Override
    public void resume() {
        guarded("resumeWriting", protocol::resumeWriting);
    }

    @Override
    void lost() {
        guarded("connectionLost", () -> protocol.connectionLost(null));
    }

    @Override
    public DatagramProtocol protocol() {
        io.checkLook();
        return protocol;
    }
}
