package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;

/** What a descriptor is, as far as libuv can tell. Any thread. */
public enum UvHandleType {
    /** A TCP socket: {@link UvTcp}. */
    TCP(uv.UV_TCP()),
    /** A socket of datagrams: {@link UvUdp}. */
    UDP(uv.UV_UDP()),
    /** A pipe, or a Unix socket of a stream: {@link UvPipe}. */
    NAMED_PIPE(uv.UV_NAMED_PIPE()),
    /** A terminal. */
    TTY(uv.UV_TTY()),
    /** A regular file, or a device that is no terminal. */
    FILE(uv.UV_FILE()),
    /** Something else, or nothing. */
    UNKNOWN(uv.UV_UNKNOWN_HANDLE());

    private final int code;

    UvHandleType(int code) {
        this.code = code;
    }

    /** What a descriptor is. Binds {@code uv_guess_handle}. */
    public static UvHandleType guess(int fd) {
        return of(uv.uv_guess_handle(fd));
    }

    static UvHandleType of(int code) {
        for (var type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
