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
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tries addresses until one connects: the next when one has failed, and beside it when it has not answered for some time
 * (RFC 8305). The first that connects wins, the others are closed.
 */
final class ConnectAttempt extends LoopFuture<UvStream> implements LoopIo.Closeables {
    /** Less would be a burst of connections rather than a second try (RFC 8305, section 5). */
    private static final long SHORTEST_DELAY_NANOS = 10_000_000;

    private final LoopIo io;
    private final ConnectOptions options;
    private final long delayNanos;
    private final LoopFuture<List<InetSocketAddress>> addresses;
    private final ArrayDeque<InetSocketAddress> left = new ArrayDeque<>();
    private final List<UvTcp> trying = new ArrayList<>(2);
    private final List<IOException> errors = new ArrayList<>();
    private @Nullable TimerHandle limit;
    private @Nullable TimerHandle pace;

    ConnectAttempt(LoopIo io, LoopFuture<List<InetSocketAddress>> addresses, ConnectOptions options) {
        super(io.context());
        this.io = io;
        this.options = options;
        this.addresses = addresses;
        var delay = options.attemptDelay();
        this.delayNanos = delay == null ? 0 : Math.max(SHORTEST_DELAY_NANOS, Durations.nanos(delay, "attemptDelay"));
    }

    ConnectAttempt begin() {
        io.opened(this);
        var timeout = options.timeout();
        if (timeout != null) {
            limit = io.context().at(Durations.deadline(Durations.nanos(timeout, "timeout")), this::timedOut);
        }
        if (addresses.isDone() && !addresses.isCompletedExceptionally()) {
            race(addresses.resultNow());
        } else {
            addresses.whenDone(this::found);
        }
        return this;
    }

    private void found(@Nullable List<InetSocketAddress> all, @Nullable Throwable error) {
        if (all != null) {
            race(all);
        } else if (error != null && completeExceptionally(error)) {
            end();
        }
    }

    private void race(List<InetSocketAddress> all) {
        var usable = options.localAddress() instanceof InetSocketAddress local ? AddressOrder.from(local, all) : all;
        if (usable.isEmpty()) {
            errors.add(new NoRouteToHostException(
                    "no address of the family of " + options.localAddress() + ", to connect from, among " + all));
        }
        left.addAll(delayNanos == 0 ? usable : AddressOrder.interleaved(usable));
        next();
    }

    private void timedOut() {
        var error = new SocketTimeoutException("connect timed out after " + options.timeout());
        errors.forEach(error::addSuppressed);
        if (completeExceptionally(error)) {
            end();
        }
    }

    /** Begins with the next address that does not fail at once; when there is none and none is tried, all have failed. */
    private void next() {
        stop(pace);
        while (!isDone()) {
            var address = left.pollFirst();
            if (address == null) {
                if (trying.isEmpty()) {
                    completeExceptionally(all());
                    end();
                }
                return;
            }
            if (begins(address)) {
                if (delayNanos > 0 && !left.isEmpty()) {
                    pace = io.context().at(Durations.deadline(delayNanos), this::next);
                }
                return;
            }
        }
    }

    private IOException all() {
        if (errors.isEmpty()) {
            return new IOException("no address to connect to");
        }
        var first = errors.getFirst();
        if (errors.size() == 1 || !(first.getCause() instanceof UvException cause)) {
            return first;
        }
        var error = IoErrors.of(
                cause, first.getMessage() + ", the first of " + errors.size() + " addresses that all failed");
        errors.subList(1, errors.size()).forEach(error::addSuppressed);
        return error;
    }

    private boolean begins(InetSocketAddress address) {
        UvTcp tcp = null;
        try {
            tcp = open(address);
            connect(tcp, address);
            return true;
        } catch (UvException e) {
            errors.add(IoErrors.of(e));
        } catch (RuntimeException e) {
            completeExceptionally(e);
            end();
        }
        if (tcp != null) {
            trying.remove(tcp);
            tcp.close();
        }
        return false;
    }

    private UvTcp open(InetSocketAddress address) {
        var tuning = Tuning.of(options);
        return tuning.needsSocket()
                ? new UvTcp(io.uv(), address.getAddress() instanceof Inet6Address)
                : new UvTcp(io.uv());
    }

    private void connect(UvTcp tcp, InetSocketAddress address) {
        var tuning = Tuning.of(options);
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
        } catch (RuntimeException e) {
            request.free();
            throw e;
        }
        trying.add(tcp);
    }

    private void connected(UvTcp tcp, int status, String operation) {
        if (!trying.remove(tcp)) {
            return;
        }
        var error = status < 0 ? IoErrors.of(status, operation) : finish(tcp);
        if (error != null) {
            tcp.close();
            errors.add(error);
            next();
            return;
        }
        if (!complete(tcp)) {
            tcp.close();
        }
        end();
    }

    private @Nullable IOException finish(UvTcp tcp) {
        try {
            if (options.keepAliveSeconds() > 0) {
                // Before there is a socket libuv forgets the time.
                tcp.keepAlive(options.keepAliveSeconds());
            }
            return null;
        } catch (UvException e) {
            return IoErrors.of(e);
        }
    }

    private void end() {
        io.closed(this);
        addresses.cancel();
        left.clear();
        stop(limit);
        stop(pace);
        var losers = List.copyOf(trying);
        trying.clear();
        losers.forEach(UvTcp::close);
    }

    private static void stop(@Nullable TimerHandle timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            addresses.cancel();
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
