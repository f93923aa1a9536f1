package io.github.uvloop4j.benchmarks.peers;

import io.github.uvloop4j.EventLoop;
import java.net.Inet4Address;
import java.net.StandardProtocolFamily;
import java.util.List;

/**
 * The end-to-end effect of the own future: one echo server on raw sockets with a task per connection, whose operations
 * return a LoopFuture ({@code --mode loop-future}) or a CompletableFuture ({@code --mode completable-future}), and
 * differ in nothing else.
 */
public final class FutureEcho {
    private FutureEcho() {}

    public static void main(String[] args) throws Exception {
        var process = PeerProcess.parse(args, List.of("--addr", "--mode"));
        if (process.asksVersion()) {
            System.out.println("JDK " + Runtime.version());
            return;
        }
        var mode = process.option("--mode", "loop-future");
        EventLoop.run(loop -> {
            switch (mode) {
                case "loop-future" -> serve(loop, new FutureKind.Loop(loop), process);
                case "completable-future" -> serve(loop, new FutureKind.Completable(), process);
                default -> throw PeerProcess.fail("--mode " + mode + ": expected loop-future or completable-future");
            }
        });
    }

    private static <F> void serve(EventLoop loop, FutureKind<F> kind, PeerProcess process) throws Exception {
        var address = process.internetAddress();
        boolean v4 = address.getAddress() instanceof Inet4Address;
        var calls = new RawCalls();
        try (var listener = loop.sockets().openTcp(v4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6)) {
            listener.bind(address);
            listener.listen(PeerProcess.BACKLOG);
            process.announce(listener.localAddress());
            while (true) {
                var accepted = loop.sockets().sockAccept(listener).await();
                loop.spawn(new FutureConnection<>(loop, kind, calls, accepted.socket())::echo);
            }
        }
    }
}
