package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The addresses of a stream, kept once they are known: after close nobody could tell. */
final class StreamNames {
    private final LoopIo io;
    private final UvStream stream;
    private @Nullable SocketAddress local;
    private @Nullable SocketAddress peer;

    StreamNames(LoopIo io, UvStream stream) {
        this.io = io;
        this.stream = stream;
    }

    SocketAddress local() {
        var known = local;
        if (known == null) {
            io.check();
            known = orUnnamed(() -> SocketNames.local(stream.fileno()));
            local = known;
        }
        return known;
    }

    SocketAddress peer() {
        var known = peer;
        if (known == null) {
            io.check();
            known = orUnnamed(() -> SocketNames.peer(stream.fileno()));
            peer = known;
        }
        return known;
    }

    /** What is no socket has no name. */
    private static SocketAddress orUnnamed(Supplier<SocketAddress> address) {
        try {
            return address.get();
        } catch (UvException e) {
            if (e.errno() == UvErrno.ENOTSOCK) {
                return SocketNames.UNNAMED;
            }
            throw e;
        }
    }

    /** Null for an address that nobody knows, or that never was there. */
    static @Nullable SocketAddress orNull(Supplier<SocketAddress> address) {
        try {
            return address.get();
        } catch (RuntimeException unknown) {
            return null;
        }
    }

    /** The peer, for people. */
    String peerText() {
        var known = peer;
        return known == null ? "the peer" : SocketAddresses.text(known);
    }
}
