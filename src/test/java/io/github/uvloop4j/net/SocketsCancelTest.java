package io.github.uvloop4j.net;

import static io.github.uvloop4j.net.SocketsTest.listening;
import static io.github.uvloop4j.net.SocketsTest.loopback;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.ByteArrayOutputStream;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cancelling an operation on a raw socket and starting it again at once: nothing is refused, nothing lost. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class SocketsCancelTest {
    /** A peer that sends what it is told, until it is told nothing. */
    private static Peers.Listening<Boolean> talker(BlockingQueue<String> words) throws Exception {
        return Peers.server(socket -> {
            for (var word = words.poll(30, TimeUnit.SECONDS);
                    word != null && !word.isEmpty();
                    word = words.poll(30, TimeUnit.SECONDS)) {
                socket.getOutputStream().write(word.getBytes());
            }
            return true;
        });
    }

    private static RawSocket connected(EventLoop loop, int port) throws Exception {
        var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
        loop.sockets().sockConnect(socket, loopback(port)).await();
        return socket;
    }

    @Test
    void receiveAgainBeforeTheDataComes(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(10);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                for (int i = 0; i < 100; i++) {
                    var cancelled = loop.sockets().sockRecv(socket, 10);
                    assertThat(cancelled.cancel()).isTrue();
                    var again = loop.sockets().sockRecv(socket, 10);
                    words.add("x" + i);
                    assertThat(again.await()).isEqualTo(("x" + i).getBytes());
                    assertThat(cancelled.isCancelled()).isTrue();
                }
                words.add("");
            }
        });
    }

    @Test
    void receiveAgainAfterTheDataCame(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(10);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                for (int i = 0; i < 20; i++) {
                    var cancelled = loop.sockets().sockRecv(socket, 10);
                    words.add("y" + i);
                    // The loop does not go round: the data waits in the kernel.
                    busyFor(2_000_000);
                    cancelled.cancel();
                    assertThat(loop.sockets().sockRecv(socket, 10).await()).isEqualTo(("y" + i).getBytes());
                }
                words.add("");
            }
        });
    }

    private static void busyFor(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void cancelFromAnotherThreadLosesNoByte(EventLoop loop) throws Exception {
        int bytes = 3_000;
        var peer = Peers.server(socket -> {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < bytes; i++) {
                socket.getOutputStream().write(i);
            }
            return true;
        });
        var received = new ByteArrayOutputStream();
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                for (int round = 0; received.size() < bytes; round++) {
                    var receive = round % 2 == 0 ? null : loop.sockets().sockRecv(socket, 3);
                    var target = ByteBuffer.allocate(3);
                    var into = receive != null ? null : loop.sockets().sockRecvInto(socket, target);
                    var ended = loop.<Boolean>createFuture();
                    var operation = receive == null ? into : receive;
                    CompletableFuture.runAsync(operation::cancel).thenRun(() -> ended.complete(true));
                    ended.await();
                    if (receive != null && !receive.isCancelled()) {
                        received.write(receive.await());
                    } else if (into != null && !into.isCancelled()) {
                        into.await();
                        received.write(target.array(), 0, target.position());
                    }
                }
            }
        });
        for (int i = 0; i < bytes; i++) {
            assertThat(received.toByteArray()[i]).isEqualTo((byte) i);
        }
    }

    @Test
    void receiveAgainInTheCallbackOfACancelFromAnotherThread(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(10);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var first = loop.sockets().sockRecv(socket, 10);
                var second = loop.<byte[]>createFuture();
                first.whenDone((value, error) ->
                        loop.sockets().sockRecv(socket, 10).whenDone((bytes, failure) -> second.complete(bytes)));
                Thread.ofPlatform().start(first::cancel);
                Turns.until(loop, first::isDone);
                words.add("z");
                assertThat(second.await()).isEqualTo("z".getBytes());
                words.add("");
            }
        });
    }

    @Test
    void readerAfterACancelFromAnotherThread(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(10);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var first = loop.sockets().sockRecv(socket, 10);
                var readable = loop.<Boolean>createFuture();
                first.whenDone((value, error) -> loop.sockets().addReader(socket.fd(), () -> readable.complete(true)));
                Thread.ofPlatform().start(first::cancel);
                Turns.until(loop, first::isDone);
                Turns.next(loop, 3);
                words.add("z");
                assertThat(readable.await()).isTrue();
                assertThat(loop.sockets().removeReader(socket.fd())).isTrue();
                words.add("");
            }
        });
    }

    @Test
    void acceptAgain(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var server = listening(loop)) {
                var cancelled = loop.sockets().sockAccept(server);
                cancelled.cancel();
                var again = loop.sockets().sockAccept(server);
                var peer = Peers.client(
                        server.localAddress(), socket -> socket.getInputStream().read());
                again.await().socket().close();
                assertThat(peer.join()).isEqualTo(-1);
            }
        });
    }

    @Test
    void connectAgain(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            try (var socket = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                loop.sockets().sockConnect(socket, loopback(peer.port())).cancel();
                loop.sockets().sockConnect(socket, loopback(peer.port())).await();
                loop.sockets()
                        .sockSendAll(socket, ByteBuffer.wrap(new byte[] {7}))
                        .await();
            }
        });
        assertThat(peer.result().join()).isEqualTo(7);
    }

    @Test
    void sendTheRestAfterACancel(EventLoop loop) throws Exception {
        int size = 30_000_000;
        var peer = Peers.server(socket -> socket.getInputStream().readAllBytes().length);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var data = ByteBuffer.allocate(size);
                var cancelled = loop.sockets().sockSendAll(socket, data);
                assertThat(cancelled.cancel()).isTrue();
                assertThat(data.position()).isLessThan(size);
                loop.sockets().sockSendAll(socket, data).await();
            }
        });
        assertThat(peer.result().join()).isEqualTo(size);
    }

    @Test
    void sendOfTwoHundredMegabytesIsCancelledAndTheSocketCloses(EventLoop loop) throws Exception {
        int size = 200_000_000;
        var peer = Peers.server(socket -> {
            long count = 0;
            for (var part = socket.getInputStream().readNBytes(1 << 20);
                    part.length > 0;
                    part = socket.getInputStream().readNBytes(1 << 20)) {
                count += part.length;
            }
            return count;
        });
        var sent = loop.<Integer>run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var data = ByteBuffer.allocate(size);
                var sending = loop.sockets().sockSendAll(socket, data);
                Turns.next(loop, 2);
                assertThat(sending.cancel()).isTrue();
                return data.position();
            }
        });
        assertThat(sent).isBetween(1, size - 1);
        assertThat(peer.result().join()).isEqualTo(sent.longValue());
    }

    @Test
    void cancelledTaskLeavesTheSocketToOthers(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(10);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var task = loop.spawn(() -> loop.sockets().sockRecv(socket, 10).await());
                Turns.next(loop, 1);
                task.cancel();
                var mine = loop.sockets().sockRecv(socket, 10);
                words.add("mine");
                assertThat(mine.await()).isEqualTo("mine".getBytes());
                words.add("");
            }
        });
    }

    @Test
    void receiveIsNotAReaderThatOthersCouldRemove(EventLoop loop) throws Exception {
        var words = new ArrayBlockingQueue<String>(1);
        var peer = talker(words);
        loop.run(() -> {
            try (var socket = connected(loop, peer.port())) {
                var receive = loop.sockets().sockRecv(socket, 10);
                assertThat(loop.sockets().removeReader(socket.fd())).isFalse();
                assertThat(receive.isDone()).isFalse();
                assertThat(receive.cancel()).isTrue();
                assertThat(loop.sockets().sockRecv(socket, 10).cancel()).isTrue();
            }
        });
        words.add("");
    }
}
