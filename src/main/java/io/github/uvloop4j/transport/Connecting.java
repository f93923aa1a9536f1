package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Connected;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes connections to servers. Loop thread only. */
record Connecting(LoopIo io) {
    private LoopFuture<UvStream> attempt(String host, int port, ConnectOptions options) {
        return new ConnectAttempt(io, HostAddresses.toConnect(io, host, port, options.family()), options).begin();
    }

    private LoopFuture<UvStream> attempt(SocketAddress target, ConnectOptions options) {
        if (!(target instanceof InetSocketAddress internet)) {
            return new UnixConnect(io, target, options).begin();
        }
        return internet.isUnresolved()
                ? attempt(internet.getHostString(), internet.getPort(), options)
                : new ConnectAttempt(io, LoopFuture.completed(io.context(), List.of(internet)), options).begin();
    }

    private static void check(SocketAddress target) {
        if (!(target instanceof InetSocketAddress) && !SocketNames.isUnix(target)) {
            throw new IllegalArgumentException("neither an internet nor a Unix address: " + target);
        }
    }

    private static @Nullable String host(SocketAddress target) {
        return target instanceof InetSocketAddress internet ? internet.getHostString() : null;
    }

    // For protocols

    <P extends BaseProtocol> LoopFuture<Connected<P>> connect(
            Supplier<P> protocol, String host, int port, ConnectOptions options) {
        TlsErrors.checkHost(options.tls(), host);
        var future = new Future<>(io, protocol, options, host);
        return future.follow(attempt(host, port, options));
    }

    <P extends BaseProtocol> LoopFuture<Connected<P>> connect(
            Supplier<P> protocol, SocketAddress target, ConnectOptions options) {
        check(target);
        var host = host(target);
        TlsErrors.checkHost(options.tls(), host);
        var future = new Future<>(io, protocol, options, host);
        return future.follow(attempt(target, options));
    }

    <P extends BaseProtocol> LoopFuture<Connected<P>> connect(
            Supplier<P> protocol, RawSocket socket, ConnectOptions options) {
        try {
            TlsErrors.checkHost(options.tls(), null);
            var stream = TakenSockets.connected(io, socket, Tuning.of(options));
            var future = new Future<>(io, protocol, options, null);
            future.connected(stream);
            return future;
        } catch (IOException e) {
            return LoopFuture.failed(io.context(), e);
        }
    }

    /** The future of a protocol's connection; cancelling it gives up whatever is under way. */
    private static final class Future<P extends BaseProtocol> extends LoopFuture<Connected<P>>
            implements TlsTransport.Outcome {
        private final LoopIo io;
        private final Supplier<P> factory;
        private final ConnectOptions options;
        private final @Nullable String host;
        private final @Nullable Throwable creation;
        private volatile @Nullable LoopFuture<?> underWay;
        private volatile @Nullable TlsTransport secured;

        Future(LoopIo io, Supplier<P> factory, ConnectOptions options, @Nullable String host) {
            super(io.context());
            this.io = io;
            this.factory = Objects.requireNonNull(factory, "protocol");
            this.options = options;
            this.host = host;
            this.creation = io.context().creation("connection");
        }

        Future<P> follow(LoopFuture<UvStream> attempt) {
            underWay = attempt;
            attempt.whenDone((stream, error) -> {
                if (error != null) {
                    completeExceptionally(error);
                } else {
                    connected(stream);
                }
            });
            return this;
        }

        void connected(UvStream stream) {
            if (isDone()) {
                stream.close();
                return;
            }
            var tls = options.tls();
            if (tls != null) {
                secure(stream, tls);
                return;
            }
            var protocol = make();
            if (protocol == null) {
                stream.close();
                return;
            }
            var transport = new ProtocolTransport(io, stream, protocol, options.writeLimits(), null);
            transport.createdAt(creation);
            transport.peerHost(host);
            transport.start(false);
            if (!complete(new Connected<>(transport, protocol))) {
                transport.abort();
            }
        }

        private void secure(UvStream stream, ClientTls tls) {
            try {
                var transport = TlsTransport.over(io, stream, tls, host, options.writeLimits(), this, null, creation);
                secured = transport;
                if (isDone()) {
                    transport.abort();
                }
            } catch (RuntimeException refused) {
                completeExceptionally(refused);
            }
        }

        private @Nullable P make() {
            try {
                return Objects.requireNonNull(factory.get(), "the factory returned null");
            } catch (Throwable error) {
                completeExceptionally(error);
                return null;
            }
        }

        @Override
        public void established(TlsTransport transport) {
            if (isDone()) {
                transport.abort();
                return;
            }
            var protocol = make();
            if (protocol == null) {
                transport.abort();
                return;
            }
            transport.made(protocol);
            if (!complete(new Connected<>(transport, protocol))) {
                transport.abort();
            }
        }

        @Override
        public void failed(IOException error) {
            completeExceptionally(error);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            var work = underWay;
            if (cancelled && work != null) {
                work.cancel();
            }
            var transport = secured;
            if (cancelled && transport != null) {
                transport.abortFromAnywhere();
            }
            return cancelled;
        }
    }

    // For tasks

    private void checkTask() {
        if (io.context().currentTask() == null) {
            throw new IllegalStateException("openConnection would stop the loop: call it in a task (loop.spawn)");
        }
    }

    Connection open(String host, int port, ConnectOptions options) throws IOException {
        checkTask();
        TlsErrors.checkHost(options.tls(), host);
        return opened(attempt(host, port, options), options, host);
    }

    Connection open(SocketAddress target, ConnectOptions options) throws IOException {
        check(target);
        checkTask();
        var host = host(target);
        TlsErrors.checkHost(options.tls(), host);
        return opened(attempt(target, options), options, host);
    }

    private Connection opened(LoopFuture<UvStream> attempt, ConnectOptions options, @Nullable String host)
            throws IOException {
        UvStream stream;
        try {
            stream = Linear.await(attempt);
            Task.checkCancelled();
        } catch (RuntimeException cancelled) {
            attempt.cancel();
            // It may have connected in the very turn of the cancel: nobody else would close it.
            attempt.whenDone((late, error) -> {
                if (error == null) {
                    late.close();
                }
            });
            throw cancelled;
        }
        return opened(stream, options, host);
    }

    Connection open(RawSocket socket, ConnectOptions options) throws IOException {
        if (options.tls() != null) {
            checkTask();
            TlsErrors.checkHost(options.tls(), null);
        }
        return opened(TakenSockets.connected(io, socket, Tuning.of(options)), options, null);
    }

    private Connection opened(UvStream stream, ConnectOptions options, @Nullable String host) throws IOException {
        var tls = options.tls();
        if (tls != null) {
            return TlsOpening.over(io, stream, tls, host, options.writeLimits());
        }
        var connection = new TaskConnection(io, stream, options.writeLimits(), null);
        connection.peerHost(host);
        connection.createdAt(io.context().creation("connection"));
        return connection.started(false);
    }
}
