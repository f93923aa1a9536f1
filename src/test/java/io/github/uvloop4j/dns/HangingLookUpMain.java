package io.github.uvloop4j.dns;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.uv.UvPool;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Looks up names that the C library hangs at: it reads the file of aliases, which the environment says is a named pipe,
 * for a name without a dot that is in no table.
 */
public final class HangingLookUpMain {
    private HangingLookUpMain() {}

    /** Takes {@code jdk} or {@code libuv}. */
    public static void main(String[] arguments) throws Exception {
        var resolver = arguments[0].equals("jdk") ? Resolvers.jdk(8) : Resolvers.libuv();
        Protocol silent = data -> {};
        try (var loop = EventLoop.create(LoopOptions.defaults().resolver(resolver))) {
            loop.run(() -> {
                var connecting = loop.net().createConnection(() -> silent, "hangs", 1);
                // It is answered later than one that was asked for before and does not hang.
                resolver.nameInfo(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1),
                                Set.of(NameInfoFlag.NUMERICHOST))
                        .toCompletableFuture()
                        .get();
                System.out.println(connecting.isDone() ? "it does not hang" : "it hangs");
                for (int i = 1; i < 4; i++) {
                    loop.net().getAddrInfo("hangs" + i, 1, AddrInfoHints.none());
                }
                var files = Thread.ofPlatform().daemon().start(UvPool::start);
                files.join();
                System.out.println("files go on");
                connecting.cancel();
                System.out.println("cancelled " + connecting.isCancelled());
            });
        }
        System.out.println("closed, it " + (resolver.statistics().running() > 0 ? "goes on" : "is over"));
    }
}
