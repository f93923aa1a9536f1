package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.TlsInfo;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** What an engine knows after its handshake. */
final class TlsFacts {
    private TlsFacts() {}

    /** The facts of a handshake that began at a time of {@link System#currentTimeMillis}. */
    static TlsInfo of(TlsEngine tls, long begunMillis) {
        var engine = tls.sslEngine();
        var session = engine.getSession();
        var applicationProtocol = engine.getApplicationProtocol();
        var chosenBy = tls.serverName();
        return new TlsInfo(
                session.getProtocol(),
                session.getCipherSuite(),
                applicationProtocol == null || applicationProtocol.isEmpty() ? null : applicationProtocol,
                chosenBy != null ? chosenBy : serverName(engine, session),
                // A session that is older than the handshake was resumed.
                session.getCreationTime() < begunMillis,
                peer(session),
                list(session.getLocalCertificates()));
    }

    private static @Nullable String serverName(SSLEngine engine, SSLSession session) {
        for (var name : names(engine, session)) {
            if (name instanceof SNIHostName host) {
                return host.getAsciiName();
            }
        }
        return null;
    }

    private static List<SNIServerName> names(SSLEngine engine, SSLSession session) {
        List<SNIServerName> names = null;
        if (engine.getUseClientMode()) {
            names = engine.getSSLParameters().getServerNames();
        } else if (session instanceof ExtendedSSLSession extended) {
            try {
                names = extended.getRequestedServerNames();
            } catch (UnsupportedOperationException unknown) {
                // The provider does not tell.
            }
        }
        return names == null ? List.of() : names;
    }

    private static List<Certificate> peer(SSLSession session) {
        try {
            return list(session.getPeerCertificates());
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
    }

    private static List<Certificate> list(Certificate @Nullable [] certificates) {
        return certificates == null ? List.of() : List.of(certificates);
    }
}
