package io.github.uvloop4j.net;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a handshake agreed on. Any thread.
 *
 * @param protocol the version, as {@code TLSv1.3}
 * @param cipher the cipher suite
 * @param applicationProtocol the protocol that ALPN chose; null when none was negotiated
 * @param serverName the host that the client asked for; null when it asked for none, which a server learns only when its
 *     provider tells
 * @param resumed whether an earlier session was resumed; false also when its age does not tell
 * @param peerCertificates what the peer showed, its own certificate first; empty when it showed none
 * @param localCertificates what this side showed, its own certificate first; empty when it showed none
 */
public record TlsInfo(
        String protocol,
        String cipher,
        @Nullable String applicationProtocol,
        @Nullable String serverName,
        boolean resumed,
        List<Certificate> peerCertificates,
        List<Certificate> localCertificates) {
    /** Copies the lists. */
    public TlsInfo {
        peerCertificates = List.copyOf(peerCertificates);
        localCertificates = List.copyOf(localCertificates);
    }

    /** The peer's own certificate; null when it showed none. */
    public @Nullable X509Certificate peerCertificate() {
        return peerCertificates.isEmpty() || !(peerCertificates.getFirst() instanceof X509Certificate known)
                ? null
                : known;
    }
}
