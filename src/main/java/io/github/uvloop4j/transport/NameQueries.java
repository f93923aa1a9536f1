package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.dns.AddrInfo;
import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.AddrInfoQuery;
import io.github.uvloop4j.dns.NameInfo;
import io.github.uvloop4j.dns.NameInfoFlag;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvGetNameInfo;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The questions of the C library's {@code getaddrinfo} and {@code getnameinfo}, to the loop's resolver. */
final class NameQueries {
    /** NI_NUMERICHOST and NI_NUMERICSERV. */
    private static final int NUMERIC = 3;

    private static final Set<NameInfoFlag> NUMBERS = Set.of(NameInfoFlag.NUMERICHOST, NameInfoFlag.NUMERICSERV);

    private NameQueries() {}

    static LoopFuture<List<AddrInfo>> addrInfo(
            LoopIo io, @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        io.check();
        var query = new AddrInfoQuery(io.resolver(), host, service, hints);
        try {
            var known = query.known();
            if (known != null) {
                return LoopFuture.completed(io.context(), known);
            }
            var name = query.asciiHost();
            var what = name == null ? "service " + service : name;
            return new LookUpFuture<List<AddrInfo>, List<AddrInfo>>(io, what, found -> checked(io, what, found))
                    .begin(() -> io.resolver().addrInfo(name, query.service(), hints));
        } catch (UnknownHostException unknown) {
            return LoopFuture.failed(io.context(), unknown);
        }
    }

    private static List<AddrInfo> checked(LoopIo io, String what, @Nullable List<AddrInfo> found)
            throws UnknownHostException {
        if (found == null || found.isEmpty()) {
            throw new UnknownHostException("the resolver " + io.resolver() + " answered nothing for " + what);
        }
        return found;
    }

    static LoopFuture<NameInfo> nameInfo(LoopIo io, InetSocketAddress address, NameInfoFlag... flags) {
        io.check();
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + address);
        }
        var asked = Set.copyOf(List.of(flags));
        if (asked.containsAll(NUMBERS)) {
            return LoopFuture.completed(io.context(), numbers(io, address));
        }
        var what = SocketAddresses.text(address);
        return new LookUpFuture<NameInfo, NameInfo>(io, what, found -> {
                    if (found == null) {
                        throw new UnknownHostException("the resolver " + io.resolver() + " answered null for " + what);
                    }
                    return found;
                })
                .begin(() -> io.resolver().nameInfo(address, asked));
    }

    /** The C library writes them down without asking anybody. */
    private static NameInfo numbers(LoopIo io, InetSocketAddress address) {
        var names = UvGetNameInfo.now(io.uv(), address, NUMERIC);
        return new NameInfo(names.host(), names.service());
    }
}
