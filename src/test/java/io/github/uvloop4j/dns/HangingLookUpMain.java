package io.github.uvloop4j.dns;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.testing.Until;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Looks up a name that the C library hangs at: it reads the file of aliases, which the environment says is a named pipe,
 * for a name without a dot that is in no table.
 */
public final class HangingLookUpMain {
    private HangingLookUpMain() {}

    /** Takes {@code jdk} or {@code libuv}. */
    public static void main(String[] arguments) throws Exception {
        var resolver = arguments[0].equals("jdk") ? Resolvers.jdk(4) : Resolvers.libuv();
        Protocol silent = data -> {};
        try (var loop = EventLoop.create(LoopOptions.defaults().resolver(resolver))) {
            loop.run(() -> {
                var connecting = loop.net().createConnection(() -> silent, "hangs", 1);
                Until.holds("it runs", () -> resolver.statistics().running() == 1);
                // Whoever asks after it is answered before it.
                resolver.nameInfo(
                                new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 1),
                                Set.of(NameInfoFlag.NUMERICHOST))
                        .toCompletableFuture()
                        .get();
                System.out.println(connecting.isDone() ? "it does not hang" : "it hangs");
                connecting.cancel();
                System.out.println("cancelled " + connecting.isCancelled());
                loop.net().getAddrInfo("hangs2", 1, AddrInfoHints.none());
            });
        }
        // That which was given up; of the other libuv may not have begun with it when the loop was closed.
        System.out.println("closed, it " + (resolver.statistics().running() > 0 ? "goes on" : "is over"));
        System.out.flush();
    }
}
