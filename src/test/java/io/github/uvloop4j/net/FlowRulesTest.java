package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rules of reactive streams that the two ends keep. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class FlowRulesTest {
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** Notes what it is told; asks as the test says. */
    private static final class Probe implements Flow.Subscriber<ByteBuffer> {
        final List<String> signals = new ArrayList<>();
        final CompletableFuture<Throwable> over = new CompletableFuture<>();
        private final BiConsumer<Probe, Integer> onData;
        Flow.Subscription subscription;
        Throwable error;
        int depth;
        int deepest;
        int bytes;

        Probe(BiConsumer<Probe, Integer> onData) {
            this.onData = onData;
        }

        Probe() {
            this((probe, count) -> {});
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            assertThat(signals).isEmpty();
            signals.add("subscribed");
            subscription = given;
            onData.accept(this, 0);
        }

        @Override
        public void onNext(ByteBuffer data) {
            deepest = Math.max(deepest, ++depth);
            bytes += data.remaining();
            signals.add(StandardCharsets.UTF_8.decode(data.duplicate()).toString());
            onData.accept(this, bytes);
            depth--;
        }

        @Override
        public void onError(Throwable failure) {
            error = failure;
            signals.add("failed");
            over.complete(failure);
        }

        @Override
        public void onComplete() {
            signals.add("completed");
            over.complete(null);
        }
    }

    private interface Body {
        void run(Connection connection) throws Exception;
    }

    /** Runs a body with a connection whose peer sends a text, and ends the stream when the test says so. */
    private void with(EventLoop loop, String text, Body body) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            end.get();
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes();
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                body.run(connection);
            } finally {
                end.complete(null);
            }
            Recorder.await(loop, peer.result());
        });
    }

    @Test
    @Tag("cells")
    void itSendsWhatIsRequestedAndNoMore(EventLoop loop) throws Exception {
        with(loop, "abcdef", connection -> {
            var probe = new Probe();
            Flows.publisher(connection, 1).subscribe(probe);
            Recorder.turns(loop, 20);
            assertThat(probe.signals).containsExactly("subscribed");
            probe.subscription.request(2);
            Recorder.until(loop, () -> probe.bytes == 2);
            Recorder.turns(loop, 20);
            assertThat(probe.signals).containsExactly("subscribed", "a", "b");
            probe.subscription.request(Long.MAX_VALUE);
            probe.subscription.request(Long.MAX_VALUE);
            end.complete(null);
            Recorder.await(loop, probe.over);
            assertThat(probe.signals).containsExactly("subscribed", "a", "b", "c", "d", "e", "f", "completed");
        });
    }

    @Test
    void aRequestWithinASignalDoesNotRecurse(EventLoop loop) throws Exception {
        with(loop, "x".repeat(20_000), connection -> {
            var probe = new Probe((self, count) -> self.subscription.request(1));
            Flows.publisher(connection, 1).subscribe(probe);
            Recorder.until(loop, () -> probe.bytes == 20_000);
            assertThat(probe.deepest).isEqualTo(1);
            probe.subscription.cancel();
            Recorder.until(loop, () -> loop.taskCount() == 1);
        });
    }

    @Test
    void aRequestOfNothingFails(EventLoop loop) throws Exception {
        for (long wrong : new long[] {0, -1, Long.MIN_VALUE}) {
            with(loop, "abc", connection -> {
                var probe = new Probe();
                Flows.publisher(connection).subscribe(probe);
                Recorder.until(loop, () -> probe.subscription != null);
                probe.subscription.request(wrong);
                Recorder.await(loop, probe.over);
                assertThat(probe.signals).containsExactly("subscribed", "failed");
                assertThat(probe.error).isInstanceOf(IllegalArgumentException.class);
                probe.subscription.request(1);
                Recorder.turns(loop, 20);
                assertThat(probe.signals).hasSize(2);
                assertThat(connection.readExactly(3)).asString().isEqualTo("abc");
            });
        }
    }

    @Test
    @Tag("cells")
    void aRequestOfNothingFailsWhileItWaitsForBytes(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var probe = new Probe((self, count) -> self.subscription.request(5));
            Flows.publisher(connection).subscribe(probe);
            Recorder.turns(loop, 20);
            loop.runInExecutor(() -> {
                        probe.subscription.request(-5);
                        return null;
                    })
                    .await();
            Recorder.await(loop, probe.over);
            assertThat(probe.error).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("cells")
    void afterACancelNothingComesAndNothingIsLost(EventLoop loop) throws Exception {
        with(loop, "abcdef", connection -> {
            var probe = new Probe((self, count) -> {
                if (count == 3) {
                    self.subscription.cancel();
                    self.subscription.cancel();
                }
                self.subscription.request(1);
            });
            Flows.publisher(connection, 1).subscribe(probe);
            Recorder.until(loop, () -> probe.bytes == 3);
            Recorder.turns(loop, 20);
            assertThat(probe.signals).containsExactly("subscribed", "a", "b", "c");
            assertThat(connection.readExactly(3)).asString().isEqualTo("def");
        });
    }

    @Test
    void aCancelElsewhereEndsTheReadThatWaits(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var probe = new Probe((self, count) -> self.subscription.request(5));
            Flows.publisher(connection).subscribe(probe);
            Recorder.turns(loop, 20);
            loop.runInExecutor(() -> {
                        probe.subscription.cancel();
                        return null;
                    })
                    .await();
            Recorder.until(loop, () -> loop.taskCount() == 1);
            assertThat(probe.signals).containsExactly("subscribed");
            assertThat(connection.isIdle()).isTrue();
        });
    }

    @Test
    void aSecondSubscriberIsRefused(EventLoop loop) throws Exception {
        with(loop, "a", connection -> {
            var first = new Probe((self, count) -> self.subscription.request(1));
            var second = new Probe((self, count) -> self.subscription.request(1));
            var publisher = Flows.publisher(connection);
            publisher.subscribe(first);
            publisher.subscribe(second);
            assertThat(second.signals).containsExactly("subscribed", "failed");
            assertThat(second.error).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> publisher.subscribe(null)).isInstanceOf(NullPointerException.class);
            end.complete(null);
            Recorder.await(loop, first.over);
            assertThat(first.signals).containsExactly("subscribed", "a", "completed");
        });
    }

    @Test
    void aStreamWithoutBytesCompletes(EventLoop loop) throws Exception {
        end.complete(null);
        with(loop, "", connection -> {
            var probe = new Probe((self, count) -> self.subscription.request(1));
            Flows.publisher(connection).subscribe(probe);
            Recorder.await(loop, probe.over);
            assertThat(probe.signals).containsExactly("subscribed", "completed");
        });
    }

    @Test
    void aBrokenStreamFails(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            end.get();
            socket.setSoLinger(true, 0);
            return "reset";
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var probe = new Probe((self, count) -> self.subscription.request(1));
                Flows.publisher(connection).subscribe(probe);
                end.complete(null);
                Recorder.await(loop, probe.over);
                assertThat(probe.error).isInstanceOf(IOException.class);
                assertThat(probe.signals).containsExactly("subscribed", "failed");
            }
        });
    }

    @Test
    void whatASubscriberThrowsEndsItAndGoesToTheHandler(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        with(loop, "abc", connection -> {
            var failure = new IllegalStateException("broken");
            var probe = new Probe((self, count) -> {
                if (count == 1) {
                    throw failure;
                }
                self.subscription.request(5);
            });
            Flows.publisher(connection, 1).subscribe(probe);
            Recorder.until(loop, () -> loop.taskCount() == 1 && probe.bytes > 0);
            assertThat(probe.signals).containsExactly("subscribed", "a");
            assertThat(errors.take())
                    .singleElement()
                    .satisfies(error -> assertThat(error.exception()).isSameAs(failure));
            assertThat(connection.readExactly(2)).asString().isEqualTo("bc");
        });
    }

    @Test
    void aSubscriberMayAwaitInItsSignals(EventLoop loop) throws Exception {
        with(loop, "abc", connection -> {
            var probe = new Probe((self, count) -> {
                try {
                    loop.runInExecutor(() -> 1).await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                self.subscription.request(1);
            });
            Flows.publisher(connection, 1).subscribe(probe);
            end.complete(null);
            Recorder.await(loop, probe.over);
            assertThat(probe.signals).containsExactly("subscribed", "a", "b", "c", "completed");
        });
    }

    // The subscriber

    /** A subscription that notes what is called. */
    private static final class Calls implements Flow.Subscription {
        final List<String> calls = new ArrayList<>();

        @Override
        public synchronized void request(long n) {
            calls.add("request " + n);
        }

        @Override
        public synchronized void cancel() {
            calls.add("cancel");
        }
    }

    @Test
    void theSubscriberAsksForOneBufferAtATime(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var subscriber = Flows.subscriber(connection);
            var calls = new Calls();
            subscriber.onSubscribe(calls);
            Recorder.until(loop, () -> calls.calls.size() == 1);
            subscriber.onNext(ByteBuffer.wrap(new byte[] {'a'}));
            Recorder.until(loop, () -> calls.calls.size() == 2);
            subscriber.onComplete();
            subscriber.done().await();
            assertThat(calls.calls).containsExactly("request 1", "request 1");
        });
    }

    @Test
    void theSubscriberCancelsASecondSubscription(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var subscriber = Flows.subscriber(connection);
            var first = new Calls();
            var second = new Calls();
            subscriber.onSubscribe(first);
            subscriber.onSubscribe(second);
            assertThat(second.calls).containsExactly("cancel");
            subscriber.onComplete();
            subscriber.done().await();
            assertThat(first.calls).doesNotContain("cancel");
        });
    }

    @Test
    void aPublisherThatSendsTooMuchIsCancelled(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var subscriber = Flows.subscriber(connection);
            var calls = new Calls();
            subscriber.onSubscribe(calls);
            subscriber.onNext(ByteBuffer.wrap(new byte[] {'a'}));
            subscriber.onNext(ByteBuffer.wrap(new byte[] {'b'}));
            assertThatThrownBy(() -> subscriber.done().await())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("more than was requested");
            assertThat(calls.calls).containsOnlyOnce("cancel");
        });
    }

    @Test
    void aCopyThatWasCancelledBeforeItBeganCancelsItsSubscription(EventLoop loop) throws Exception {
        with(loop, "", connection -> {
            var subscriber = Flows.subscriber(connection);
            subscriber.done().cancel();
            var calls = new Calls();
            subscriber.onSubscribe(calls);
            assertThat(calls.calls).containsExactly("cancel");
            var other = Flows.subscriber(connection);
            var late = new Calls();
            other.onSubscribe(late);
            other.done().cancel();
            Recorder.until(loop, () -> late.calls.contains("cancel"));
            assertThat(late.calls).containsExactly("cancel");
        });
    }
}
