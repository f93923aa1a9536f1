package io.github.uvloop4j.examples.dns;

import io.github.uvloop4j.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Prints the addresses of names, as a server of one's choice tells them. */
public final class Lookup {
    private Lookup() {}

    /** {@code Lookup 127.0.0.53 53 NAME...}: the server's address and port, and names. */
    public static void main(String[] args) throws Exception {
        var server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        var resolver = new StubResolver(List.of(server), Duration.ofSeconds(1), 3);
        EventLoop.run(loop -> {
            for (var name : Arrays.asList(args).subList(2, args.length)) {
                for (var address : resolver.lookUp(name, null)) {
                    System.out.println(name + " " + address.getHostAddress());
                }
            }
        });
    }
}
