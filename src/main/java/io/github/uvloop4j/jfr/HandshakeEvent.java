package io.github.uvloop4j.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

@Name("uvloop4j.TlsHandshake")
@Label("TLS Handshake")
@Description("A TLS handshake, from its first message to its end")
final class HandshakeEvent extends LoopEvent {
    @Label("Server")
    @Description("Whether this side was the server")
    boolean server;

    @Label("Peer")
    @Description("The peer's address")
    @Nullable
    String peer;

    @Label("Protocol")
    @Description("The version that was agreed on")
    @Nullable
    String protocol;

    @Label("Cipher")
    @Description("The cipher suite that was agreed on")
    @Nullable
    String cipher;

    @Label("Resumed")
    @Description("Whether an earlier session was resumed")
    boolean resumed;

    @Label("Failure")
    @Description("Why it failed, or was given up")
    @Nullable
    String failure;
}
