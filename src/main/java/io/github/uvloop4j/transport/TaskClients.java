package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.IncompleteReadException;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.tls.ServerTls;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Connections that get a task each, which runs a handler. */
record TaskClients(
        LoopIo io,
        ConnectionHandler handler,
        WriteLimits limits,
        @Nullable ServerTls tls) implements StreamClients {
    @Override
    public @Nullable Client serve(UvStream stream, long number, Consumer<Client> gone, @Nullable Throwable creation) {
        var handled = new Handled(this, "connection-" + number, gone);
        if (tls != null) {
            return handled.secured(stream, tls, creation);
        }
        var connection = new TaskConnection(io, stream, limits, dead -> handled.lost()).started(true);
        connection.createdAt(creation);
        return handled.start(connection) ? handled : null;
    }

    /** A connection and its task, which starts after a TLS handshake: gone when both are. */
    private static final class Handled implements Client, TlsTransport.Outcome {
        private final TaskClients kind;
        private final String name;
        private final Consumer<Client> gone;

        /** What its server can close: the connection, or before that the handshake. */
        private @Nullable LoopConnection connection;

        private @Nullable TlsTransport secured;
        private @Nullable Task<?> task;
        private boolean lost;
        private boolean ended;

        /** Whether the handler only said that the connection has ended. */
        private boolean ordinary;

        Handled(TaskClients kind, String name, Consumer<Client> gone) {
            this.kind = kind;
            this.name = name;
            this.gone = gone;
        }

        Client secured(UvStream stream, ServerTls tls, @Nullable Throwable creation) {
            secured = TlsTransport.over(kind.io, stream, tls, null, kind.limits, this, dead -> lost(), creation);
            return this;
        }

        @Override
        public void established(TlsTransport transport) {
            start(StreamConnection.on(kind.io, transport));
        }

        @Override
        public void failed(IOException error) {
            ended = true;
            TlsErrors.note(kind.io.context(), error);
        }

        /** Starts the task; false when the loop takes none any more. */
        boolean start(LoopConnection open) {
            connection = open;
            try {
                var started = kind.io.context().<@Nullable Void>spawn(name, () -> {
                    handle(open);
                    return null;
                });
                task = started;
                started.whenDone((nothing, error) -> ended(open, error));
                return true;
            } catch (RejectedExecutionException closing) {
                ended = true;
                open.abort();
                return false;
            }
        }

        private void handle(LoopConnection open) throws Exception {
            try {
                kind.handler.handle(open);
                open.close();
            } catch (Throwable error) {
                ordinary = saysEnd(open, error);
                open.abort();
                throw error;
            }
        }

        /** The task has ended, or was cancelled before it began. */
        private void ended(LoopConnection open, @Nullable Throwable error) {
            ended = true;
            if (!open.isClosing()) {
                open.abort();
            }
            var context = kind.io.context();
            // A fatal one was reported by the task.
            if (error != null && !ordinary && !(error instanceof CancellationException) && !context.isFatal(error)) {
                context.report("the handler of a connection failed", error, open);
            }
            endIfOver();
        }

        private static boolean saysEnd(LoopConnection open, Throwable error) {
            boolean says = error instanceof SocketException
                    || error instanceof SSLException
                    || error instanceof ClosedChannelException
                    || error instanceof IncompleteReadException;
            return says && (open.isClosing() || open.atEnd());
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
            if (connection != null) {
                connection.close();
            } else if (secured != null) {
                secured.close();
            }
        }

        @Override
        public void abortNow() {
            var running = task;
            if (running != null) {
                running.cancel();
            }
            if (connection != null) {
                connection.abort();
            } else if (secured != null) {
                secured.abort();
            }
        }
    }
}
