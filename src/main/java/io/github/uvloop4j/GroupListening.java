package io.github.uvloop4j;

import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.transport.ServerLinks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

/** Makes the servers of a {@link GroupServer}, one on each loop, and lets them listen once all of them could bind. */
final class GroupListening {
    private final EventLoopGroup group;
    private final ServerKind kind;
    private final ServerOptions options;
    private final Steering steering;
    private final boolean shared;
    private final List<Server> made = new ArrayList<>();
    private List<SocketAddress> addresses = List.of();

    private GroupListening(EventLoopGroup group, ServerKind kind, SocketAddress address, ServerOptions options) {
        this.group = group;
        this.kind = kind;
        this.options = options;
        // A Unix socket cannot be shared.
        this.steering = address instanceof InetSocketAddress ? GroupSteering.choose(group) : Steering.ACCEPTOR;
        this.shared = steering != Steering.ACCEPTOR && group.size() > 1;
    }

    static GroupServer listen(EventLoopGroup group, ServerKind kind, SocketAddress address, ServerOptions options)
            throws IOException {
        var listening = new GroupListening(group, kind, address, options);
        try {
            listening.bind(address);
            var server = new GroupServer(group, listening.steering, listening.addresses, List.copyOf(listening.made));
            listening.serve();
            return server;
        } catch (Throwable error) {
            listening.giveUp();
            throw error;
        }
    }

    private void bind(SocketAddress address) throws IOException {
        if (shared && ((InetSocketAddress) address).getPort() != 0 && !options.reusePort()) {
            checkFree(address);
        }
        var real = address;
        for (int i = 0; i < group.size(); i++) {
            var loop = group.loop(i);
            var now = real;
            boolean listens = i == 0 || shared;
            on(loop, () -> {
                var server = listens
                        ? kind.listening(loop.net(), now, own()).await()
                        : kind.adopting(loop.net(), options).await();
                made.add(server);
                return server;
            });
            if (i == 0) {
                addresses = on(loop, made.getFirst()::addresses);
                real = withPort(address, addresses.getFirst());
            }
        }
    }

    private static SocketAddress withPort(SocketAddress asked, SocketAddress bound) {
        if (asked instanceof InetSocketAddress internet && bound instanceof InetSocketAddress real) {
            return internet.isUnresolved()
                    ? InetSocketAddress.createUnresolved(internet.getHostString(), real.getPort())
                    : new InetSocketAddress(internet.getAddress(), real.getPort());
        }
        return asked;
    }

    private ServerOptions own() {
        return options.reusePort(shared || options.reusePort()).startServing(false);
    }

    /** Sockets that share a port do so with any program of the same user: it would get part of the connections. */
    private void checkFree(SocketAddress address) throws IOException {
        var loop = group.loop(0);
        on(loop, () -> {
            var options = this.options.startServing(false);
            try (var server = kind.listening(loop.net(), address, options).await()) {
                return server.isServing();
            }
        });
    }

    private void serve() throws IOException {
        for (int i = 0; i < group.size(); i++) {
            int index = i;
            on(group.loop(i), () -> {
                var server = made.get(index);
                GroupSteering.apply(steering, group.plan(), index, server);
                route(index, server);
                server.startServing();
                return server;
            });
        }
    }

    private void route(int index, Server server) {
        if (group.size() > 1
                && (steering == Steering.ACCEPTOR || group.options().rebalance())) {
            var balance = group.options().rebalance();
            ServerLinks.route(server, new GroupRouter(made, index, steering == Steering.ACCEPTOR, balance));
        }
    }

    private void giveUp() {
        for (int i = 0; i < made.size(); i++) {
            try {
                group.loop(i).submit(made.get(i)::close);
            } catch (RejectedExecutionException closed) {
                // The loop has closed its server itself.
            }
        }
    }

    private static <T> T on(EventLoop loop, Callable<T> body) throws IOException {
        try {
            return loop.call(body);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while making a server");
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
