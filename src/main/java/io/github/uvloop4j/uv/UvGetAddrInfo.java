package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.addrinfo;
import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.util.HostNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks addresses and services up by name, on a thread of libuv's pool. Binds {@code uv_getaddrinfo_t}. Loop thread
 * only.
 */
public final class UvGetAddrInfo extends UvPoolRequest {
    private static final int LONGEST_SERVICE = 255;

    private List<UvAddrInfo> found = List.of();

    /** Who is told the outcome. */
    @FunctionalInterface
    public interface Done {
        /** Gets 0 and the answers, or a negative code and none. */
        void found(int status, List<UvAddrInfo> answers);
    }

    /** A request for {@link #start}. */
    public UvGetAddrInfo(UvLoop loop) {
        super(loop, uv.UV_GETADDRINFO());
    }

    /**
     * Begins. Binds {@code uv_getaddrinfo}.
     *
     * @param node a name, which is encoded in ASCII here and not by libuv, or an address; null for this machine
     * @param service the name of a service or the number of a port; null for none
     * @throws IllegalArgumentException when both are null, or one holds what C would misread: a character of code 0, or
     *     more characters than such names have
     */
    public void start(@Nullable String node, @Nullable String service, UvAddrInfo.Hints hints, Done done) {
        Objects.requireNonNull(done, "done");
        try (var arena = Arena.ofConfined()) {
            var question = Question.of(node, service, hints, arena);
            long started = begin(status -> done.found(status, takeFound()), loop);
            begun(question.ask(loop, started, Memory.at(Upcalls.LookUps.ADDRESSES)), "look up " + question.text);
        }
    }

    /**
     * Asks at once and holds the thread up until there is an answer. Binds {@code uv_getaddrinfo}, without a callback.
     * Parameters and errors as for {@link #start}.
     *
     * @throws UvException when nothing was found
     */
    public static List<UvAddrInfo> now(
            UvLoop loop, @Nullable String node, @Nullable String service, UvAddrInfo.Hints hints) {
        loop.check();
        long request = Memory.allocate(uv.uv_req_size(uv.UV_GETADDRINFO()));
        try (var arena = Arena.ofConfined()) {
            var question = Question.of(node, service, hints, arena);
            UvException.check(question.ask(loop, request, MemorySegment.NULL), "look up " + question.text);
            return UvAddrInfo.take(Offsets.addrinfo(request));
        } finally {
            Memory.free(request);
        }
    }

    void completed(int status, long first) {
        found = UvAddrInfo.take(first);
        complete(unified(status));
    }

    private List<UvAddrInfo> takeFound() {
        var taken = found;
        found = List.of();
        return taken;
    }

    /** What is asked, in C's memory. */
    private record Question(MemorySegment node, MemorySegment service, MemorySegment hints, String text) {
        static Question of(@Nullable String node, @Nullable String service, UvAddrInfo.Hints hints, Arena arena) {
            if (node == null && service == null) {
                throw new IllegalArgumentException("neither a node nor a service to look up");
            }
            var given = arena.allocate(addrinfo.layout()).fill((byte) 0);
            addrinfo.ai_flags(given, hints.flags());
            addrinfo.ai_family(given, hints.family());
            addrinfo.ai_socktype(given, hints.socketType());
            addrinfo.ai_protocol(given, hints.protocol());
            var name = node == null ? null : HostNames.ascii(node);
            return new Question(
                    name == null ? MemorySegment.NULL : arena.allocateFrom(name),
                    service == null ? MemorySegment.NULL : arena.allocateFrom(checkService(service)),
                    given,
                    node == null ? "service " + service : node);
        }

        private static String checkService(String service) {
            if (service.length() > LONGEST_SERVICE) {
                throw new IllegalArgumentException(
                        "a service has at most " + LONGEST_SERVICE + " characters, this one " + service.length());
            }
            return checkText("service", service);
        }

        int ask(UvLoop loop, long request, MemorySegment callback) {
            return uv.uv_getaddrinfo(Memory.at(loop.address()), Memory.at(request), callback, node, service, hints);
        }
    }
}
