package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.uv.UvException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The watched descriptors of a loop. */
final class Watchers {
    private final LoopIo io;
    private final Map<Integer, PolledFd> polled = new HashMap<>();

    Watchers(LoopIo io) {
        this.io = io;
    }

    @Nullable
    PolledFd get(int fd) {
        return polled.get(fd);
    }

    PolledFd polled(int fd) {
        return polled.computeIfAbsent(fd, number -> new PolledFd(io, number));
    }

    void unwatch(int fd) {
        var watcher = polled.remove(fd);
        if (watcher != null) {
            watcher.close();
        }
    }

    boolean isEmpty() {
        return polled.isEmpty();
    }

    void forEach(BiConsumer<Integer, PolledFd> consumer) {
        polled.forEach(consumer);
    }

    void unwatchAll() {
        for (int fd : new ArrayList<>(polled.keySet())) {
            unwatch(fd);
        }
    }

    /** A transport's descriptor is watched by its transport only. */
    void refuseOwned(int fd) {
        var owner = io.ownerOf(fd);
        if (owner != null) {
            throw new IllegalStateException("descriptor " + fd + " is used by " + owner);
        }
    }

    private PolledFd watched(int fd) {
        io.check();
        refuseOwned(fd);
        try {
            return polled(fd);
        } catch (UvException e) {
            throw new IllegalArgumentException("descriptor " + fd + " cannot be watched: " + e.getMessage(), e);
        }
    }

    private void refusePending(@Nullable SocketOperation<?> operation, int fd) {
        if (operation != null) {
            throw new IllegalStateException("an operation is pending on socket " + fd + ": " + operation);
        }
    }

    void addReader(int fd, Runnable action) {
        Objects.requireNonNull(action, "action");
        var watcher = watched(fd);
        var socket = io.rawSockets().get(fd);
        refusePending(socket == null ? null : socket.pendingRead(), fd);
        watcher.reader(Context.enclose(io.context().capture(), action));
    }

    void addWriter(int fd, Runnable action) {
        Objects.requireNonNull(action, "action");
        var watcher = watched(fd);
        var socket = io.rawSockets().get(fd);
        refusePending(socket == null ? null : socket.pendingWrite(), fd);
        watcher.writer(Context.enclose(io.context().capture(), action));
    }

    boolean removeReader(int fd) {
        io.check();
        refuseOwned(fd);
        var watcher = polled.get(fd);
        var socket = io.rawSockets().get(fd);
        if (watcher == null || !watcher.hasReader() || socket != null && socket.pendingRead() != null) {
            return false;
        }
        watcher.reader(null);
        watcher.disarmReading();
        dropUnused(fd, watcher);
        return true;
    }

    boolean removeWriter(int fd) {
        io.check();
        refuseOwned(fd);
        var watcher = polled.get(fd);
        var socket = io.rawSockets().get(fd);
        if (watcher == null || !watcher.hasWriter() || socket != null && socket.pendingWrite() != null) {
            return false;
        }
        watcher.writer(null);
        dropUnused(fd, watcher);
        return true;
    }

    /** A descriptor that is not ours may be closed and reused once it is removed: no watcher may stay. */
    private void dropUnused(int fd, PolledFd watcher) {
        if (watcher.isUnused() && !io.rawSockets().isSocket(fd)) {
            unwatch(fd);
        }
    }
}
