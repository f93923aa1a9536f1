package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.tls.ClientTls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What several classes say about TLS. */
final class TlsErrors {
    private TlsErrors() {}

    /** Tells of a client that did not get through its handshake: nothing that a server should worry about. */
    static void note(LoopContext loop, IOException error) {
        loop.note("a TLS handshake of a client failed", error);
    }

    /** Refuses to connect where the name that must be verified is not known, before anything else is done. */
    static void checkHost(@Nullable ClientTls tls, @Nullable String host) {
        if (tls != null) {
            tls.checkHost(host);
        }
    }

    /** For who goes on using what carries records now. */
    static IllegalStateException secured() {
        return new IllegalStateException("TLS was started here: go on with what startTls gave");
    }
}
