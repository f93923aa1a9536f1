package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and writing. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvStreamTest {
    /** Sends back what it is given. */
    private static final class Echo implements UvStream.Reader {
        private final MemorySegment memory = Arena.ofAuto().allocate(4096);

        @Override
        public void allocate(UvStream stream, long suggested) {
            stream.lend(memory, 0, memory.byteSize());
        }

        @Override
        public void read(UvStream stream, int count) {
            if (count > 0) {
                assertThat(stream.tryWrite(memory, 0, count)).isEqualTo(count);
            }
        }
    }

    @Tag("cells")
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void pingPong(String host, UvLoop loop) {
        var pair = Streams.Pair.of(loop, new InetSocketAddress(InetAddress.ofLiteral(host), 0));
        var collector = new Streams.Collector();
        pair.server().readStart(new Echo());
        pair.client().readStart(collector);
        var ping = Streams.memory("ping");
        for (int i = 1; i <= 1_000; i++) {
            int expected = 4 * i;
            assertThat(pair.client().tryWrite(ping, 0, 4)).isEqualTo(4);
            Streams.until(loop, () -> collector.size() == expected);
        }
        assertThat(collector.text()).isEqualTo("ping".repeat(1_000));
    }

    @Test
    void vectoredWritesKeepTheirOrder(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        pair.server().readStart(collector);
        var gathered = new UvWrite(loop, 3);
        gathered.add(Streams.memory("one "), 0, 4);
        gathered.add(Streams.memory("xtwox"), 1, 3);
        gathered.add(Streams.memory(" three"), 0, 6);
        assertThat(gathered.isFull()).isTrue();
        assertThat(pair.client().tryWrite(gathered)).isEqualTo(13);
        var statuses = new ArrayList<Integer>();
        pair.client().write(gathered, statuses::add);
        Streams.until(loop, () -> collector.size() == 26);
        assertThat(collector.text()).isEqualTo("one two threeone two three");
        assertThat(statuses).containsExactly(0);
        gathered.clear();
        assertThat(gathered.isFull()).isFalse();
    }

    @Test
    void aBigQueueArrivesWholeAndInOrder(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        var bytes = Streams.pattern(1 << 20);
        var data = Streams.memory(bytes);
        var done = new ArrayList<Integer>();
        int rounds = 16;
        for (int i = 0; i < rounds; i++) {
            pair.client().write(Streams.request(loop, data), done::add);
        }
        assertThat(pair.client().writeQueueSize()).isPositive();
        assertThat(pair.client().tryWrite(data, 0, 1))
                .as("what is queued goes first")
                .isEqualTo(UvErrno.EAGAIN.code());
        pair.server().readStart(collector);
        Streams.until(loop, () -> collector.size() == rounds * bytes.length && done.size() == rounds);
        assertThat(done).containsOnly(0);
        assertThat(pair.client().writeQueueSize()).isZero();
        var all = collector.bytes();
        for (int i = 0; i < rounds; i++) {
            assertThat(java.util.Arrays.equals(all, i * bytes.length, (i + 1) * bytes.length, bytes, 0, bytes.length))
                    .isTrue();
        }
    }

    @Test
    void manySmallWritesInARowComplete(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        pair.server().readStart(collector);
        int count = 2_000;
        var done = new int[1];
        var data = Streams.memory("0123456789");
        for (int i = 0; i < count; i++) {
            pair.client().write(Streams.request(loop, data), status -> done[0]++);
        }
        Streams.until(loop, () -> done[0] == count && collector.size() == 10 * count);
        assertThat(collector.text()).isEqualTo("0123456789".repeat(count));
    }

    @Test
    void tryWriteStopsWhereTheKernelIsFull(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var data = Streams.memory(new byte[1 << 20]);
        long sent = 0;
        int count;
        while ((count = pair.client().tryWrite(data, 0, data.byteSize())) > 0) {
            sent += count;
        }
        assertThat(count).isEqualTo(UvErrno.EAGAIN.code());
        long expected = sent;
        var collector = new Streams.Collector();
        pair.server().readStart(collector);
        Streams.until(loop, () -> collector.size() == expected);
    }

    @Test
    void anEmptyRequestIsRefused(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var empty = new UvWrite(loop, 1);
        assertThatThrownBy(() -> pair.client().write(empty, status -> {})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pair.client().tryWrite(empty)).isInstanceOf(IllegalArgumentException.class);
        assertThat(empty.isPending()).isFalse();
    }

    @Test
    void heapMemoryIsRefused(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var heap = MemorySegment.ofArray(new byte[4]);
        var request = new UvWrite(loop, 1);
        assertThatThrownBy(() -> pair.client().tryWrite(heap, 0, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.add(heap, 0, 4)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void memoryOfAClosedArenaIsRefused(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        MemorySegment gone;
        try (var arena = Arena.ofConfined()) {
            gone = arena.allocate(4);
        }
        var request = new UvWrite(loop, 1);
        assertThatThrownBy(() -> pair.client().tryWrite(gone, 0, 4)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> request.add(gone, 0, 4)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void boundsAreChecked(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var data = Streams.memory("1234");
        var request = new UvWrite(loop, 1);
        assertThatThrownBy(() -> pair.client().tryWrite(data, 1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> pair.client().tryWrite(data, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> request.add(data, 0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void writesOnAHandleWithoutSocketFailAtOnce(UvLoop loop) {
        var tcp = new UvTcp(loop);
        var request = Streams.request(loop, Streams.memory("x"));
        assertThat(tcp.tryWrite(Streams.memory("x"), 0, 1)).isEqualTo(UvErrno.EBADF.code());
        assertThatThrownBy(() -> tcp.write(request, status -> {}))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EBADF));
        assertThatThrownBy(() -> tcp.readStart(new Streams.Collector()))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.ENOTCONN));
        assertThat(request.isPending()).isFalse();
    }
}
