package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Datagram;
import io.github.uvloop4j.net.DatagramEndpoint;
import io.github.uvloop4j.net.Received;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.uv.UvUdp;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A socket of datagrams for tasks. What arrives is kept until somebody asks for it, up to a number; a task that waits
 * gets it put into its buffer right away.
 */
final class TaskDatagrams extends DatagramBase implements DatagramEndpoint {
    private static final int MOST_KEPT = 256;

    private final ArrayDeque<Datagram> kept = new ArrayDeque<>();
    private @Nullable Task<?> receiver;
    private @Nullable ByteBuffer target;
    private @Nullable Received result;
    private @Nullable Task<?> sender;
    private @Nullable IOException failure;

    TaskDatagrams(LoopIo io, DatagramSockets.Opened opened, WriteLimits limits) {
        super(io, opened, limits);
    }

    TaskDatagrams started() {
        register();
        startReceiving();
        return this;
    }

    private Task<?> currentTask(String what) {
        var task = io.context().currentTask();
        if (task == null) {
            io.check();
            throw new IllegalStateException(what + " would stop the loop: call it in a task (loop.spawn)");
        }
        return task;
    }

    // In

    @Override
    public void received(UvUdp from, long offset, int length, @Nullable SocketAddress peer, boolean truncated) {
        var view = io.datagrams().area(batching).view.limit((int) offset + length);
        view.position((int) offset);
        var buffer = target;
        if (buffer != null && result == null) {
            int fits = Math.min(length, buffer.remaining());
            buffer.put(buffer.position(), view, (int) offset, fits);
            result = new Received(fits, peer, truncated || fits < length);
        } else {
            kept.addLast(new Datagram(ByteBuffer.allocate(length).put(view).flip(), peer, truncated));
        }
        view.limit(0);
        wake(receiver);
    }

    /** Stops here and not when something has come: libuv would drop the rest of a batch. */
    @Override
    public void allocate(UvUdp from, long suggested) {
        super.allocate(from, suggested);
        if (kept.size() >= MOST_KEPT) {
            stopReceiving();
        }
    }

    @Override
    public void failed(UvUdp from, int status) {
        failure = IoErrors.ofDatagram(status, "receive");
        wake(receiver);
    }

    private static void wake(@Nullable Task<?> task) {
        if (task != null) {
            task.unpark();
        }
    }

    @Override
    public Datagram receive() throws IOException {
        io.check();
        while (kept.isEmpty()) {
            awaitDatagram();
        }
        return takeKept();
    }

    private Datagram takeKept() {
        var next = kept.removeFirst();
        startReceiving();
        return next;
    }

    private void awaitDatagram() throws IOException {
        checkOpen();
        throwFailure();
        var task = currentTask("receive");
        refuseOther(receiver);
        receiver = task;
        try {
            task.park();
        } finally {
            receiver = null;
        }
    }

    private static void refuseOther(@Nullable Task<?> other) {
        if (other != null) {
            throw new IllegalStateException("another task receives already: " + other);
        }
    }

    @Override
    public Received receive(ByteBuffer buffer) throws IOException {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("cannot be received into: " + buffer);
        }
        io.check();
        return kept.isEmpty() ? receiveInto(buffer) : copy(takeKept(), buffer);
    }

    private static Received copy(Datagram datagram, ByteBuffer buffer) {
        var data = datagram.data();
        int length = Math.min(data.remaining(), buffer.remaining());
        buffer.put(buffer.position(), data, data.position(), length);
        buffer.position(buffer.position() + length);
        return new Received(length, datagram.sender(), datagram.truncated() || length < data.remaining());
    }

    private Received receiveInto(ByteBuffer buffer) throws IOException {
        if (target != null) {
            // The one who waits may have its datagram by now, and not have run since.
            throw new IllegalStateException("another task receives already into " + target);
        }
        target = buffer;
        try {
            while (result == null && kept.isEmpty()) {
                awaitDatagram();
            }
            var received = result;
            if (received == null) {
                return copy(takeKept(), buffer);
            }
            buffer.position(buffer.position() + received.length());
            return received;
        } catch (CancellationException cancelled) {
            putBack(buffer);
            throw cancelled;
        } finally {
            target = null;
            result = null;
        }
    }

    /** A cancelled task does not take the datagram with it. */
    private void putBack(ByteBuffer buffer) {
        var received = result;
        if (received != null) {
            var data = ByteBuffer.allocate(received.length()).put(0, buffer, buffer.position(), received.length());
            kept.addFirst(new Datagram(data, received.sender(), received.truncated()));
        }
    }

    private void throwFailure() throws IOException {
        var error = failure;
        if (error != null) {
            failure = null;
            throw error;
        }
    }

    private void checkOpen() throws IOException {
        if (isClosing()) {
            throw new ClosedChannelException();
        }
    }

    // Out

    @Override
    public void sendTo(ByteBuffer data) throws IOException {
        send(data, null);
    }

    @Override
    public void sendTo(ByteBuffer data, SocketAddress target) throws IOException {
        send(data, Objects.requireNonNull(target, "target"));
    }

    private void send(ByteBuffer data, @Nullable SocketAddress named) throws IOException {
        io.check();
        var target = target(named);
        checkOpen();
        refuseOtherSender();
        int status = outgoing.send(data, target);
        if (status < 0) {
            throw IoErrors.ofDatagram(status, "send");
        }
        while (outgoing.isPaused()) {
            awaitOutput();
            if (isDead()) {
                throw new ClosedChannelException();
            }
        }
    }

    @Override
    public void flush() throws IOException {
        io.check();
        checkOpen();
        while (!outgoing.isIdle()) {
            awaitOutput();
            checkOpen();
        }
        throwFailure();
    }

    private void refuseOtherSender() {
        if (sender != null) {
            throw new IllegalStateException("another task sends already: " + sender);
        }
    }

    private void awaitOutput() {
        var task = currentTask("waiting for output");
        refuseOtherSender();
        sender = task;
        try {
            task.park();
        } finally {
            sender = null;
        }
    }

    @Override
    public void sendFailed(int status) {
        failure = IoErrors.ofDatagram(status, "send");
        wake(receiver);
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {
        wake(sender);
    }

    @Override
    public void drained() {
        super.drained();
        wake(sender);
    }

    // The end

    @Override
    public void close() {
        super.close();
        wake(receiver);
    }

    @Override
    void gone() {
        wake(receiver);
        wake(sender);
    }

    @Override
    void lost() {
        kept.clear();
    }
}
