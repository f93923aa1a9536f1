package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * Looks the names of an address and a port up, on a thread of libuv's pool. Binds {@code uv_getnameinfo_t}. Loop thread
 * only.
 */
public final class UvGetNameInfo extends UvPoolRequest {
    private String host = "";
    private String service = "";

    /** Who is told the outcome. */
    @FunctionalInterface
    public interface Done {
        /** Gets 0 and the names, or a negative code and empty texts. */
        void found(int status, String host, String service);
    }

    /**
     * The names of an address and a port.
     *
     * @param host the name of the host, or its address
     * @param service the name of the service, or the number of the port
     */
    public record Names(String host, String service) {}

    /** A request for {@link #start}. */
    public UvGetNameInfo(UvLoop loop) {
        super(loop, uv.UV_GETNAMEINFO());
    }

    /**
     * Begins. Binds {@code uv_getnameinfo}.
     *
     * @param flags NI_ constants; the callback gets EAI_BADFLAGS for others
     * @throws IllegalArgumentException when the address is unresolved
     */
    public void start(InetSocketAddress address, int flags, Done done) {
        Objects.requireNonNull(done, "done");
        try (var arena = Arena.ofConfined()) {
            var sockaddr = SocketAddresses.encode(address, arena);
            long started = begin(status -> done.found(status, host, service), loop);
            int status = ask(loop, started, Memory.at(Upcalls.LookUps.NAMES), sockaddr, flags);
            begun(status, "look up " + SocketAddresses.text(address));
        }
    }

    /**
     * Asks at once and holds the thread up until there is an answer. Binds {@code uv_getnameinfo}, without a callback.
     * Parameters as for {@link #start}.
     *
     * @throws UvException when there are no such names
     */
    public static Names now(UvLoop loop, InetSocketAddress address, int flags) {
        loop.check();
        long request = Memory.allocate(uv.uv_req_size(uv.UV_GETNAMEINFO()));
        try (var arena = Arena.ofConfined()) {
            var sockaddr = SocketAddresses.encode(address, arena);
            int status = ask(loop, request, MemorySegment.NULL, sockaddr, flags);
            UvException.check(status, "look up " + SocketAddresses.text(address));
            return new Names(Memory.text(Offsets.host(request)), Memory.text(Offsets.service(request)));
        } finally {
            Memory.free(request);
        }
    }

    private static int ask(UvLoop loop, long request, MemorySegment callback, MemorySegment sockaddr, int flags) {
        return uv.uv_getnameinfo(Memory.at(loop.address()), Memory.at(request), callback, sockaddr, flags);
    }

    void completed(int status, long hostText, long serviceText) {
        host = status == 0 ? Memory.text(hostText) : "";
        service = status == 0 ? Memory.text(serviceText) : "";
        complete(unified(status));
    }
}
