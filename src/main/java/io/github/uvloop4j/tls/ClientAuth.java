package io.github.uvloop4j.tls;

/** Whether a server asks its clients for a certificate. */
public enum ClientAuth {
    /** It does not. */
    NONE,

    /** It does, and serves those without one too. */
    WANTED,

    /** It does, and refuses those without one. */
    REQUIRED
}
