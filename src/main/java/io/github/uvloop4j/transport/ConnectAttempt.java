package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.SocketAddresses;
import io.github.uvloop4j.uv.UvConnect;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Tries addresses one after another until one connects. */
final class ConnectAttempt extends LoopFuture<UvStream> implements LoopIo.Closeables {
    private final LoopIo io;
    private final ConnectOptions options;
    private final ArrayDeque<InetSocketAddress> left;
    private @Nullable UvTcp trying;
    private @Nullable IOException firstError;
    private @Nullable TimerHandle timer;

    ConnectAttempt(LoopIo io, List<InetSocketAddress> addresses, ConnectOptions options) {
        super(io.context());
        this.io = io;
        this.options = options;
        this.left = new ArrayDeque<>(addresses);
    }

    ConnectAttempt begin() {
        io.opened(this);
        var limit = options.timeout();
        if (limit != null) {
            timer = io.context().at(Durations.deadline(Durations.nanos(limit, "timeout")), this::timedOut);
        }
        next();
        return this;
    }

    private void timedOut() {
        var error = new SocketTimeoutException("connect timed out after " + options.timeout());
        if (firstError != null) {
            error.addSuppressed(firstError);
        }
        if (completeExceptionally(error)) {
            end();
        }
    }

    private void next() {
        if (isDone()) {
            return;
        }
        var address = left.pollFirst();
        if (address == null) {
            var error = firstError;
            completeExceptionally(error == null ? new IOException("no address to connect to") : error);
            end();
            return;
        }
        try {
            connect(address);
        } catch (UvException e) {
            failed(IoErrors.of(e));
        } catch (RuntimeException e) {
            completeExceptionally(e);
            end();
        }
    }

    private void connect(InetSocketAddress address) {
        var tuning = Tuning.of(options);
        var tcp = tuning.needsSocket()
                ? new UvTcp(io.uv(), address.getAddress() instanceof Inet6Address)
                : new UvTcp(io.uv());
        trying = tcp;
        if (tuning.needsSocket()) {
            tuning.early(tcp.fileno());
        }
        tcp.noDelay(options.noDelay());
        var local = options.localAddress();
        if (local instanceof InetSocketAddress internet) {
            tcp.bind(internet, false);
        } else if (local != null) {
            throw new IllegalArgumentException("a TCP socket cannot connect from " + local);
        }
        var operation = "connect " + SocketAddresses.text(address);
        var request = new UvConnect(io.uv());
        try {
            tcp.connect(request, address, status -> {
                request.free();
                connected(tcp, status, operation);
            });
        } catch (UvException e) {
            request.free();
            throw e;
        }
    }

    private void connected(UvTcp tcp, int status, String operation) {
        if (trying != tcp) {
            return;
        }
        if (status < 0) {
            failed(IoErrors.of(status, operation));
            return;
        }
        try {
            if (options.keepAliveSeconds() > 0) {
                // Before there is a socket libuv forgets the time.
                tcp.keepAlive(options.keepAliveSeconds());
            }
        } catch (UvException e) {
            failed(IoErrors.of(e));
            return;
        }
        trying = null;
        if (!complete(tcp)) {
            tcp.close();
        }
        end();
    }

    private void failed(IOException error) {
        closeTrying();
        if (firstError == null) {
            firstError = error;
        } else {
            firstError.addSuppressed(error);
        }
        next();
    }

    private void closeTrying() {
        var tcp = trying;
        trying = null;
        if (tcp != null) {
            tcp.close();
        }
    }

    private void end() {
        io.closed(this);
        closeTrying();
        var limit = timer;
        if (limit != null) {
            limit.cancel();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            if (io.context().inLoop()) {
                end();
            } else {
                endLater();
            }
        }
        return cancelled;
    }

    private void endLater() {
        try {
            io.context().post(this::end);
        } catch (RejectedExecutionException closed) {
            // Closing the loop has ended the attempt.
        }
    }

    @Override
    public void abortNow() {
        cancel();
    }
}
