package io.github.uvloop4j.net;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A protocol that writes down what it is told. Data that arrives in several pieces is one event. */
class Recorder implements Protocol {
    /** How long anything may take. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    final EventLoop loop;
    final List<String> events = new ArrayList<>();
    final ByteArrayOutputStream received = new ByteArrayOutputStream();
    final LoopFuture<Transport> made;
    final LoopFuture<@Nullable Void> eof;
    final LoopFuture<@Nullable Void> lost;
    boolean keepWriting;

    @Nullable
    Throwable cause;

    Recorder(EventLoop loop) {
        this.loop = loop;
        this.made = loop.createFuture();
        this.eof = loop.createFuture();
        this.lost = loop.createFuture();
    }

    Recorder keepWriting() {
        keepWriting = true;
        return this;
    }

    private void event(String name) {
        if (events.isEmpty() || !events.getLast().equals(name)) {
            events.add(name);
        }
    }

    @Override
    public void connectionMade(Transport transport) {
        events.add("made");
        made.complete(transport);
    }

    @Override
    public void dataReceived(ByteBuffer data) {
        event("data");
        var bytes = new byte[data.remaining()];
        data.get(bytes);
        received.writeBytes(bytes);
    }

    @Override
    public boolean eofReceived() {
        events.add("eof");
        eof.complete(null);
        return keepWriting;
    }

    @Override
    public void connectionLost(@Nullable Throwable error) {
        events.add("lost");
        cause = error;
        lost.complete(null);
    }

    @Override
    public void pauseWriting() {
        events.add("pause");
    }

    @Override
    public void resumeWriting() {
        events.add("resume");
    }

    Transport transport() throws Exception {
        return made.await(LIMIT);
    }

    /** Waits for the end and returns its cause. */
    @Nullable
    Throwable ended() throws Exception {
        lost.await(LIMIT);
        return cause;
    }

    String text() {
        return received.toString(StandardCharsets.UTF_8);
    }

    int size() {
        return received.size();
    }

    /** Lets the loop turn until a condition holds; in a task. */
    static void until(EventLoop loop, BooleanSupplier condition) throws Exception {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - began > LIMIT.toNanos()) {
                throw new AssertionError("the condition does not come true");
            }
            LoopFuture<@Nullable Void> later = loop.createFuture();
            loop.callLater(Duration.ofMillis(1), () -> later.complete(null));
            later.await();
        }
    }

    /** Lets the loop turn a number of times; in a task. */
    static void turns(EventLoop loop, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            LoopFuture<@Nullable Void> next = loop.createFuture();
            loop.callSoon(() -> next.complete(null));
            next.await();
        }
    }

    /** Waits in a task for what another thread does; the loop turns meanwhile, and sends what is queued. */
    static <T> T await(EventLoop loop, java.util.concurrent.CompletableFuture<T> other) throws Exception {
        LoopFuture<T> future = loop.createFuture();
        other.whenComplete((value, error) -> {
            if (error != null) {
                future.completeExceptionally(error);
            } else {
                future.complete(value);
            }
        });
        return future.await(LIMIT);
    }

    /** Bytes that differ at every place of a few KiB. */
    static byte[] pattern(int count) {
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >>> 8));
        }
        return bytes;
    }
}
