package io.github.uvloop4j.dns;

import io.github.uvloop4j.util.HostAnswers;
import io.github.uvloop4j.uv.UvAddrInfo;
import io.github.uvloop4j.uv.UvGetAddrInfo;
import io.github.uvloop4j.uv.UvGetNameInfo;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvPoolRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The C library's resolver on libuv's pool. */
final class LibuvResolver implements Resolver {
    static final LibuvResolver SHARED = new LibuvResolver();

    private final LookUpLoop home = new LookUpLoop();

    private final class Addresses extends LibuvLookUp<List<UvAddrInfo>> {
        private final @Nullable String host;
        private final @Nullable String service;
        private final UvAddrInfo.Hints hints;

        Addresses(@Nullable String host, @Nullable String service, AddrInfoHints hints) {
            super(home);
            this.host = host;
            this.service = service;
            this.hints = SystemLookUps.numbers(hints);
        }

        @Override
        UvPoolRequest start(UvLoop loop) {
            var request = new UvGetAddrInfo(loop);
            try {
                request.start(
                        host,
                        service,
                        hints,
                        (status, found) -> over(
                                status == 0
                                        ? null
                                        : LookUpErrors.of(status, "look up " + (host == null ? service : host)),
                                found));
            } catch (RuntimeException refused) {
                request.free();
                throw refused;
            }
            return request;
        }
    }

    private final class Names extends LibuvLookUp<NameInfo> {
        private final InetSocketAddress address;
        private final int flags;

        Names(InetSocketAddress address, int flags) {
            super(home);
            this.address = address;
            this.flags = flags;
        }

        @Override
        UvPoolRequest start(UvLoop loop) {
            var request = new UvGetNameInfo(loop);
            try {
                request.start(
                        address,
                        flags,
                        (status, host, service) -> over(
                                status == 0 ? null : LookUpErrors.of(status, "look up " + address),
                                new NameInfo(host, service)));
            } catch (RuntimeException refused) {
                request.free();
                throw refused;
            }
            return request;
        }
    }

    private CompletableFuture<List<UvAddrInfo>> find(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        var lookUp = new Addresses(host, service, hints);
        home.begin(lookUp);
        return lookUp;
    }

    @Override
    public CompletionStage<List<InetAddress>> resolve(String host, @Nullable ProtocolFamily family) {
        var streams = AddrInfoHints.none().family(family).type(SocketType.STREAM);
        return new Derived<>(
                find(host, null, streams),
                found -> HostAnswers.checked(
                        this,
                        host,
                        family,
                        found.stream().map(info -> info.address().getAddress()).toList()));
    }

    @Override
    public CompletionStage<List<AddrInfo>> addrInfo(
            @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return new Derived<>(find(host, service, hints), SystemLookUps::answers);
    }

    @Override
    public CompletionStage<NameInfo> nameInfo(InetSocketAddress address, Set<NameInfoFlag> flags) {
        var lookUp = new Names(address, NameInfoFlag.codes(flags));
        home.begin(lookUp);
        return lookUp;
    }

    @Override
    public ResolverStatistics statistics() {
        return home.statistics();
    }

    @Override
    public String toString() {
        return "libuv's resolver";
    }
}
