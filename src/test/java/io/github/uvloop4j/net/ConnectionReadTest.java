package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading in tasks. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionReadTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static Peers.Listening<Object> sender(byte[] bytes) throws Exception {
        return Peers.server(socket -> {
            socket.getOutputStream().write(bytes);
            return null;
        });
    }

    /** Sends pieces, each after the one before was acknowledged with a byte. */
    private static Peers.Listening<Object> pieces(String... pieces) throws Exception {
        return Peers.server(socket -> {
            for (var piece : pieces) {
                socket.getOutputStream().write(utf8(piece));
                assertThat(socket.getInputStream().read()).isPositive();
            }
            return null;
        });
    }

    @Tag("cells")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readBringsEveryByteAndThenTheEnd(boolean direct, EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(2 << 20);
        var peer = sender(bytes);
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var all = ByteBuffer.allocate(bytes.length);
                var buffer = direct ? ByteBuffer.allocateDirect(10_000) : ByteBuffer.allocate(10_000);
                for (int count = connection.read(buffer); count >= 0; count = connection.read(buffer)) {
                    assertThat(count).isPositive().isEqualTo(buffer.position());
                    all.put(buffer.flip());
                    buffer.clear();
                }
                assertThat(all.array()).isEqualTo(bytes);
                assertThat(connection.read(buffer)).isEqualTo(-1);
                assertThat(connection.read(buffer)).isEqualTo(-1);
            }
        });
    }

    @Test
    void readHeedsPositionAndLimit(EventLoop loop) throws Exception {
        var peer = pieces("abcdef");
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var buffer = ByteBuffer.allocateDirect(10).position(2).limit(5);
                while (buffer.hasRemaining()) {
                    connection.read(buffer);
                }
                assertThat(connection.read(buffer)).isZero();
                var bytes = new byte[10];
                buffer.clear().get(bytes);
                assertThat(bytes).containsExactly(0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0);
                assertThat(text(connection.readExactly(3))).isEqualTo("def");
                connection.write(new byte[] {1});
            }
        });
    }

    @Test
    void readExactlyWaitsForAllPieces(EventLoop loop) throws Exception {
        var peer = pieces("ab", "cd", "ef");
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                loop.spawn(() -> {
                    for (int i = 0; i < 3; i++) {
                        connection.write(new byte[] {1});
                    }
                });
                assertThat(text(connection.readExactly(6))).isEqualTo("abcdef");
                assertThat(connection.readExactly(0)).isEmpty();
                assertThatThrownBy(() -> connection.readExactly(-1)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void readExactlyAtTheEndTellsWhatCame(EventLoop loop) throws Exception {
        var peer = sender(utf8("abc"));
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                assertThatThrownBy(() -> connection.readExactly(10))
                        .isInstanceOfSatisfying(
                                IncompleteReadException.class,
                                e -> assertThat(text(e.partial())).isEqualTo("abc"))
                        .hasMessageContaining("3 bytes")
                        .hasMessageContaining("10");
                assertThat(connection.readAll()).isEmpty();
            }
        });
    }

    @Test
    void readAllReadsToTheEnd(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(3_000_000);
        var peer = sender(bytes);
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                assertThat(connection.readAll()).isEqualTo(bytes);
                assertThat(connection.readAll()).isEmpty();
            }
        });
    }

    @Test
    void aSeparatorMayBeSplitOverPieces(EventLoop loop) throws Exception {
        var peer = pieces("one\r", "\ntwo\r\r", "\n\r\nrest");
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.write(new byte[] {1, 1, 1});
                var separator = utf8("\r\n");
                assertThat(text(connection.readUntil(separator))).isEqualTo("one\r\n");
                assertThat(text(connection.readUntil(separator))).isEqualTo("two\r\r\n");
                assertThat(text(connection.readUntil(separator))).isEqualTo("\r\n");
                assertThatThrownBy(() -> connection.readUntil(separator))
                        .isInstanceOfSatisfying(
                                IncompleteReadException.class,
                                e -> assertThat(text(e.partial())).isEqualTo("rest"));
                assertThatThrownBy(() -> connection.readUntil(new byte[0]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void aSeparatorBeyondTheLimitLeavesTheBytes(EventLoop loop) throws Exception {
        var peer = sender(utf8("x".repeat(100) + "\nshort\n"));
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.readLimit(50);
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(() -> connection.readUntil(utf8("\n")))
                            .isInstanceOfSatisfying(
                                    LimitOverrunException.class,
                                    e -> assertThat(e.consumed()).isBetween(50, 100))
                            .hasMessageContaining("50");
                }
                assertThat(text(connection.readExactly(100))).isEqualTo("x".repeat(100));
                assertThat(connection.readLine()).isEmpty();
                assertThat(connection.readLine()).isEqualTo("short");
            }
        });
    }

    @Test
    void anOverrunWithoutASeparatorTellsHowMuchMayBeReadAway(EventLoop loop) throws Exception {
        var peer = pieces("x".repeat(100) + "\r", "\nrest\r\n");
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.readLimit(50);
                var overrun = new LimitOverrunException[1];
                assertThatThrownBy(() -> connection.readUntil(utf8("\r\n")))
                        .isInstanceOfSatisfying(LimitOverrunException.class, e -> overrun[0] = e);
                assertThat(overrun[0].consumed())
                        .as("a part of the separator is kept")
                        .isLessThanOrEqualTo(100);
                connection.readExactly(overrun[0].consumed());
                connection.write(new byte[] {1, 1});
                connection.readLimit(200);
                assertThat(text(connection.readUntil(utf8("\r\n")))).endsWith("\r\n");
                assertThat(connection.readLine()).isEqualTo("rest");
            }
        });
    }

    @Test
    void aHigherLimitLetsTheLineThrough(EventLoop loop) throws Exception {
        var line = "y".repeat(200_000);
        var peer = sender(utf8(line + "\n"));
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                assertThat(connection.readLimit()).isEqualTo(65_536);
                assertThatThrownBy(connection::readLine).isInstanceOf(LimitOverrunException.class);
                connection.readLimit(1 << 20);
                assertThat(connection.readLine()).isEqualTo(line);
                assertThatThrownBy(() -> connection.readLimit(0)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void linesLoseTheirEndsOnly(EventLoop loop) throws Exception {
        var peer = sender(utf8("one\ntwo\r\n\n\r\n\rthree\r\rlast ä€😀"));
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                assertThat(connection.readLine()).isEqualTo("one");
                assertThat(connection.readLine()).isEqualTo("two");
                assertThat(connection.readLine()).isEmpty();
                assertThat(connection.readLine()).isEmpty();
                assertThat(connection.readLine()).isEqualTo("\rthree\r\rlast ä€😀");
                assertThat(connection.readLine()).isNull();
                assertThat(connection.readLine()).isNull();
            }
        });
    }

    @Test
    void aCharacterMayBeSplitOverPieces(EventLoop loop) throws Exception {
        var bytes = utf8("😀\n");
        var gate = new CompletableFuture<Void>();
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(bytes, 0, 2);
            gate.get(30, TimeUnit.SECONDS);
            socket.getOutputStream().write(bytes, 2, 3);
            return null;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                var line = loop.spawn(connection::readLine);
                Recorder.turns(loop, 10);
                gate.complete(null);
                assertThat(line.await(Recorder.LIMIT)).isEqualTo("😀");
            }
        });
    }

    @Test
    void whatNobodyReadsIsHeldBackByTheKernel(EventLoop loop) throws Exception {
        var sent = new java.util.concurrent.atomic.AtomicLong();
        var peer = Peers.server(socket -> {
            socket.setSendBufferSize(64 * 1024);
            var block = new byte[16 * 1024];
            for (int i = 0; i < 4_096; i++) {
                socket.getOutputStream().write(block);
                sent.addAndGet(block.length);
            }
            return null;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.read(ByteBuffer.allocate(1));
                long before;
                do {
                    before = sent.get();
                    Recorder.turns(loop, 200);
                    Thread.yield();
                } while (sent.get() != before);
                assertThat(sent.get()).isLessThan(32L << 20);
                connection.abort();
            }
        });
        assertThat(peer.result()).failsWithin(Recorder.LIMIT);
    }

    @Test
    void aSecondReaderIsRefusedAndTheFirstGoesOn(EventLoop loop) throws Exception {
        var peer = pieces("x");
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                connection.readExactly(1);
                var first = loop.spawn("first reader", () -> connection.read(ByteBuffer.allocate(1)));
                Recorder.turns(loop, 2);
                assertThatThrownBy(() -> connection.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("first reader");
                connection.write(new byte[] {1});
                assertThat(first.await(Recorder.LIMIT)).isEqualTo(-1);
            }
        });
    }

    @Test
    void outsideATaskReadingIsRefusedWithAHint(EventLoop loop) throws Exception {
        var peer = sender(utf8("x"));
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            var outcome = loop.<Throwable>createFuture();
            loop.callSoon(() -> {
                try {
                    connection.read(ByteBuffer.allocate(1));
                    outcome.complete(new AssertionError("it was allowed"));
                } catch (Exception e) {
                    outcome.complete(e);
                }
            });
            assertThat(outcome.await())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("spawn");
            connection.close();
        });
    }

    @Test
    void otherThreadsAreRefused(EventLoop loop) throws Exception {
        var peer = sender(utf8("x"));
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            assertThatThrownBy(() -> loop.runInExecutor(() -> connection.read(ByteBuffer.allocate(1)))
                            .await())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("thread");
            connection.close();
        });
    }

    @Test
    void transferToSendsEverythingToAnother(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(5 << 20);
        var source = sender(bytes);
        var target = Peers.server(socket -> socket.getInputStream().readAllBytes());
        loop.run(() -> {
            try (var in = loop.net().openConnection("127.0.0.1", source.port());
                    var out = loop.net().openConnection("127.0.0.1", target.port())) {
                out.writeBufferLimits(new WriteLimits(0, 0));
                assertThat(in.transferTo(out)).isEqualTo(bytes.length);
            }
            Recorder.await(loop, target.result());
        });
        assertThat(target.result().get(30, TimeUnit.SECONDS)).isEqualTo(bytes);
    }

    @Test
    void transferToItselfIsAnEcho(EventLoop loop) throws Exception {
        var bytes = Recorder.pattern(1 << 20);
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var peer = Peers.client(listener.address(), socket -> {
                var writer = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        socket.getOutputStream().write(bytes);
                        socket.shutdownOutput();
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
                var back = socket.getInputStream().readAllBytes();
                writer.join();
                return back;
            });
            try (var connection = listener.accept()) {
                assertThat(connection.transferTo(connection)).isEqualTo(bytes.length);
            }
            assertThat(Recorder.await(loop, peer)).isEqualTo(bytes);
            listener.close();
        });
    }
}
