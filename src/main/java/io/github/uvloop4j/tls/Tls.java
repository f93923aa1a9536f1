package io.github.uvloop4j.tls;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is secured, seen from one of its sides. Immutable; each method that changes something returns a
 * changed copy. The copies of one instance share its sessions as long as keys, roots and provider stay the same, and so
 * do the connections of one instance: a peer that comes again resumes. Any thread.
 */
public sealed interface Tls permits ClientTls, ServerTls {
    /** The protocols to choose from by ALPN, the preferred first; empty not to negotiate one. */
    List<String> applicationProtocols();

    /** How long the handshake may take; 60 s at first. */
    Duration handshakeTimeout();

    /** How long closing may take, until what was written has gone out and the peer has closed too; 30 s at first. */
    Duration shutdownTimeout();

    /** What runs the long steps of a handshake, such as signing and checking certificates; null for virtual threads. */
    @Nullable
    Executor executor();

    /** The context that engines are made of. */
    SSLContext context();
}
