package io.github.uvloop4j.benchmarks.peers;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.RawSocket;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose every receive and send returns a future of one kind, and the task that echoes on it.
 *
 * @param <F> the future's type
 */
final class FutureConnection<F> {
    private static final int BUFFER = 64 * 1024;

    private final EventLoop loop;
    private final FutureKind<F> kind;
    private final RawCalls calls;
    private final RawSocket socket;
    private final int fd;
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[BUFFER]);
    private @Nullable F receiving;
    private @Nullable F sending;
    private MemorySegment rest = buffer;
    private boolean watched;

    FutureConnection(EventLoop loop, FutureKind<F> kind, RawCalls calls, RawSocket socket) {
        this.loop = loop;
        this.kind = kind;
        this.calls = calls;
        this.socket = socket;
        this.fd = socket.fd();
    }

    void echo() throws Exception {
        try (socket) {
            socket.noDelay(true);
            for (int count = kind.await(receive()); count > 0; count = kind.await(receive())) {
                if (kind.await(send(buffer.asSlice(0, count))) < 0) {
                    break;
                }
            }
        } finally {
            unwatch();
        }
    }

    private F receive() {
        var future = kind.create();
        int count = watched ? RawCalls.WOULD_BLOCK : calls.receive(fd, buffer);
        if (count != RawCalls.WOULD_BLOCK) {
            kind.complete(future, count);
            return future;
        }
        receiving = future;
        if (!watched) {
            watched = true;
            loop.sockets().addReader(fd, this::readable);
        }
        return future;
    }

    private void readable() {
        var future = receiving;
        if (future == null) {
            // More has come than the task has answered: it looks for itself when it gets there.
            unwatch();
            return;
        }
        int count = calls.receive(fd, buffer);
        if (count != RawCalls.WOULD_BLOCK) {
            receiving = null;
            kind.complete(future, count);
        }
    }

    private void unwatch() {
        if (watched && socket.isOpen()) {
            loop.sockets().removeReader(fd);
        }
        watched = false;
    }

    private F send(MemorySegment bytes) {
        var future = kind.create();
        rest = bytes;
        int status = sendRest();
        if (status != RawCalls.WOULD_BLOCK) {
            kind.complete(future, status);
        } else {
            sending = future;
            loop.sockets().addWriter(fd, this::writable);
        }
        return future;
    }

    private void writable() {
        int status = sendRest();
        var future = sending;
        if (status != RawCalls.WOULD_BLOCK && future != null) {
            sending = null;
            loop.sockets().removeWriter(fd);
            kind.complete(future, status);
        }
    }

    private int sendRest() {
        while (rest.byteSize() > 0) {
            int count = calls.send(fd, rest);
            if (count < 0) {
                return count;
            }
            rest = rest.asSlice(count);
        }
        return 0;
    }
}
