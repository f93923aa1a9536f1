package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.Descriptors;
import io.github.uvloop4j.testing.Internet;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many bytes, many writes, many connections. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class TcpLoadTest {
    private static final int BLOCK = 100 * 1024;

    @Test
    void twentyFiveClientsExchangeMegabytesWithAServerOfTasks(EventLoop loop) throws Exception {
        int clients = 25;
        int size = 1 << 20;
        var bytes = Recorder.pattern(size);
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var peers = new ArrayList<CompletableFuture<Boolean>>();
            for (int i = 0; i < clients; i++) {
                peers.add(Peers.client(listener.address(), socket -> {
                    socket.getOutputStream().write(bytes);
                    boolean same =
                            java.util.Arrays.equals(socket.getInputStream().readNBytes(size), bytes);
                    socket.getOutputStream().write(bytes);
                    return same
                            & java.util.Arrays.equals(socket.getInputStream().readAllBytes(), bytes);
                }));
            }
            var tasks = new ArrayList<LoopFuture<Integer>>();
            for (int i = 0; i < clients; i++) {
                var connection = listener.accept();
                tasks.add(loop.spawn(() -> {
                    try (connection) {
                        for (int round = 0; round < 2; round++) {
                            var all = connection.readExactly(size);
                            assertThat(all).isEqualTo(bytes);
                            connection.write(all);
                            connection.drain();
                        }
                        return 2 * size;
                    }
                }));
            }
            for (var task : tasks) {
                assertThat(task.await(Recorder.LIMIT)).isEqualTo(2 * size);
            }
            for (var peer : peers) {
                assertThat(Recorder.await(loop, peer)).isTrue();
            }
            listener.close();
        });
    }

    @ParameterizedTest
    @CsvSource({"1000,false", "3000,true"})
    void writesOfHundredKibibytesArriveToTheByte(int count, boolean drain, EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            long total = 0;
            int wrong = 0;
            var block = new byte[BLOCK];
            var in = socket.getInputStream();
            for (int n = in.readNBytes(block, 0, BLOCK); n > 0; n = in.readNBytes(block, 0, BLOCK)) {
                int number = (int) (total / BLOCK);
                wrong += block[0] == (byte) number && block[n - 1] == (byte) number ? 0 : 1;
                total += n;
            }
            return wrong == 0 ? total : -1L;
        });
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            if (!drain) {
                connection.writeBufferLimits(WriteLimits.high(Integer.MAX_VALUE));
            }
            var block = new byte[BLOCK];
            for (int i = 0; i < count; i++) {
                java.util.Arrays.fill(block, (byte) i);
                connection.write(block);
                if (i == count / 2) {
                    assertThatThrownBy(() -> connection.write((ByteBuffer) null))
                            .isInstanceOf(NullPointerException.class);
                }
                if (drain) {
                    connection.drain();
                }
            }
            connection.close();
            connection.waitClosed().await(Recorder.LIMIT);
        });
        assertThat(peer.result().get(60, TimeUnit.SECONDS)).isEqualTo((long) count * BLOCK);
    }

    @Test
    void aProtocolWritesHundredKibibytesThousandTimes(EventLoop loop) throws Exception {
        int count = 1_000;
        var peer = Peers.server(socket -> {
            long total = 0;
            var block = new byte[BLOCK];
            for (int n = socket.getInputStream().read(block);
                    n >= 0;
                    n = socket.getInputStream().read(block)) {
                total += n;
            }
            return total;
        });
        var recorder = new Recorder(loop) {
            private final byte[] block = new byte[BLOCK];
            private int written;
            private boolean paused;

            private void produce() {
                while (!paused && written < count) {
                    written++;
                    made.resultNow().write(block);
                }
                if (written == count) {
                    made.resultNow().close();
                }
            }

            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                produce();
            }

            @Override
            public void pauseWriting() {
                paused = true;
            }

            @Override
            public void resumeWriting() {
                paused = false;
                produce();
            }
        };
        loop.run(() -> {
            loop.net()
                    .createConnection(() -> recorder, "127.0.0.1", peer.port())
                    .await();
            assertThat(recorder.ended()).isNull();
        });
        assertThat(peer.result().get(60, TimeUnit.SECONDS)).isEqualTo((long) count * BLOCK);
    }

    @Test
    void aThousandConnectionsComeAndGoAndLeaveNothing(EventLoop loop) throws Exception {
        int rounds = 1_000;
        loop.run(() -> {
            var server = loop.net().createServer(Silent::new, "127.0.0.1", 0).await();
            var address = server.address();
            var before = Descriptors.now();
            var done = new CompletableFuture<Integer>();
            Thread.ofPlatform().daemon().name("peer").start(() -> {
                try {
                    done.complete(comeAndGo(address, rounds));
                } catch (IOException e) {
                    done.completeExceptionally(e);
                }
            });
            assertThat(Recorder.await(loop, done)).isEqualTo(rounds);
            Recorder.until(loop, () -> server.clientCount() == 0);
            assertThat(Descriptors.leakedSince(before)).isEmpty();
            assertThat(waitingToBeClosed(Internet.port(address))).isZero();
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    private static int comeAndGo(SocketAddress address, int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            try (var socket = new Socket(Internet.ip(address), Internet.port(address))) {
                if (i % 3 == 0) {
                    socket.setSoLinger(true, 0);
                }
                if (i % 2 == 0) {
                    socket.getOutputStream().write(i);
                }
                if (i % 5 == 0) {
                    socket.shutdownOutput();
                }
            }
        }
        return rounds;
    }

    private static final class Silent implements Protocol {
        @Override
        public void dataReceived(ByteBuffer data) {}
    }

    /** How many sockets of a local port are in CLOSE_WAIT. */
    private static long waitingToBeClosed(int port) throws Exception {
        var suffix = ":%04X".formatted(port);
        try (var lines = Files.lines(Path.of("/proc/self/net/tcp"))) {
            return lines.map(line -> line.trim().split(" +", -1))
                    .filter(fields -> fields[1].endsWith(suffix) && fields[3].equals("08"))
                    .count();
        }
    }

    @Test
    void aReadlineServerAnswersTenThousandLines(EventLoop loop) throws Exception {
        int lines = 10_000;
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var server = loop.spawn(() -> {
                try (var connection = listener.accept()) {
                    for (var line = connection.readLine(); line != null; line = connection.readLine()) {
                        connection.write(line + "!\n");
                    }
                }
            });
            try (var client = loop.net().openConnection("127.0.0.1", listener.port())) {
                var writer = loop.spawn(() -> {
                    for (int i = 0; i < lines; i++) {
                        client.write("line " + i + "\r\n");
                    }
                    client.shutdownOutput();
                });
                for (int i = 0; i < lines; i++) {
                    assertThat(client.readLine()).isEqualTo("line " + i + "!");
                }
                assertThat(client.readLine()).isNull();
                writer.await(Recorder.LIMIT);
            }
            server.await(Recorder.LIMIT);
            listener.close();
        });
    }
}
