package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.DescriptorSender;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Descriptors that go over Unix sockets. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class DescriptorPassingTest {
    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.UTF_8.decode(buffer.duplicate().flip()).toString();
    }

    private static PassedDescriptor received(ReceivedDescriptor message) {
        assertThat(message.descriptor()).isNotNull();
        return message.descriptor();
    }

    @ParameterizedTest
    @EnumSource(SocketType.class)
    @Tag("cells")
    void aDescriptorArrivesWithItsBytes(SocketType type, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(type);
                    var sent = loop.sockets().openPipe()) {
                var data = buffer("take this");
                loop.sockets()
                        .sockSendDescriptor(way.first(), data, sent.writer().fd())
                        .await(Recorder.LIMIT);
                assertThat(data.hasRemaining()).isFalse();
                var target = ByteBuffer.allocate(100);
                var message =
                        loop.sockets().sockRecvDescriptor(way.second(), target).await(Recorder.LIMIT);
                assertThat(message.length()).isEqualTo(9);
                assertThat(message.truncated()).isFalse();
                assertThat(text(target)).isEqualTo("take this");
                int fd = received(message).detach();
                assertThat(Fds.info(fd)).containsPattern("flags:\\s+0[0-7]*2[0-7]{6}\\b");
                try (var pipe = loop.sockets().adoptPipe(fd)) {
                    Fds.write(pipe.fd(), "through");
                    assertThat(Fds.read(sent.reader().fd())).isEqualTo(7);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(SocketType.class)
    void bytesComeWithoutADescriptorToo(SocketType type, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(type)) {
                var receiving = loop.sockets().sockRecvDescriptor(way.second(), ByteBuffer.allocateDirect(10));
                assertThat(receiving.isDone()).isFalse();
                loop.sockets().sockSendAll(way.first(), buffer("plain")).await(Recorder.LIMIT);
                var message = receiving.await(Recorder.LIMIT);
                assertThat(message.length()).isEqualTo(5);
                assertThat(message.descriptor()).isNull();
            }
        });
    }

    @Test
    void theEndOfTheStreamIsTold(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                way.first().close();
                var message = loop.sockets()
                        .sockRecvDescriptor(way.second(), ByteBuffer.allocate(10))
                        .await(Recorder.LIMIT);
                assertThat(message.length()).isEqualTo(-1);
                assertThat(message.descriptor()).isNull();
            }
        });
    }

    @Test
    @Tag("cells")
    void aListenerIsPassedAndServes(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                var bound = loop.sockets().openTcp(StandardProtocolFamily.INET);
                bound.bind(new java.net.InetSocketAddress("127.0.0.1", 0));
                var address = bound.localAddress();
                loop.sockets()
                        .sockSendDescriptor(way.first(), buffer("x"), bound.fd())
                        .await(Recorder.LIMIT);
                bound.close();
                var message = loop.sockets()
                        .sockRecvDescriptor(way.second(), ByteBuffer.allocate(1))
                        .await(Recorder.LIMIT);
                var socket = loop.sockets().adopt(received(message).detach());
                try (var listener = loop.net().listen(socket, ServerOptions.defaults());
                        var client = loop.net().openConnection(address);
                        var served = listener.accept()) {
                    assertThat(listener.address()).isEqualTo(address);
                    client.write("hello\n");
                    assertThat(served.readLine()).isEqualTo("hello");
                }
            }
        });
    }

    @Test
    void eachDescriptorComesWithItsOwnMessage(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                for (int i = 0; i < 3; i++) {
                    try (var sent = loop.sockets().openPipe()) {
                        loop.sockets()
                                .sockSendDescriptor(
                                        way.first(),
                                        buffer("abc"),
                                        sent.reader().fd())
                                .await(Recorder.LIMIT);
                    }
                }
                for (int i = 0; i < 3; i++) {
                    var target = ByteBuffer.allocate(100);
                    var message = loop.sockets()
                            .sockRecvDescriptor(way.second(), target)
                            .await(Recorder.LIMIT);
                    assertThat(message.length()).isEqualTo(3);
                    received(message).close();
                }
            }
        });
    }

    @Test
    @Tag("cells")
    void aLongMessageCarriesItOnce(EventLoop loop) throws Exception {
        var data = Recorder.pattern(2_000_003);
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var sent = loop.sockets().openPipe()) {
                var sending = loop.sockets()
                        .sockSendDescriptor(
                                way.first(),
                                ByteBuffer.wrap(data),
                                sent.reader().fd());
                var target = ByteBuffer.allocate(data.length);
                int descriptors = 0;
                while (target.hasRemaining()) {
                    var message = loop.sockets()
                            .sockRecvDescriptor(way.second(), target)
                            .await(Recorder.LIMIT);
                    if (message.descriptor() != null) {
                        descriptors++;
                        message.descriptor().close();
                    }
                }
                sending.await(Recorder.LIMIT);
                assertThat(target.array()).isEqualTo(data);
                assertThat(descriptors).isEqualTo(1);
            }
        });
    }

    @Test
    void itMayBeClosedWhileItWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                var filling = loop.sockets().sockSendAll(way.first(), ByteBuffer.allocate(1 << 20));
                filling.cancel();
                var pair = loop.sockets().openPipe();
                var sending = loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("z"), pair.reader().fd());
                assertThat(sending.isDone()).isFalse();
                pair.reader().close();
                PassedDescriptor came = null;
                var target = ByteBuffer.allocate(100_000);
                while (came == null) {
                    came = loop.sockets()
                            .sockRecvDescriptor(way.second(), target.clear())
                            .await(Recorder.LIMIT)
                            .descriptor();
                }
                sending.await(Recorder.LIMIT);
                Fds.write(pair.writer().fd(), "x");
                assertThat(Fds.read(came.fd())).isEqualTo(1);
                came.close();
                pair.close();
            }
        });
    }

    @Test
    void aSendThatIsCancelledKeepsNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var pair = loop.sockets().openPipe()) {
                loop.sockets()
                        .sockSendAll(way.first(), ByteBuffer.allocate(1 << 20))
                        .cancel();
                var before = Descriptors.now();
                var sending = loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("z"), pair.reader().fd());
                sending.cancel();
                assertThatThrownBy(sending::await).isInstanceOf(CancellationException.class);
                assertThat(Descriptors.leakedSince(before)).isEmpty();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(SocketType.class)
    @Tag("cells")
    void severalWithOneMessageAreClosedAndReported(SocketType type, EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(type);
                    var pair = loop.sockets().openPipe()) {
                for (int count : new int[] {2, 3, 60, 200}) {
                    var before = Descriptors.now();
                    var many = new int[count];
                    java.util.Arrays.fill(many, pair.reader().fd());
                    DescriptorSender.send(way.first().fd(), "many", many);
                    assertThatThrownBy(loop.sockets().sockRecvDescriptor(way.second(), ByteBuffer.allocate(10))::await)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("several descriptors");
                    assertThat(Descriptors.leakedSince(before)).isEmpty();
                    if (type == SocketType.STREAM) {
                        assertThat(loop.sockets().sockRecv(way.second(), 10).await(Recorder.LIMIT))
                                .isEqualTo("many".getBytes(StandardCharsets.UTF_8));
                    }
                }
            }
        });
    }

    @Test
    void oneThatTheProcessCannotHaveIsReportedAndLaterOnesCome() throws Exception {
        var result = new ChildJvm().limitDescriptors(128).run(PassingMain.class);
        assertThat(result.output())
                .contains("first several descriptors came with one message, and were closed, bytes kept: 1 then one")
                .contains("full this process cannot have more, bytes kept: 1")
                .contains("later one");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void whoReceivesBytesOnlyLeavesNoDescriptor(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var pair = loop.sockets().openPipe()) {
                var before = Descriptors.now();
                loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("x"), pair.reader().fd())
                        .await(Recorder.LIMIT);
                assertThat(loop.sockets().sockRecv(way.second(), 10).await(Recorder.LIMIT))
                        .hasSize(1);
                assertThat(Descriptors.leakedSince(before)).isEmpty();
            }
        });
    }

    @Test
    void aTruncatedDatagramStillCarriesIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.DATAGRAM);
                    var pair = loop.sockets().openPipe()) {
                loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("too long"), pair.reader().fd())
                        .await(Recorder.LIMIT);
                var message = loop.sockets()
                        .sockRecvDescriptor(way.second(), ByteBuffer.allocate(3))
                        .await(Recorder.LIMIT);
                assertThat(message.length()).isEqualTo(3);
                assertThat(message.truncated()).isTrue();
                received(message).close();
            }
        });
    }

    @Test
    void whatIsReceivedInTheMomentOfACancelStaysForTheNext(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var pair = loop.sockets().openPipe()) {
                for (int i = 0; i < 200; i++) {
                    var lost = loop.sockets().sockRecvDescriptor(way.second(), ByteBuffer.allocate(1));
                    loop.sockets()
                            .sockSendDescriptor(
                                    way.first(), buffer("x"), pair.reader().fd())
                            .await(Recorder.LIMIT);
                    var canceller = Thread.ofPlatform().start(lost::cancel);
                    Turns.until(loop, lost::isDone);
                    canceller.join();
                    var message = lost.isCancelled()
                            ? loop.sockets()
                                    .sockRecvDescriptor(way.second(), ByteBuffer.allocate(1))
                                    .await(Recorder.LIMIT)
                            : lost.result();
                    assertThat(message.length()).isEqualTo(1);
                    received(message).close();
                }
            }
        });
    }

    @Test
    void theLoopClosesWhatNobodyTook() throws Exception {
        int fd;
        try (var loop = EventLoop.create()) {
            fd = loop.run(() -> {
                try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                        var pair = loop.sockets().openPipe()) {
                    loop.sockets()
                            .sockSendDescriptor(
                                    way.first(), buffer("x"), pair.reader().fd())
                            .await(Recorder.LIMIT);
                    return received(loop.sockets()
                                    .sockRecvDescriptor(way.second(), ByteBuffer.allocate(1))
                                    .await(Recorder.LIMIT))
                            .fd();
                }
            });
        }
        assertThat(Fds.isPipe(fd)).isFalse();
    }

    @Test
    void aTakenDescriptorIsNobodyElses(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var pair = loop.sockets().openPipe()) {
                loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("x"), pair.reader().fd())
                        .await(Recorder.LIMIT);
                var passed = received(loop.sockets()
                        .sockRecvDescriptor(way.second(), ByteBuffer.allocate(1))
                        .await(Recorder.LIMIT));
                int fd = passed.detach();
                passed.close();
                assertThatThrownBy(passed::detach).isInstanceOf(IllegalStateException.class);
                assertThat(Fds.isPipe(fd)).isTrue();
                Fds.close(fd);
            }
        });
    }

    @Test
    void mistakesAreNamed(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var tcp = loop.sockets().openTcp(StandardProtocolFamily.INET)) {
                assertThatThrownBy(() -> loop.sockets().sockSendDescriptor(way.first(), buffer(""), 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("a byte to go with");
                assertThatThrownBy(() -> loop.sockets().sockSendDescriptor(way.first(), buffer("x"), 1_000_000))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not an open descriptor");
                assertThatThrownBy(() -> loop.sockets().sockSendDescriptor(tcp, buffer("x"), 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("not a Unix socket");
                assertThatThrownBy(() -> loop.sockets().sockRecvDescriptor(tcp, ByteBuffer.allocate(1)))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> loop.sockets().sockRecvDescriptor(way.first(), ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("no room");
            }
        });
    }

    @Test
    void aReaderOfAPassedDescriptorGoesWithIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM);
                    var pair = loop.sockets().openPipe()) {
                loop.sockets()
                        .sockSendDescriptor(
                                way.first(), buffer("x"), pair.reader().fd())
                        .await(Recorder.LIMIT);
                var passed = received(loop.sockets()
                        .sockRecvDescriptor(way.second(), ByteBuffer.allocate(1))
                        .await(Recorder.LIMIT));
                var came = loop.<Boolean>createFuture();
                loop.sockets().addReader(passed.fd(), () -> came.complete(true));
                Fds.write(pair.writer().fd(), "x");
                came.await(Recorder.LIMIT);
                int fd = passed.fd();
                passed.close();
                assertThat(Fds.watchedBy(loop)).doesNotContain(fd);
            }
        });
    }

    @Test
    void aHungUpSocketFailsTheSend(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var way = loop.sockets().openUnixPair(SocketType.STREAM)) {
                way.second().close();
                assertThatThrownBy(loop.sockets().sockSendDescriptor(way.first(), buffer("x"), 0)::await)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("EPIPE");
            }
        });
    }
}
