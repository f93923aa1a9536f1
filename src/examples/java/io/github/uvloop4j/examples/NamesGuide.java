package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.dns.AddrInfo;
import io.github.uvloop4j.dns.AddrInfoFlag;
import io.github.uvloop4j.dns.AddrInfoHints;
import io.github.uvloop4j.dns.NameInfoFlag;
import io.github.uvloop4j.dns.Resolver;
import io.github.uvloop4j.dns.Resolvers;
import io.github.uvloop4j.dns.SocketType;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.ServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the guide "Network" shows of names and connecting, as a program that runs. */
public final class NamesGuide {
    private NamesGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        var hosts = Map.of("db.test", List.of(InetAddress.ofLiteral("::1"), InetAddress.ofLiteral("127.0.0.1")));
        var resolver = Resolvers.caching(
                Resolvers.fixed(hosts, Resolvers.jdk()), 1_000, Duration.ofSeconds(30), Duration.ofSeconds(5));
        var ours = within(".test", resolver);
        try (var loop = EventLoop.create(LoopOptions.defaults().resolver(ours))) {
            loop.run(() -> {
                connect(loop);
                ask(loop);
            });
        }
        System.out.println(resolver.statistics());
    }

    private static void connect(EventLoop loop) throws Exception {
        var hosts = List.of("127.0.0.1", "::1");
        var server = loop.net()
                .startServer(connection -> connection.write("welcome\n"), hosts, 0, ServerOptions.defaults())
                .await();
        int port = server.port();
        var options =
                ConnectOptions.defaults().attemptDelay(Duration.ofMillis(150)).timeout(Duration.ofSeconds(5));
        try (var connection = loop.net().openConnection("db.test", port, options)) {
            System.out.print(connection.readLine());
        }
        server.close();
    }

    private static void ask(EventLoop loop) throws Exception {
        var hints = AddrInfoHints.none().type(SocketType.STREAM).flags(AddrInfoFlag.CANONNAME);
        for (AddrInfo info : loop.net().getAddrInfo("db.test", "443", hints).await()) {
            System.out.println(info.family() + " " + info.address());
        }
        var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 443);
        var name = loop.net().getNameInfo(address, NameInfoFlag.NUMERICSERV).await();
        System.out.println(name.host() + ' ' + name.service());
    }

    /** A resolver of one's own: it knows hosts of one domain only. */
    static Resolver within(String domain, Resolver source) {
        return (host, family) -> host.endsWith(domain)
                ? source.resolve(host, family)
                : CompletableFuture.failedFuture(new UnknownHostException("not ours: " + host));
    }
}
