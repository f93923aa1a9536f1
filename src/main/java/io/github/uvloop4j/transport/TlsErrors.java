package io.github.uvloop4j.transport;

/** What several classes say about TLS. */
final class TlsErrors {
    private TlsErrors() {}

    /** For who goes on using what carries records now. */
    static IllegalStateException secured() {
        return new IllegalStateException("TLS was started here: go on with what startTls gave");
    }
}
