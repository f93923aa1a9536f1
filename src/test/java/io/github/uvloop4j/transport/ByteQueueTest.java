package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteQueueTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void bytesComeOutInTheirOrder() {
        var queue = new ByteQueue();
        queue.append(bytes("abc"));
        queue.append(bytes("def"));
        assertThat(queue.size()).isEqualTo(6);
        assertThat(text(queue.take(4))).isEqualTo("abcd");
        var rest = ByteBuffer.allocate(10);
        assertThat(queue.take(rest)).isEqualTo(2);
        assertThat(rest.position()).isEqualTo(2);
        assertThat(queue.size()).isZero();
        assertThat(queue.take(rest)).isZero();
    }

    @Test
    void unreadBytesAreTheNextOnes() {
        var queue = new ByteQueue();
        queue.append(bytes("abcdef"));
        var taken = queue.take(3);
        queue.unread(taken, 3);
        assertThat(text(queue.take(6))).isEqualTo("abcdef");
        queue.append(bytes("tail"));
        queue.unread("a longer head ".getBytes(StandardCharsets.UTF_8), 14);
        assertThat(text(queue.take(queue.size()))).isEqualTo("a longer head tail");
        queue.unread(new byte[] {'x', 'y'}, 1);
        assertThat(text(queue.take(1))).isEqualTo("x");
    }

    @Test
    void indexOfFindsTheFirstSeparatorAtOrAfterAnOffset() {
        var queue = new ByteQueue();
        queue.append(bytes("skipab--c--"));
        queue.take(4);
        var separator = "--".getBytes(StandardCharsets.UTF_8);
        assertThat(queue.indexOf(separator, 0)).isEqualTo(2);
        assertThat(queue.indexOf(separator, 2)).isEqualTo(2);
        assertThat(queue.indexOf(separator, 3)).isEqualTo(5);
        assertThat(queue.indexOf(separator, 6)).isEqualTo(-1);
        assertThat(queue.indexOf("---".getBytes(StandardCharsets.UTF_8), 0)).isEqualTo(-1);
        assertThat(queue.indexOf("ab--c--and more".getBytes(StandardCharsets.UTF_8), 0))
                .isEqualTo(-1);
    }

    @Test
    void randomOperationsKeepEveryByte() {
        var random = new Random(42);
        var queue = new ByteQueue();
        var in = new ByteArrayOutputStream();
        var out = new ByteArrayOutputStream();
        for (int i = 0; i < 20_000; i++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    var block = new byte[random.nextInt(300)];
                    random.nextBytes(block);
                    in.writeBytes(block);
                    queue.append(random.nextBoolean() ? ByteBuffer.wrap(block) : direct(block));
                }
                case 2 -> out.writeBytes(queue.take(random.nextInt(queue.size() + 1)));
                default -> {
                    var block = queue.take(random.nextInt(queue.size() + 1));
                    int back = random.nextInt(block.length + 1);
                    var tail = java.util.Arrays.copyOfRange(block, block.length - back, block.length);
                    out.write(block, 0, block.length - back);
                    queue.unread(tail, back);
                }
            }
            assertThat(queue.size()).isEqualTo(in.size() - out.size());
        }
        out.writeBytes(queue.take(queue.size()));
        assertThat(out.toByteArray()).isEqualTo(in.toByteArray());
    }

    private static ByteBuffer direct(byte[] block) {
        return ByteBuffer.allocateDirect(block.length).put(block).flip();
    }
}
