package io.github.uvloop4j.net;

/** What a Unix socket carries. */
public enum SocketType {
    /** A stream of bytes. */
    STREAM,
    /** Datagrams, none of which is lost or overtakes another. */
    DATAGRAM
}
