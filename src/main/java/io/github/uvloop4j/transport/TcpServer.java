package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Listening sockets whose connections get a protocol each. */
final class TcpServer implements Server, LoopIo.Closeables {
    private final LoopIo io;
    private final Supplier<? extends BaseProtocol> factory;
    private final ServerOptions options;
    private final List<UvTcp> listeners;
    private final Set<StreamBase> clients = Collections.newSetFromMap(new IdentityHashMap<>());
    private final LoopFuture<@Nullable Void> ended;

    /** Of who made the server: the factory and the protocols run in it. */
    private final @Nullable Context context;

    private @Nullable LoopFuture<@Nullable Void> serving;
    private boolean started;
    private boolean closed;

    /** Connections whose protocol is being made, which may close this server. */
    private int accepting;

    TcpServer(LoopIo io, Supplier<? extends BaseProtocol> factory, ServerOptions options, List<UvTcp> listeners) {
        this.io = io;
        this.factory = factory;
        this.options = options;
        this.listeners = listeners;
        this.ended = new LoopFuture<>(io.context());
        this.context = io.context().capture();
        io.opened(this);
        for (var listener : listeners) {
            io.own(listener.fileno(), this);
        }
    }

    @Override
    public List<InetSocketAddress> addresses() {
        io.check();
        return closed ? List.of() : listeners.stream().map(UvTcp::localAddress).toList();
    }

    @Override
    public boolean isServing() {
        return started && !closed;
    }

    @Override
    public void startServing() {
        try {
            start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() throws IOException {
        io.check();
        if (closed) {
            throw new IllegalStateException("the server is closed");
        }
        if (started) {
            return;
        }
        started = true;
        try {
            for (var listener : listeners) {
                TcpListeners.listen(listener, options.backlog(), this::accept, io);
            }
        } catch (IOException | RuntimeException error) {
            close();
            throw error;
        }
    }

    private void accept(UvTcp listener) {
        accepting++;
        try {
            var client = TcpListeners.accept(io, listener, options);
            if (client != null) {
                Context.enclose(context, () -> serve(client)).run();
            }
        } finally {
            accepting--;
            endIfEmpty();
        }
    }

    private void serve(UvTcp client) {
        BaseProtocol protocol;
        try {
            protocol = Objects.requireNonNull(factory.get(), "the factory returned null");
        } catch (Throwable error) {
            client.close();
            io.context().report("the protocol factory failed", error, factory);
            return;
        }
        var transport = new ProtocolTransport(io, client, protocol, options.writeLimits(), this::gone);
        clients.add(transport);
        transport.start();
    }

    private void gone(StreamBase client) {
        clients.remove(client);
        endIfEmpty();
    }

    private void endIfEmpty() {
        if (closed && clients.isEmpty() && accepting == 0) {
            ended.complete(null);
        }
    }

    @Override
    public LoopFuture<@Nullable Void> serveForever() {
        startServing();
        var before = serving;
        if (before != null && !before.isDone()) {
            throw new IllegalStateException("serveForever has a waiter already");
        }
        var future = new LoopFuture<@Nullable Void>(io.context());
        serving = future;
        future.whenDone((nothing, error) -> close());
        return future;
    }

    @Override
    public void close() {
        io.check();
        if (closed) {
            return;
        }
        closed = true;
        for (var listener : listeners) {
            io.disown(listener.fileno());
            listener.close();
        }
        io.closed(this);
        var waiter = serving;
        if (waiter != null) {
            waiter.cancel();
        }
        endIfEmpty();
    }

    @Override
    public void abortNow() {
        close();
    }

    @Override
    public void closeClients() {
        io.check();
        new ArrayList<>(clients).forEach(StreamBase::closeGracefully);
    }

    @Override
    public void abortClients() {
        io.check();
        new ArrayList<>(clients).forEach(StreamBase::abortNow);
    }

    @Override
    public int clientCount() {
        return clients.size();
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        // One for each caller: cancelling it is theirs alone.
        return ended.isDone() ? ended : ended.map(nothing -> null);
    }

    @Override
    public String toString() {
        return "server" + (closed ? " [closed]" : started ? " [serving]" : " [not started]");
    }
}
