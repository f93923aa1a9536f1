package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listening sockets for tasks. Connections that nobody waits for stay in the kernel's backlog, and the sockets are not
 * polled for them.
 */
final class TaskListener implements Listener, LoopIo.Closeables, Created {
    private static final int MOST_AT_ONCE = 16;

    /** How many clients may be at their handshake: silent ones are there until its timeout. */
    private static final int MOST_HANDSHAKES = 1024;

    /** A task in accept, in the order of arrival. */
    private static final class Waiter {
        final Task<?> task;

        @Nullable
        LoopConnection connection;

        Waiter(Task<?> task) {
            this.task = task;
        }
    }

    private final LoopIo io;
    private final ServerOptions options;
    private final Tuning tuning;
    private final List<ListenSocket> listeners;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    /** How many connections were taken without a wait, since the loop has polled. */
    private int atOnce;

    /** Connections whose waiter was cancelled in the turn in which it got them, or gave up during their handshake. */
    private final ArrayDeque<LoopConnection> returned = new ArrayDeque<>();

    private final @Nullable TlsAccepting handshakes;
    private final @Nullable Throwable creation;

    private boolean closed;

    TaskListener(LoopIo io, ServerOptions options, List<ListenSocket> listeners) {
        this.io = io;
        this.options = options;
        this.tuning = Tuning.of(options);
        this.listeners = listeners;
        this.creation = io.context().creation("listener");
        var tls = options.tls();
        this.handshakes = tls == null
                ? null
                : new TlsAccepting(io, tls, options.writeLimits(), this::giveBack, this::armIfWanted);
        io.opened(this);
        for (var listener : listeners) {
            io.own(listener.fd(), this);
        }
    }

    void start() throws IOException {
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
        atOnce = 0;
        if (waiters.isEmpty()) {
            socket.disarm();
        }
        if (handshakes != null) {
            beginHandshakes(socket, handshakes);
            return;
        }
        for (var waiter = waiters.peekFirst(); waiter != null; waiter = waiters.peekFirst()) {
            var connection = take(socket);
            if (connection == null) {
                return;
            }
            waiters.removeFirst();
            waiter.connection = connection;
            waiter.task.unpark();
        }
    }

    /** A slow client keeps nobody waiting but itself: many shake hands at the same time. */
    private void beginHandshakes(ListenSocket socket, TlsAccepting beginning) {
        while (!waiters.isEmpty() && beginning.count() < MOST_HANDSHAKES && returned.size() < options.backlog()) {
            var stream = takeStream(socket);
            if (stream == null) {
                return;
            }
            beginning.begin(stream);
        }
        // Armed again by the next who accepts, or when there is room.
        socket.disarm();
    }

    private void armIfWanted() {
        if (!waiters.isEmpty() && !closed) {
            listeners.forEach(ListenSocket::arm);
        }
    }

    private @Nullable UvStream takeStream(ListenSocket socket) {
        for (int fd = socket.accept(); fd >= 0; fd = socket.accept()) {
            var stream = ListenSockets.connection(io, fd, socket.isUnix(), tuning);
            if (stream != null) {
                return stream;
            }
        }
        return null;
    }

    private @Nullable TaskConnection take(ListenSocket socket) {
        var stream = takeStream(socket);
        return stream == null ? null : new TaskConnection(io, stream, options.writeLimits(), null).started(true);
    }

    /** One that waits already; not always, as a task that accepts them one after the other would keep the loop. */
    private @Nullable TaskConnection takeAtOnce() {
        if (handshakes != null || !waiters.isEmpty() || atOnce >= MOST_AT_ONCE) {
            return null;
        }
        for (var listener : listeners) {
            var connection = take(listener);
            if (connection != null) {
                atOnce++;
                return connection;
            }
        }
        return null;
    }

    @Override
    public List<SocketAddress> addresses() {
        io.check();
        return closed
                ? List.of()
                : listeners.stream().map(ListenSocket::address).toList();
    }

    @Override
    public Connection accept() throws IOException {
        var connection = next();
        connection.createdAt(io.context().creation("connection"));
        return connection;
    }

    private LoopConnection next() throws IOException {
        var task = io.context().currentTask();
        if (task == null) {
            io.check();
            throw new IllegalStateException("accept would stop the loop: call it in a task (loop.spawn)");
        }
        var kept = returned.pollFirst();
        if (kept != null) {
            return kept;
        }
        if (closed) {
            throw new ClosedChannelException();
        }
        var waiting = takeAtOnce();
        if (waiting != null) {
            return waiting;
        }
        var waiter = new Waiter(task);
        waiters.addLast(waiter);
        try {
            listeners.forEach(ListenSocket::arm);
            while (waiter.connection == null && !closed) {
                task.park();
            }
        } catch (Throwable cancelled) {
            waiters.remove(waiter);
            if (waiter.connection != null) {
                giveBack(waiter.connection);
            }
            throw cancelled;
        }
        var connection = waiter.connection;
        if (connection == null) {
            throw new ClosedChannelException();
        }
        return connection;
    }

    private void giveBack(LoopConnection connection) {
        var next = waiters.pollFirst();
        if (closed) {
            connection.abort();
        } else if (next == null) {
            returned.addLast(connection);
        } else {
            next.connection = connection;
            next.task.unpark();
            armIfWanted();
        }
    }

    @Override
    public void close() {
        io.check();
        if (closed) {
            return;
        }
        closed = true;
        returned.forEach(LoopConnection::abort);
        returned.clear();
        if (handshakes != null) {
            handshakes.abort();
        }
        for (var listener : listeners) {
            io.disown(listener.fd());
            listener.close();
        }
        io.closed(this);
        waiters.forEach(waiter -> waiter.task.unpark());
        waiters.clear();
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
    public String toString() {
        return "listener" + (closed ? " [closed]" : "");
    }
}
