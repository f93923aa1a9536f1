package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TimerHandle;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.util.Durations;
import io.github.uvloop4j.uv.UvException;
import io.github.uvloop4j.uv.UvStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Connects a Unix socket. The kernel does so at once, or refuses while the server's backlog is full: then it is tried
 * again until the limit.
 */
final class UnixConnect extends LoopFuture<UvStream> implements LoopIo.Closeables {
    private final LoopIo io;
    private final SocketAddress target;
    private final ConnectOptions options;
    private final Retry retry;
    private int fd = -1;
    private @Nullable TimerHandle limit;

    UnixConnect(LoopIo io, SocketAddress target, ConnectOptions options) {
        super(io.context());
        this.io = io;
        this.target = target;
        this.options = options;
        this.retry = new Retry(io);
    }

    UnixConnect begin() {
        io.opened(this);
        var most = options.timeout();
        if (most != null) {
            limit = io.context().at(Durations.deadline(Durations.nanos(most, "timeout")), this::timedOut);
        }
        try {
            fd = UnixBinding.socket();
            bind();
            attempt();
        } catch (IOException | RuntimeException error) {
            fail(error);
        }
        return this;
    }

    private void bind() throws IOException {
        var local = options.localAddress();
        if (local == null) {
            return;
        }
        if (!SocketNames.isUnix(local)) {
            throw new IllegalArgumentException("a Unix socket cannot connect from " + local);
        }
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.bind(fd, SocketNames.encode(local, arena));
            if (status < 0) {
                throw IoErrors.of(status, "bind " + local);
            }
        }
    }

    private void attempt() {
        try (var arena = Arena.ofConfined()) {
            int status = SocketCalls.connect(fd, SocketNames.encode(target, arena));
            if (IoErrors.isRetry(status)) {
                retry.later(this::attempt);
            } else if (status < 0) {
                fail(IoErrors.of(status, "connect " + target));
            } else {
                connected();
            }
        } catch (IOException | RuntimeException error) {
            fail(error);
        }
    }

    private void connected() throws IOException {
        int taken = fd;
        fd = -1;
        var stream = TakenSockets.open(io, taken, true);
        try {
            Tuning.of(options).late(stream);
        } catch (UvException e) {
            stream.close();
            throw IoErrors.of(e);
        }
        if (!complete(stream)) {
            stream.close();
        }
        end();
    }

    private void timedOut() {
        fail(new SocketTimeoutException("connect " + target + " timed out after " + options.timeout()));
    }

    private void fail(Throwable error) {
        completeExceptionally(error);
        end();
    }

    private void end() {
        io.closed(this);
        if (fd >= 0) {
            SocketCalls.close(fd);
            fd = -1;
        }
        retry.cancel();
        if (limit != null) {
            limit.cancel();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            Posting.run(io, this::end);
        }
        return cancelled;
    }

    @Override
    public void abortNow() {
        cancel();
    }
}
