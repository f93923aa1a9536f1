package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A TCP connection or listener. Binds {@code uv_tcp_t}. Loop thread only. */
public final class UvTcp extends UvStream {
    /** A handle without a socket. Binds {@code uv_tcp_init}. */
    public UvTcp(UvLoop loop) {
        super(loop, uv.UV_TCP());
        initialised(uv.uv_tcp_init(Memory.at(loop.address()), Memory.at(raw())), "tcp init");
    }

    /** A handle with a socket of a family at once. Binds {@code uv_tcp_init_ex}. */
    public UvTcp(UvLoop loop, boolean v6) {
        super(loop, uv.UV_TCP());
        int family = v6 ? libc.AF_INET6() : libc.AF_INET();
        initialised(uv.uv_tcp_init_ex(Memory.at(loop.address()), Memory.at(raw()), family), "tcp init");
    }

    /** Takes a stream socket over, which is set non-blocking and closed with the handle. Binds {@code uv_tcp_open}. */
    public void open(int fd) {
        UvException.check(uv.uv_tcp_open(Memory.at(open()), fd), "tcp open " + fd);
    }

    /** Switches Nagle's algorithm off or on; before there is a socket, for when there is. Binds {@code uv_tcp_nodelay}. */
    public void noDelay(boolean enable) {
        UvException.check(uv.uv_tcp_nodelay(Memory.at(open()), enable ? 1 : 0), "nodelay");
    }

    /** Switches keep-alive probes on after a time in s of at least 1, or off with 0. Binds {@code uv_tcp_keepalive}. */
    public void keepAlive(int delaySeconds) {
        if (delaySeconds < 0) {
            throw new IllegalArgumentException("negative delay: " + delaySeconds);
        }
        int status = uv.uv_tcp_keepalive(Memory.at(open()), delaySeconds > 0 ? 1 : 0, delaySeconds);
        UvException.check(status, "keepalive");
    }

    /** Binds to an address; that it is in use shows when listening or connecting. Binds {@code uv_tcp_bind}. */
    public void bind(InetSocketAddress address, boolean v6Only) {
        try (var arena = Arena.ofConfined()) {
            int flags = v6Only ? uv.UV_TCP_IPV6ONLY() : 0;
            int status = uv.uv_tcp_bind(Memory.at(open()), SocketAddresses.encode(address, arena), flags);
            UvException.check(status, "bind " + SocketAddresses.text(address));
        }
    }

    /** Connects; the callback gets 0 or a negative code. Binds {@code uv_tcp_connect}. */
    public void connect(UvConnect request, InetSocketAddress address, IntConsumer done) {
        try (var arena = Arena.ofConfined()) {
            var handle = Memory.at(open());
            var target = SocketAddresses.encode(address, arena);
            long started = request.begin(done, loop);
            int status = uv.uv_tcp_connect(Memory.at(started), handle, target, Memory.at(Upcalls.Requests.DONE));
            request.begun(status, "connect " + SocketAddresses.text(address));
        }
    }

    /** The own address. Binds {@code uv_tcp_getsockname}. */
    public InetSocketAddress localAddress() {
        return SocketAddresses.read((address, length) -> uv.uv_tcp_getsockname(Memory.at(open()), address, length));
    }

    /** The peer's address. Binds {@code uv_tcp_getpeername}. */
    public InetSocketAddress peerAddress() {
        return SocketAddresses.read((address, length) -> uv.uv_tcp_getpeername(Memory.at(open()), address, length));
    }

    /** Closes with a reset. Binds {@code uv_tcp_close_reset}. Not after shutdown. */
    public void closeReset(@Nullable Runnable action) {
        long handle = open();
        if (closesLater(() -> resetLater(handle))) {
            closingBy(action);
            return;
        }
        UvException.check(resetNow(handle), "close reset");
        closingBy(action);
    }

    private static int resetNow(long handle) {
        return uv.uv_tcp_close_reset(Memory.at(handle), Memory.at(Upcalls.Closing.CLOSED));
    }

    private static void resetLater(long handle) {
        if (resetNow(handle) < 0) {
            uv.uv_close(Memory.at(handle), Memory.at(Upcalls.Closing.CLOSED));
        }
    }
}
