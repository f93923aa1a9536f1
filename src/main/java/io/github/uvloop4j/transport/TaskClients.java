package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.IncompleteReadException;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvStream;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connections that get a task each, which runs a handler. */
record TaskClients(LoopIo io, ConnectionHandler handler, WriteLimits limits) implements StreamClients {
    @Override
    public @Nullable Client serve(UvStream stream, long number, Consumer<Client> gone, @Nullable Throwable creation) {
        var handled = new Handled(this, stream, gone);
        handled.connection.createdAt(creation);
        try {
            return handled.start("connection-" + number);
        } catch (RejectedExecutionException closing) {
            handled.connection.abort();
            return null;
        }
    }

    /** A connection and its task: gone when both are. */
    private static final class Handled implements Client {
        private final TaskClients kind;
        private final Consumer<Client> gone;
        final TaskConnection connection;
        private @Nullable Task<?> task;
        private boolean lost;
        private boolean ended;

        /** Whether the handler only said that the connection has ended. */
        private boolean ordinary;

        Handled(TaskClients kind, UvStream stream, Consumer<Client> gone) {
            this.kind = kind;
            this.gone = gone;
            this.connection = new TaskConnection(kind.io, stream, kind.limits, dead -> lost()).started(true);
        }

        Client start(String name) {
            var started = kind.io.context().<@Nullable Void>spawn(name, () -> {
                handle();
                return null;
            });
            task = started;
            started.whenDone((nothing, error) -> ended(error));
            return this;
        }

        private void handle() throws Exception {
            try {
                kind.handler.handle(connection);
                connection.close();
            } catch (Throwable error) {
                ordinary = saysEnd(error);
                connection.abort();
                throw error;
            }
        }

        /** The task has ended, or was cancelled before it began. */
        private void ended(@Nullable Throwable error) {
            ended = true;
            if (!connection.isClosing()) {
                connection.abort();
            }
            var context = kind.io.context();
            // A fatal one was reported by the task.
            if (error != null && !ordinary && !(error instanceof CancellationException) && !context.isFatal(error)) {
                context.report("the handler of a connection failed", error, connection);
            }
            endIfOver();
        }

        private boolean saysEnd(Throwable error) {
            boolean says = error instanceof SocketException
                    || error instanceof ClosedChannelException
                    || error instanceof IncompleteReadException;
            return says && (connection.isClosing() || connection.atEnd());
        }

        private void lost() {
            lost = true;
            endIfOver();
        }

        private void endIfOver() {
            if (lost && ended) {
                gone.accept(this);
            }
        }

        @Override
        public void closeGracefully() {
            connection.close();
        }

        @Override
        public void abortNow() {
            var running = task;
            if (running != null) {
                running.cancel();
            }
            connection.abort();
        }
    }
}
