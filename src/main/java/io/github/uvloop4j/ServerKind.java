package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.Network;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import java.net.SocketAddress;
import java.util.function.Supplier;

/** What connections get, as the ways to make a server that gives it to them. */
interface ServerKind {
    /** A server that listens. */
    LoopFuture<Server> listening(Network net, SocketAddress address, ServerOptions options);

    /** A server that gets its connections from another loop. */
    LoopFuture<Server> adopting(Network net, ServerOptions options);

    /** Connections get a protocol. */
    static ServerKind of(Supplier<? extends BaseProtocol> protocol) {
        return new ServerKind() {
            @Override
            public LoopFuture<Server> listening(Network net, SocketAddress address, ServerOptions options) {
                return net.createServer(protocol, address, options);
            }

            @Override
            public LoopFuture<Server> adopting(Network net, ServerOptions options) {
                return net.createServer(protocol, options);
            }
        };
    }

    /** Connections get a task that runs a handler. */
    static ServerKind of(ConnectionHandler handler) {
        return new ServerKind() {
            @Override
            public LoopFuture<Server> listening(Network net, SocketAddress address, ServerOptions options) {
                return net.startServer(handler, address, options);
            }

            @Override
            public LoopFuture<Server> adopting(Network net, ServerOptions options) {
                return net.startServer(handler, options);
            }
        };
    }
}
