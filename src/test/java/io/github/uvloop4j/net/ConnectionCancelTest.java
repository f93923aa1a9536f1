package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancelled reads and accepts lose neither bytes nor connections. */
@Tag("cells")
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionCancelTest {
    enum Way {
        HEAP,
        DIRECT,
        EXACTLY,
        EXACTLY_DIRECT,
        UNTIL
    }

    /** Reads a little and hands it over with the very act of reading: what a cancelled read took is not there. */
    private static void readSome(Way way, Connection connection, ByteArrayOutputStream to) throws Exception {
        switch (way) {
            case HEAP, DIRECT -> {
                var buffer = way == Way.HEAP ? ByteBuffer.allocate(700) : ByteBuffer.allocateDirect(700);
                if (connection.read(buffer) >= 0) {
                    take(buffer.flip(), to);
                }
            }
            case EXACTLY -> to.writeBytes(connection.readExactly(256));
            case EXACTLY_DIRECT -> {
                var buffer = ByteBuffer.allocateDirect(512);
                connection.readExactly(buffer);
                take(buffer.flip(), to);
            }
            case UNTIL -> to.writeBytes(connection.readUntil(new byte[] {0}));
        }
    }

    private static void take(ByteBuffer buffer, ByteArrayOutputStream to) {
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        to.writeBytes(bytes);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void aCancelledReadLosesNoByte(Way way, EventLoop loop) throws Exception {
        int blocks = 512;
        var bytes = new byte[blocks * 256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % 256 == 255 ? 0 : i % 256 == 0 ? i / 256 | 1 : i % 256);
        }
        var received = new ByteArrayOutputStream();
        var cancelled = new int[1];
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var peer = Peers.client(listener.address(), socket -> {
                var random = new Random(1);
                for (int sent = 0; sent < bytes.length; ) {
                    int count = Math.min(1 + random.nextInt(200), bytes.length - sent);
                    socket.getOutputStream().write(bytes, sent, count);
                    sent += count;
                }
                return socket.getInputStream().read();
            });
            try (var connection = listener.accept()) {
                var random = new Random(2);
                while (received.size() < bytes.length) {
                    var reader = loop.spawn(() -> readSome(way, connection, received));
                    for (int turns = random.nextInt(4); turns > 0 && !reader.isDone(); turns--) {
                        Recorder.turns(loop, 1);
                    }
                    if (random.nextBoolean()) {
                        reader.cancel();
                    }
                    try {
                        reader.await(Recorder.LIMIT);
                    } catch (CancellationException e) {
                        cancelled[0]++;
                    }
                }
            }
            Recorder.await(loop, peer);
            listener.close();
        });
        assertThat(received.toByteArray()).isEqualTo(bytes);
        assertThat(cancelled[0]).isPositive();
    }

    @Test
    void aCancelledReadAllLosesNoByte(EventLoop loop) throws Exception {
        var bytes = new byte[1 << 20];
        new Random(4).nextBytes(bytes);
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var peer = Peers.client(listener.address(), socket -> {
                socket.getOutputStream().write(bytes);
                return socket.getInputStream().read();
            });
            try (var connection = listener.accept()) {
                for (int i = 0; i < 5; i++) {
                    var reader = loop.spawn(connection::readAll);
                    Recorder.turns(loop, 2);
                    reader.cancel();
                    assertThat(reader.handle((all, error) -> error).await()).isInstanceOf(CancellationException.class);
                }
                assertThat(connection.readExactly(bytes.length)).isEqualTo(bytes);
            }
            Recorder.await(loop, peer);
            listener.close();
        });
    }

    @Test
    void aCancelledAcceptLosesNoConnection(EventLoop loop) throws Exception {
        int rounds = 200;
        var accepted = new int[1];
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var random = new Random(3);
            for (int i = 0; i < rounds; i++) {
                int before = accepted[0];
                var accept = loop.spawn(() -> {
                    var connection = listener.accept();
                    accepted[0]++;
                    connection.close();
                });
                Recorder.turns(loop, random.nextInt(3));
                var client = loop.net().openConnection("127.0.0.1", listener.port());
                Recorder.turns(loop, random.nextInt(3));
                accept.cancel();
                try {
                    accept.await(Recorder.LIMIT);
                } catch (CancellationException e) {
                    // It may have ended in the turn of the cancel.
                }
                if (accepted[0] == before) {
                    var again = listener.accept();
                    accepted[0]++;
                    again.close();
                }
                assertThat(client.readAll()).isEmpty();
                client.close();
            }
            listener.close();
        });
        assertThat(accepted[0]).isEqualTo(rounds);
    }

    @Test
    void aConnectionThatACancelledAcceptGotGoesToTheNextWaiter(EventLoop loop) throws Exception {
        loop.run(() -> {
            var listener = loop.net().listen("127.0.0.1", 0);
            var first = loop.spawn(listener::accept);
            var second = loop.spawn(listener::accept);
            Recorder.turns(loop, 2);
            // Connects and cancels in one turn: the first waiter may have been given the connection.
            var client = loop.net().openConnection("127.0.0.1", listener.port());
            first.cancel();
            var connection = first.handle((given, error) -> given).await(Recorder.LIMIT);
            if (connection == null) {
                connection = second.await(Recorder.LIMIT);
            } else {
                second.cancel();
            }
            connection.write("for one of them\n");
            assertThat(client.readLine()).isEqualTo("for one of them");
            connection.close();
            client.close();
            listener.close();
        });
    }
}
