package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.net.Listener;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listening sockets for tasks. A connection that nobody waits for stays with libuv, which then stops polling: the kernel
 * keeps the rest in its backlog.
 */
final class TaskListener implements Listener, LoopIo.Closeables, Created {
    /** A task in accept, in the order of arrival. */
    private static final class Waiter {
        final Task<?> task;

        @Nullable
        TaskConnection connection;

        Waiter(Task<?> task) {
            this.task = task;
        }
    }

    private final LoopIo io;
    private final ServerOptions options;
    private final List<UvTcp> listeners;
    private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    private final ArrayDeque<UvTcp> ready = new ArrayDeque<>();

    /** Connections whose waiter was cancelled in the turn in which it got them. */
    private final ArrayDeque<TaskConnection> returned = new ArrayDeque<>();

    private final @Nullable Throwable creation;

    private boolean closed;

    TaskListener(LoopIo io, ServerOptions options, List<UvTcp> listeners) {
        this.io = io;
        this.options = options;
        this.listeners = listeners;
        this.creation = io.context().creation("listener");
        io.opened(this);
        for (var listener : listeners) {
            io.own(listener.fileno(), this);
        }
    }

    void start() throws IOException {
        try {
            for (var listener : listeners) {
                TcpListeners.listen(listener, options.backlog(), this::connectionWaits, io);
            }
        } catch (IOException | RuntimeException error) {
            close();
            throw error;
        }
    }

    private void connectionWaits(UvTcp listener) {
        var waiter = waiters.peekFirst();
        if (waiter == null) {
            ready.addLast(listener);
            return;
        }
        var connection = take(listener);
        if (connection != null) {
            waiters.removeFirst();
            waiter.connection = connection;
            waiter.task.unpark();
        }
    }

    private @Nullable TaskConnection take(UvTcp listener) {
        var tcp = TcpListeners.accept(io, listener, options);
        return tcp == null ? null : new TaskConnection(io, tcp, options.writeLimits(), null).started(true);
    }

    @Override
    public List<InetSocketAddress> addresses() {
        io.check();
        return closed ? List.of() : listeners.stream().map(UvTcp::localAddress).toList();
    }

    @Override
    public Connection accept() throws IOException {
        var connection = next();
        connection.createdAt(io.context().creation("connection"));
        return connection;
    }

    private TaskConnection next() throws IOException {
        var task = io.context().currentTask();
        if (task == null) {
            io.check();
            throw new IllegalStateException("accept would stop the loop: call it in a task (loop.spawn)");
        }
        var kept = returned.pollFirst();
        if (kept != null) {
            return kept;
        }
        while (!closed && waiters.isEmpty() && !ready.isEmpty()) {
            var connection = take(ready.removeFirst());
            if (connection != null) {
                return connection;
            }
        }
        if (closed) {
            throw new ClosedChannelException();
        }
        var waiter = new Waiter(task);
        waiters.addLast(waiter);
        try {
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

    private void giveBack(TaskConnection connection) {
        var next = waiters.pollFirst();
        if (closed) {
            connection.abort();
        } else if (next == null) {
            returned.addLast(connection);
        } else {
            next.connection = connection;
            next.task.unpark();
        }
    }

    @Override
    public void close() {
        io.check();
        if (closed) {
            return;
        }
        closed = true;
        ready.clear();
        returned.forEach(TaskConnection::abort);
        returned.clear();
        for (var listener : listeners) {
            io.disown(listener.fileno());
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
