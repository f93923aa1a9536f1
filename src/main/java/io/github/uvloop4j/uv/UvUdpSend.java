package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A datagram that may have to wait. Binds {@code uv_udp_send_t}. Loop thread only. */
public final class UvUdpSend extends UvRequest {
    @SuppressWarnings("unused") // keeps the bytes from being collected until libuv is done with them
    private @Nullable MemorySegment data;

    /** A request for {@link UvUdp#send}. */
    public UvUdpSend(UvLoop loop) {
        super(loop, uv.UV_UDP_SEND(), 0);
    }

    void keep(@Nullable MemorySegment bytes) {
        data = bytes;
    }
}
