package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Fuzz;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The readers of a connection against a model, over bytes and cuts that nobody would choose. */
@Timeout(120)
@Tag("fuzz")
@ExtendWith(LoopExtension.class)
class ReaderFuzzTest {
    private static final int CONNECTIONS = 200;
    private static final int READS = 150;
    private static final byte[][] SEPARATORS = {{'\n'}, {'\r', '\n'}, {0}, {'a', 'a', 'b'}, {'b'}};

    @Test
    @Tag("cells")
    void everyReadReturnsWhatTheModelDoes(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0)) {
                Fuzz.run(CONNECTIONS, random -> {
                    var bytes = bytes(random);
                    try (var reading = loop.net().openConnection("127.0.0.1", listener.port());
                            var writing = listener.accept()) {
                        var writer = loop.spawn(() -> write(writing, bytes, new Random(random.nextLong())));
                        readAll(reading, bytes, random);
                        writer.await();
                    }
                });
            }
        });
    }

    /** Few values, so that separators come often, also in parts. */
    private static byte[] bytes(Random random) {
        var bytes = new byte[random.nextInt(20_000)];
        var values = new byte[] {'a', 'b', '\r', '\n', 0, (byte) 0xc3, (byte) 0xa9, 'z'};
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = values[random.nextInt(random.nextInt(values.length) + 1)];
        }
        return bytes;
    }

    private static void write(Connection connection, byte[] bytes, Random random) throws IOException {
        for (int from = 0; from < bytes.length; ) {
            int count = Math.min(bytes.length - from, 1 + random.nextInt(random.nextBoolean() ? 3 : 3000));
            connection.write(ByteBuffer.wrap(bytes, from, count));
            from += count;
            if (random.nextInt(4) == 0) {
                Task.sleep(Duration.ZERO); // the reader's turn
            }
        }
        connection.shutdownOutput();
    }

    private static void readAll(Connection connection, byte[] bytes, Random random) throws IOException {
        var model = new Model(bytes);
        for (int i = 0; i < READS; i++) {
            int limit = 1 + random.nextInt(random.nextInt(200) + 1);
            connection.readLimit(limit);
            switch (random.nextInt(4)) {
                case 0 -> model.readSome(connection, random.nextInt(100));
                case 1 -> model.readExactly(connection, random.nextInt(100));
                case 2 -> model.readUntil(connection, SEPARATORS[random.nextInt(SEPARATORS.length)], limit);
                default -> model.readLine(connection, limit);
            }
        }
        assertThat(connection.readAll()).isEqualTo(model.rest());
    }

    /** What should be read: all bytes are known, and how far they were read. */
    private static final class Model {
        private final byte[] bytes;
        private int position;

        Model(byte[] bytes) {
            this.bytes = bytes;
        }

        private byte[] take(int count) {
            position += count;
            return Arrays.copyOfRange(bytes, position - count, position);
        }

        private int left() {
            return bytes.length - position;
        }

        byte[] rest() {
            return take(left());
        }

        void readSome(Connection connection, int room) throws IOException {
            var buffer = room % 2 == 0 ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room);
            int count = connection.read(buffer);
            if (room == 0) {
                assertThat(count).isZero();
            } else if (left() == 0) {
                assertThat(count).isEqualTo(-1);
            } else {
                assertThat(count).isBetween(1, Math.min(room, left()));
                var read = new byte[count];
                buffer.flip().get(read);
                assertThat(read).isEqualTo(take(count));
            }
        }

        void readExactly(Connection connection, int count) throws IOException {
            boolean enough = count <= left();
            try {
                assertThat(connection.readExactly(count)).isEqualTo(take(count));
                assertThat(enough).isTrue();
            } catch (IncompleteReadException end) {
                assertThat(enough).isFalse();
                assertThat(end.partial()).isEqualTo(rest());
            }
        }

        /** How many bytes a read through a separator takes; -1 where it is not within the limit, -2 at the end. */
        private int through(byte[] separator, int limit) {
            for (int length = separator.length; length <= Math.min(limit, left()); length++) {
                int at = position + length;
                if (Arrays.equals(bytes, at - separator.length, at, separator, 0, separator.length)) {
                    return length;
                }
            }
            return left() < limit ? -2 : -1;
        }

        void readUntil(Connection connection, byte[] separator, int limit) throws IOException {
            int length = through(separator, limit);
            try {
                var read = connection.readUntil(separator);
                assertThat(length).isPositive();
                assertThat(read).isEqualTo(take(length));
            } catch (LimitOverrunException tooLong) {
                assertThat(length).isEqualTo(-1);
            } catch (IncompleteReadException end) {
                assertThat(length).isEqualTo(-2);
                assertThat(end.partial()).isEqualTo(rest());
            }
        }

        void readLine(Connection connection, int limit) throws IOException {
            int length = through(new byte[] {'\n'}, limit);
            try {
                var line = connection.readLine();
                assertThat(length).isNotEqualTo(-1);
                if (left() == 0) {
                    assertThat(line).isNull();
                } else {
                    assertThat(line).isEqualTo(text(length == -2 ? rest() : take(length)));
                }
            } catch (LimitOverrunException tooLong) {
                assertThat(length).isEqualTo(-1);
            }
        }

        private static String text(byte[] line) {
            int end = line.length;
            if (end > 0 && line[end - 1] == '\n') {
                end -= end > 1 && line[end - 2] == '\r' ? 2 : 1;
            }
            return new String(line, 0, end, StandardCharsets.UTF_8);
        }
    }
}
