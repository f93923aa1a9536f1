package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.RawSocket;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listening sockets, and the connections that came in by them or were adopted. */
final class StreamServer implements Server, LoopIo.Closeables, Created {
    private static final int MOST_WAITING = 4096;
    private static final int MOST_AT_ONCE = 16;
    private static final VarHandle COUNT;
    private static final VarHandle ACCEPTED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(StreamServer.class, "clientCount", int.class);
            ACCEPTED = lookup.findVarHandle(StreamServer.class, "acceptedCount", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LoopIo io;
    private final StreamClients kind;
    private final ServerOptions options;
    private final Tuning tuning;
    private final List<ListenSocket> listeners;
    private final Set<StreamClients.Client> clients = Collections.newSetFromMap(new IdentityHashMap<>());
    private final LoopFuture<@Nullable Void> ended;

    /** Of who made the server: what serves its connections runs in it. */
    private final Context context;

    private final @Nullable Throwable creation;
    private final Consumer<StreamClients.Client> whenGone = this::gone;

    @SuppressWarnings("UnusedVariable") // through COUNT
    private int clientCount;

    @SuppressWarnings("UnusedVariable") // through ACCEPTED
    private long acceptedCount;

    /** How many connections are taken in one go: more and more while there are more. Each try in vain costs a call. */
    private int atOnce = 1;

    private int aborted;

    private @Nullable LoopFuture<@Nullable Void> serving;
    private boolean started;
    private boolean closed;

    /** Closed by a shutdown, which has time for connections that are on their way. */
    private boolean shuttingDown;

    /** Who serves what this server accepts; null for itself. */
    private ServerLinks.@Nullable Router router;

    /** Connections that other loops have accepted for this one. Any thread. */
    private final AtomicInteger coming = new AtomicInteger();

    /** Connections that are being given to who serves them, which may close this server. */
    private int accepting;

    StreamServer(
            LoopIo io,
            StreamClients kind,
            ServerOptions options,
            List<ListenSocket> listeners,
            @Nullable Throwable creation) {
        this.io = io;
        this.kind = kind;
        this.options = options;
        this.tuning = Tuning.of(options);
        this.listeners = listeners;
        this.creation = creation;
        this.ended = new LoopFuture<>(io.context());
        this.context = Context.capture();
        io.opened(this);
        for (var listener : listeners) {
            io.own(listener.fd(), this);
        }
    }

    @Override
    public List<SocketAddress> addresses() {
        io.check();
        return closed
                ? List.of()
                : listeners.stream().map(ListenSocket::address).toList();
    }

    @Override
    public boolean isServing() {
        io.checkLook();
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
                listener.listen(options.backlog(), this::connectionsWait);
            }
        } catch (IOException | RuntimeException error) {
            close();
            throw error;
        }
    }

    private void connectionsWait(ListenSocket socket) {
        for (int i = 0; i < atOnce && isServing(); i++) {
            int fd = socket.accept();
            if (fd < 0) {
                atOnce = 1;
                return;
            }
            accepted(fd, socket.isUnix());
        }
        atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
    }

    private void accepted(int fd, boolean unix) {
        var target = router == null ? this : (StreamServer) router.route();
        if (target == this) {
            take(fd, unix);
        } else {
            passOn(fd, unix, target);
        }
    }

    private void take(int fd, boolean unix) {
        var client = ListenSockets.connection(io, fd, unix, tuning);
        if (client != null) {
            take(client);
        }
    }

    /** The descriptors of the listening sockets, which stay this server's. */
    int[] descriptors() {
        io.check();
        return listeners.stream().mapToInt(ListenSocket::fd).toArray();
    }

    void route(ServerLinks.Router value) {
        router = value;
    }

    int load() {
        return clientCount() + coming.get();
    }

    private static void passOn(int fd, boolean unix, StreamServer target) {
        target.coming.incrementAndGet();
        try {
            target.io.context().post(() -> target.takePassed(fd, unix));
        } catch (RejectedExecutionException closed) {
            SocketCalls.close(fd);
            target.coming.decrementAndGet();
        }
    }

    private void takePassed(int fd, boolean unix) {
        try {
            if (closed && (!shuttingDown || ended.isDone())) {
                SocketCalls.close(fd);
            } else {
                take(fd, unix);
            }
        } finally {
            coming.decrementAndGet();
            endIfEmpty();
        }
    }

    private void take(UvStream client) {
        accepting++;
        try {
            context.run(() -> serve(client));
        } finally {
            accepting--;
            endIfEmpty();
        }
    }

    private void serve(UvStream stream) {
        long number = acceptedCount() + 1;
        ACCEPTED.setOpaque(this, number);
        var client = kind.serve(stream, number, whenGone, creation);
        if (client != null) {
            clients.add(client);
            countClients();
        }
    }

    private void gone(StreamClients.Client client) {
        clients.remove(client);
        countClients();
        endIfEmpty();
    }

    private void countClients() {
        COUNT.setOpaque(this, clients.size());
    }

    @Override
    public void adopt(RawSocket connection) throws IOException {
        io.check();
        Objects.requireNonNull(connection, "connection");
        if (closed) {
            SocketCalls.close(connection.detach());
            throw new IllegalStateException("the server is closed");
        }
        take(TakenSockets.connected(io, connection, tuning));
    }

    private void endIfEmpty() {
        if (closed && clients.isEmpty() && accepting == 0 && coming.get() == 0) {
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
            io.disown(listener.fd());
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
    public @Nullable Throwable creation() {
        return creation;
    }

    @Override
    public void abortNow() {
        close();
    }

    @Override
    public void closeClients() {
        io.check();
        new ArrayList<>(clients).forEach(StreamClients.Client::closeGracefully);
    }

    @Override
    public void abortClients() {
        io.check();
        new ArrayList<>(clients).forEach(StreamClients.Client::abortNow);
    }

    @Override
    public LoopFuture<Integer> shutdown(Duration limit) {
        io.check();
        long nanos = Durations.notNegative(limit, "limit");
        for (var listener : listeners) {
            takeWaiting(listener);
        }
        shuttingDown = true;
        close();
        return new ServerShutdown(io, this).begin(nanos);
    }

    /**
     * Takes what the kernel has established, which closing the socket would reset. A number at most: they may go on
     * coming as fast as they are taken.
     */
    private void takeWaiting(ListenSocket listener) {
        int most = Math.max(options.backlog(), MOST_WAITING);
        for (int i = 0; i < most && isServing(); i++) {
            int fd = listener.accept();
            if (fd < 0) {
                return;
            }
            take(fd, listener.isUnix());
        }
    }

    /** For a shutdown, whose limit is over. */
    void abortLeft() {
        shuttingDown = false;
        aborted += clients.size();
        abortClients();
    }

    /** How many connections a shutdown has aborted. */
    int abortedCount() {
        return aborted;
    }

    @Override
    public int clientCount() {
        return (int) COUNT.getOpaque(this);
    }

    @Override
    public long acceptedCount() {
        return (long) ACCEPTED.getOpaque(this);
    }

    @Override
    public LoopFuture<@Nullable Void> waitClosed() {
        io.checkLook();
        // One for each caller: cancelling it is theirs alone.
        return ended.isDone() ? ended : ended.map(nothing -> null);
    }

    @Override
    public String toString() {
        return "server" + (closed ? " [closed]" : started ? " [serving]" : " [not started]");
    }
}
