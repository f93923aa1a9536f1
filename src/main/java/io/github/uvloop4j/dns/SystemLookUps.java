package io.github.uvloop4j.dns;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.uv.UvAddrInfo;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvGetAddrInfo;
import io.github.uvloop4j.uv.UvGetNameInfo;
import io.github.uvloop4j.uv.UvLoop;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The C library's look-ups on threads of ours: libuv runs them on the thread that calls it, and not on its pool. */
final class SystemLookUps {
    private SystemLookUps() {}

    static CompletableFuture<List<AddrInfo>> addresses(
            LookUpThreads threads, @Nullable String host, @Nullable String service, AddrInfoHints hints) {
        return onLoop(threads, loop -> answers(UvGetAddrInfo.now(loop, host, service, numbers(hints))));
    }

    static CompletableFuture<NameInfo> names(
            LookUpThreads threads, InetSocketAddress address, Set<NameInfoFlag> flags) {
        int codes = NameInfoFlag.codes(flags);
        return onLoop(threads, loop -> {
            var names = UvGetNameInfo.now(loop, address, codes);
            return new NameInfo(names.host(), names.service());
        });
    }

    /** Older versions of libuv write to the loop, which cannot be another thread's. */
    private static <T> CompletableFuture<T> onLoop(LookUpThreads threads, Function<UvLoop, T> lookUp) {
        return threads.run(() -> {
            try (var loop = UvLoop.create()) {
                return lookUp.apply(loop);
            } catch (UvException e) {
                throw LookUpErrors.of(e);
            }
        });
    }

    static UvAddrInfo.Hints numbers(AddrInfoHints hints) {
        var family = hints.family();
        int familyCode = family == null
                ? libc.AF_UNSPEC()
                : family == StandardProtocolFamily.INET6 ? libc.AF_INET6() : libc.AF_INET();
        var type = hints.type();
        return new UvAddrInfo.Hints(
                AddrInfoFlag.codes(hints.flags()), familyCode, type == null ? 0 : type.code(), hints.protocol());
    }

    /** Without those of kinds of sockets that nobody knows here. */
    static List<AddrInfo> answers(List<UvAddrInfo> found) {
        return found.stream()
                .flatMap(info -> {
                    var type = SocketType.of(info.socketType());
                    var family = info.family() == libc.AF_INET6()
                            ? StandardProtocolFamily.INET6
                            : StandardProtocolFamily.INET;
                    return type == null
                            ? Stream.empty()
                            : Stream.of(
                                    new AddrInfo(family, type, info.protocol(), info.canonicalName(), info.address()));
                })
                .toList();
    }
}
