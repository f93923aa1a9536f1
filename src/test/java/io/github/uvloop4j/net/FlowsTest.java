package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Connections as reactive streams, end to end. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class FlowsTest {
    private static final int SIZE = 25 * 1024 * 1024;
    private static final int CHUNK = 16 * 1024;

    private final CompletableFuture<Void> gate = new CompletableFuture<>();

    private static byte[] bytes(int count) {
        var all = new byte[count];
        new Random(7).nextBytes(all);
        return all;
    }

    /** Passes signals on and notes the most that waited to be sent. */
    private record Watched(ConnectionSubscriber next, Connection target, AtomicLong most, AtomicLong count)
            implements Flow.Subscriber<ByteBuffer> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            next.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuffer data) {
            most.accumulateAndGet(target.writeBufferSize(), Math::max);
            count.incrementAndGet();
            next.onNext(data);
        }

        @Override
        public void onError(Throwable error) {
            next.onError(error);
        }

        @Override
        public void onComplete() {
            next.onComplete();
        }
    }

    @Test
    @Tag("cells")
    void aPipeHoldsBackTheSenderOfASlowReader(EventLoop loop) throws Exception {
        var sent = bytes(SIZE);
        var sender = Peers.server(socket -> {
            socket.getOutputStream().write(sent);
            return "sent";
        });
        var reader = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            return socket.getInputStream().readAllBytes();
        });
        var most = new AtomicLong();
        var count = new AtomicLong();
        loop.run(() -> {
            try (var source = loop.net().openConnection("127.0.0.1", sender.port());
                    var target = loop.net().openConnection("127.0.0.1", reader.port())) {
                var copied = Flows.subscriber(target);
                Flows.publisher(source, CHUNK).subscribe(new Watched(copied, target, most, count));
                long before;
                do {
                    before = count.get();
                    Recorder.turns(loop, 50);
                } while (count.get() != before || target.writeBufferSize() < 64L * 1024);
                // It stands still: what waits is bounded, and the rest was left to the kernel and the sender.
                assertThat(target.writeBufferSize()).isBetween(64L * 1024, 64L * 1024 + CHUNK);
                assertThat(copied.done().isDone()).isFalse();
                assertThat(sender.result()).isNotDone();
                gate.complete(null);
                copied.done().await();
                assertThat(target.writeBufferSize()).isZero();
                target.shutdownOutput();
                Recorder.await(loop, reader.result());
            }
        });
        assertThat(reader.result().get()).isEqualTo(sent);
        assertThat(most.get()).isLessThanOrEqualTo(64 * 1024 + CHUNK);
    }

    @Test
    void aPublisherOfOtherThreadsFeedsAConnection(EventLoop loop) throws Exception {
        var reader = Peers.server(socket -> socket.getInputStream().readAllBytes());
        var sent = bytes(3 * 1024 * 1024);
        loop.run(() -> {
            try (var target = loop.net().openConnection("127.0.0.1", reader.port())) {
                var copied = Flows.subscriber(target);
                var publishing = new CompletableFuture<Void>();
                Thread.ofPlatform().start(() -> {
                    try (var publisher = new SubmissionPublisher<ByteBuffer>()) {
                        publisher.subscribe(copied);
                        for (int at = 0; at < sent.length; at += 4096) {
                            publisher.submit(ByteBuffer.wrap(sent, at, 4096));
                        }
                        publishing.complete(null);
                    }
                });
                copied.done().await();
                Recorder.await(loop, publishing);
            }
            Recorder.await(loop, reader.result());
        });
        assertThat(reader.result().get()).isEqualTo(sent);
    }

    @Test
    void aFailedPublisherFailsTheCopyAndLeavesTheConnectionOpen(EventLoop loop) throws Exception {
        var reader = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            try (var target = loop.net().openConnection("127.0.0.1", reader.port())) {
                var failure = new IllegalArgumentException("broken");
                var copied = Flows.subscriber(target);
                var publisher = new SubmissionPublisher<ByteBuffer>();
                publisher.subscribe(copied);
                publisher.closeExceptionally(failure);
                assertThatThrownBy(() -> copied.done().await()).isSameAs(failure);
                target.write("still open");
            }
            Recorder.await(loop, reader.result());
        });
        assertThat(reader.result().get()).asString().isEqualTo("still open");
    }

    @Test
    void aBrokenConnectionCancelsThePublisher(EventLoop loop) throws Exception {
        var reader = Peers.server(socket -> {
            gate.get(30, TimeUnit.SECONDS);
            socket.setSoLinger(true, 0);
            return "reset";
        });
        loop.run(() -> {
            try (var target = loop.net().openConnection("127.0.0.1", reader.port());
                    var publisher = new SubmissionPublisher<ByteBuffer>()) {
                gate.complete(null);
                Recorder.await(loop, reader.result());
                var copied = Flows.subscriber(target);
                publisher.subscribe(copied);
                var sending = loop.runInExecutor(() -> {
                    while (publisher.hasSubscribers()) {
                        publisher.submit(ByteBuffer.allocate(64 * 1024));
                    }
                    return "no subscriber any more";
                });
                assertThatThrownBy(() -> copied.done().await()).isInstanceOf(IOException.class);
                assertThat(sending.await()).isEqualTo("no subscriber any more");
            }
        });
    }

    @Test
    @Tag("cells")
    void cancellingTheCopyStopsBothEnds(EventLoop loop) throws Exception {
        var sender = Peers.server(socket -> {
            socket.getOutputStream().write("first".getBytes(StandardCharsets.UTF_8));
            return socket.getInputStream().read();
        });
        var reader = Peers.server(socket -> socket.getInputStream().readNBytes(5));
        loop.run(() -> {
            try (var source = loop.net().openConnection("127.0.0.1", sender.port());
                    var target = loop.net().openConnection("127.0.0.1", reader.port())) {
                var copied = Flows.subscriber(target);
                Flows.publisher(source).subscribe(copied);
                Recorder.await(loop, reader.result());
                assertThat(copied.done().cancel()).isTrue();
                for (int i = 0; i < 1_000 && loop.taskCount() > 1; i++) {
                    Recorder.turns(loop, 1);
                }
                assertThat(loop.taskCount()).isEqualTo(1);
                assertThatThrownBy(() -> copied.done().await()).isInstanceOf(CancellationException.class);
                assertThat(source.isIdle()).isTrue();
            }
            Recorder.await(loop, sender.result());
        });
    }

    @Test
    void closingTheLoopEndsBothEnds(EventLoop unused) throws Exception {
        var sender = Peers.server(socket -> socket.getInputStream().read());
        var reader = Peers.server(socket -> socket.getInputStream().read());
        var errors = new CompletableFuture<Throwable>();
        ConnectionSubscriber copied;
        try (var loop = EventLoop.create()) {
            copied = loop.run(() -> {
                var source = loop.net().openConnection("127.0.0.1", sender.port());
                var target = loop.net().openConnection("127.0.0.1", reader.port());
                var subscriber = Flows.subscriber(target);
                Flows.publisher(source).subscribe(subscriber);
                var other = loop.net()
                        .openConnection(
                                "127.0.0.1",
                                Peers.server(s -> s.getInputStream().read()).port());
                Flows.publisher(other).subscribe(new Signals(errors));
                Recorder.turns(loop, 5);
                return subscriber;
            });
        }
        assertThat(copied.done().isDone()).isTrue();
        assertThat(errors.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }

    /** Asks for all and notes how it failed. */
    private record Signals(CompletableFuture<Throwable> errors) implements Flow.Subscriber<ByteBuffer> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(ByteBuffer data) {}

        @Override
        public void onError(Throwable error) {
            errors.complete(error);
        }

        @Override
        public void onComplete() {
            errors.complete(new AssertionError("completed"));
        }
    }

    @Test
    void refusesWhatMakesNoSense(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                assertThatThrownBy(() -> Flows.publisher(connection, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("chunkSize");
                assertThatThrownBy(() -> Flows.publisher(null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> Flows.subscriber(null)).isInstanceOf(NullPointerException.class);
                var elsewhere = loop.runInExecutor(() -> Flows.publisher(connection));
                assertThatThrownBy(elsewhere::await).isInstanceOf(IllegalStateException.class);
                var subscriber = Flows.subscriber(connection);
                assertThatThrownBy(() -> subscriber.onSubscribe(null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> subscriber.onNext(null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> subscriber.onError(null)).isInstanceOf(NullPointerException.class);
            }
        });
    }
}
