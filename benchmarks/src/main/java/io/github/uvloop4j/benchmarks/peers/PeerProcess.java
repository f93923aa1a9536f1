package io.github.uvloop4j.benchmarks.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What every echo server process here shares: its options, its first line, and its end with the harness. */
final class PeerProcess {
    static final int BACKLOG = 1024;
    private static final String UNIX = "unix:";

    private final Map<String, String> options = new HashMap<>();

    private PeerProcess() {}

    /** Reads {@code --name value} pairs; {@code --version} stands alone. A mistake ends the process with status 2. */
    static PeerProcess parse(String[] args, List<String> names) {
        var process = new PeerProcess();
        for (int i = 0; i < args.length; i++) {
            var name = args[i];
            if (name.equals("--version")) {
                process.options.put(name, "");
            } else if (names.contains(name) && i + 1 < args.length) {
                process.options.put(name, args[++i]);
            } else {
                throw fail("options: " + String.join(" VALUE, ", names) + " VALUE, --version; not " + name);
            }
        }
        return process;
    }

    String option(String name, String fallback) {
        return options.getOrDefault(name, fallback);
    }

    boolean asksVersion() {
        return options.containsKey("--version");
    }

    /** The address of {@code --addr}, a Unix or a loopback one: a benchmark opens no port to other machines. */
    SocketAddress address() {
        var text = option("--addr", "127.0.0.1:25000");
        if (text.startsWith(UNIX)) {
            return UnixDomainSocketAddress.of(text.substring(UNIX.length()));
        }
        int colon = text.lastIndexOf(':');
        try {
            var host = InetAddress.getByName(colon < 0 ? "" : text.substring(0, colon));
            if (!host.isLoopbackAddress()) {
                throw fail(text + ": only loopback addresses are served");
            }
            return new InetSocketAddress(host, Integer.parseInt(text.substring(colon + 1)));
        } catch (IOException | IllegalArgumentException e) {
            throw fail(text + ": expected HOST:PORT or unix:PATH");
        }
    }

    /** The address of {@code --addr} where only an internet one will do. */
    InetSocketAddress internetAddress() {
        if (address() instanceof InetSocketAddress internet) {
            return internet;
        }
        throw fail(option("--addr", "") + ": only HOST:PORT here");
    }

    /** Prints the first line. A Unix address is the one that was asked for. */
    void announce(SocketAddress bound) {
        System.out.println("listening on "
                + (bound instanceof InetSocketAddress internet ? text(internet) : option("--addr", "")));
        System.out.flush();
        Thread.ofPlatform().daemon().name("stdin").start(PeerProcess::endWithStdin);
    }

    private static String text(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    static RuntimeException fail(String message) {
        System.err.println(message);
        System.exit(2);
        return new IllegalStateException(message);
    }

    private static void endWithStdin() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            System.err.println("standard input: " + e);
        }
        Runtime.getRuntime().halt(0);
    }
}
