package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.BufferedProtocol;
import io.github.uvloop4j.net.Protocol;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol of a TLS transport. What it does not take since it pauses is kept, and what follows it waits. */
final class TlsUpper {
    /** Who ends the connection when the protocol fails. */
    interface Owner {
        void protocolFailed(Throwable error);
    }

    private final LoopIo io;
    private final Owner owner;
    private final @Nullable Context context;
    private final ByteQueue pending = new ByteQueue();
    private @Nullable Runnable next;
    private @Nullable BaseProtocol protocol;

    /** The protocol, in its context if it has one. */
    private @Nullable BaseProtocol called;

    private boolean paused;
    private boolean silent;

    TlsUpper(LoopIo io, Owner owner) {
        this.io = io;
        this.owner = owner;
        var captured = io.context().capture();
        this.context = captured == null ? null : captured.lasting();
    }

    BaseProtocol protocol() {
        var known = protocol;
        if (known == null) {
            throw new IllegalStateException("there is no protocol before the TLS handshake has ended");
        }
        return known;
    }

    void protocol(BaseProtocol value) {
        protocol = Objects.requireNonNull(value, "protocol");
        called = ContextProtocol.of(context, value);
    }

    /** Runs an action as the protocol's callbacks run. */
    void inContext(Runnable action) {
        if (context == null) {
            action.run();
        } else {
            context.run(action);
        }
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether something waits for it to take more. */
    boolean isBusy() {
        return !silent && (paused || pending.size() > 0);
    }

    void pause() {
        paused = true;
    }

    void unpause() {
        paused = false;
    }

    /** Nothing is delivered any more but the end. */
    void silence() {
        silent = true;
        next = null;
        pending.clear();
    }

    // In

    void received(ByteBuffer plain) {
        if (paused || pending.size() > 0) {
            pending.append(plain);
        } else {
            deliver(plain);
        }
    }

    private void deliver(ByteBuffer plain) {
        switch (called) {
            case null -> {}
            case Protocol known when io.debug() -> inOwnMemory(known, plain);
            case Protocol known -> {
                try {
                    known.dataReceived(plain);
                } catch (Throwable error) {
                    fatal("dataReceived", error);
                }
            }
            case BufferedProtocol known -> inTheirs(known, plain);
        }
    }

    /** Debug mode: memory that is taken away after the call, so that a kept buffer throws. */
    private void inOwnMemory(Protocol known, ByteBuffer plain) {
        try (var arena = Arena.ofConfined()) {
            var copy = arena.allocate(plain.remaining()).asByteBuffer();
            known.dataReceived(copy.put(plain).flip());
        } catch (Throwable error) {
            fatal("dataReceived", error);
        }
    }

    private void inTheirs(BufferedProtocol known, ByteBuffer plain) {
        while (plain.hasRemaining() && !silent) {
            if (paused) {
                pending.append(plain);
                return;
            }
            var what = "getBuffer";
            try {
                var buffer = known.getBuffer(plain.remaining());
                if (!buffer.hasRemaining() || buffer.isReadOnly()) {
                    throw new IllegalStateException("getBuffer returned a buffer without room: " + buffer);
                }
                int count = Math.min(buffer.remaining(), plain.remaining());
                buffer.put(buffer.position(), plain, plain.position(), count);
                plain.position(plain.position() + count);
                what = "bufferUpdated";
                known.bufferUpdated(count);
            } catch (Throwable error) {
                fatal(what, error);
                return;
            }
        }
    }

    /** Delivers what was kept; false when the protocol pauses again. */
    boolean deliverKept() {
        while (pending.size() > 0 && !paused && !silent) {
            var plain = ByteBuffer.allocateDirect(pending.size());
            pending.take(plain);
            deliver(plain.flip());
        }
        if (paused || silent) {
            return false;
        }
        var following = next;
        next = null;
        if (following != null) {
            following.run();
        }
        return !paused && !silent;
    }

    /** Does something once all before it was delivered. */
    void then(Runnable following) {
        if (silent) {
            return;
        }
        if (paused || pending.size() > 0) {
            next = following;
        } else {
            following.run();
        }
    }

    /** Tells that the peer writes no more; whether this side goes on. */
    boolean ended() {
        var known = called;
        try {
            return known != null && known.eofReceived();
        } catch (Throwable error) {
            fatal("eofReceived", error);
            return false;
        }
    }

    private void fatal(String what, Throwable error) {
        io.context().report("protocol." + what + " failed, and the connection with it", error, protocol);
        owner.protocolFailed(error);
    }

    // The rest

    void made(TlsTransport transport) {
        guarded("connectionMade", known -> known.connectionMade(transport));
    }

    void pauseWriting() {
        guarded("pauseWriting", BaseProtocol::pauseWriting);
    }

    void resumeWriting() {
        guarded("resumeWriting", BaseProtocol::resumeWriting);
    }

    void lost(@Nullable Throwable cause) {
        guarded("connectionLost", known -> known.connectionLost(cause));
    }

    private interface Callback {
        void on(BaseProtocol known);
    }

    private void guarded(String what, Callback callback) {
        var known = called;
        if (known == null) {
            return;
        }
        try {
            callback.on(known);
        } catch (Throwable error) {
            io.context().report("protocol." + what + " failed", error, protocol);
        }
    }
}
