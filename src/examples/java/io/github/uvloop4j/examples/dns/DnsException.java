package io.github.uvloop4j.examples.dns;

import java.io.IOException;

/** A server that gave no answer which could be used. Another one may. */
public final class DnsException extends IOException {
    private static final long serialVersionUID = 1;

    /** With what is wrong. */
    public DnsException(String message) {
        super(message);
    }
}
