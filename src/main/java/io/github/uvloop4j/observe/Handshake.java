package io.github.uvloop4j.observe;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** One TLS handshake; each is an object of its own. What it agreed on is there once it has succeeded. Loop thread only. */
public final class Handshake {
    /**
     * What a handshake agreed on.
     *
     * @param protocol the version, as {@code TLSv1.3}
     * @param cipher the cipher suite
     * @param resumed whether an earlier session was resumed
     */
    public record Agreed(String protocol, String cipher, boolean resumed) {}

    private final boolean server;
    private final @Nullable SocketAddress peer;
    private @Nullable Agreed agreed;

    /** A handshake that is about to begin. */
    public Handshake(boolean server, @Nullable SocketAddress peer) {
        this.server = server;
        this.peer = peer;
    }

    /** Whether this side is the server. */
    public boolean isServer() {
        return server;
    }

    /** The peer's address; null where there is none. */
    public @Nullable SocketAddress peer() {
        return peer;
    }

    /** What it agreed on; null before, and when it has failed. */
    public @Nullable Agreed agreed() {
        return agreed;
    }

    /** It has succeeded. For the loop itself. */
    public void succeeded(Agreed with) {
        agreed = with;
    }

    @Override
    public String toString() {
        return "TLS handshake with " + peer;
    }
}
