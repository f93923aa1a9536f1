package io.github.uvloop4j.dns;

import io.github.uvloop4j.ffi.libc;
import org.jspecify.annotations.Nullable;

/** What a socket carries. Any thread. */
public enum SocketType {
    /** A stream of bytes: {@code SOCK_STREAM}. */
    STREAM(libc.SOCK_STREAM()),
    /** Datagrams: {@code SOCK_DGRAM}. */
    DGRAM(libc.SOCK_DGRAM()),
    /** Packets of a protocol below: {@code SOCK_RAW}. */
    RAW(libc.SOCK_RAW()),
    /** Records on a connection: {@code SOCK_SEQPACKET}. */
    SEQPACKET(libc.SOCK_SEQPACKET());

    private final int code;

    SocketType(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable SocketType of(int code) {
        for (var type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }
}
