package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.addrinfo;
import io.github.uvloop4j.ffi.uv;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One answer of {@link UvGetAddrInfo}, with the numbers of C. Binds {@code struct addrinfo}. Any thread.
 *
 * @param family AF_INET or AF_INET6
 * @param socketType a SOCK_ constant
 * @param protocol an IPPROTO_ constant
 * @param address the address and the port; an IPv4 address that is mapped into IPv6 stays an Inet6Address
 * @param canonicalName the name's canonical form, in the first answer only and if asked for
 */
public record UvAddrInfo(
        int family,
        int socketType,
        int protocol,
        InetSocketAddress address,
        @Nullable String canonicalName) {
    /**
     * What is asked for; 0 for any. Binds {@code struct addrinfo}.
     *
     * @param flags AI_ constants
     * @param family AF_INET or AF_INET6
     * @param socketType a SOCK_ constant
     * @param protocol an IPPROTO_ constant
     */
    public record Hints(int flags, int family, int socketType, int protocol) {
        /** Everything. */
        public static final Hints NONE = new Hints(0, 0, 0, 0);
    }

    /** The answers in a list of C's, which is freed. Binds {@code uv_freeaddrinfo}. */
    static List<UvAddrInfo> take(long first) {
        if (first == 0) {
            return List.of();
        }
        try {
            var all = new ArrayList<UvAddrInfo>();
            for (long at = first; at != 0; ) {
                var info = Memory.at(at, addrinfo.sizeof());
                var one = decode(info);
                if (one != null) {
                    all.add(one);
                }
                at = addrinfo.ai_next(info).address();
            }
            return List.copyOf(all);
        } finally {
            uv.uv_freeaddrinfo(Memory.at(first));
        }
    }

    private static @Nullable UvAddrInfo decode(MemorySegment info) {
        var sockaddr = addrinfo.ai_addr(info).reinterpret(addrinfo.ai_addrlen(info));
        var address = SocketAddresses.decodeUnmapped(sockaddr);
        var name = addrinfo.ai_canonname(info);
        return address == null
                ? null
                : new UvAddrInfo(
                        addrinfo.ai_family(info),
                        addrinfo.ai_socktype(info),
                        addrinfo.ai_protocol(info),
                        address,
                        name.address() == 0 ? null : Memory.text(name.address()));
    }
}
