package io.github.uvloop4j.uv;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What the tests of streams share: connected pairs, a reader that keeps what it is given, and turning the loop. */
final class Streams {
    private static final long LIMIT_MILLIS = 20_000;

    private Streams() {}

    /** An address of the IPv4 loopback. */
    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /** Turns the loop until a condition holds. */
    static void until(UvLoop loop, BooleanSupplier condition) {
        var expired = new boolean[1];
        try (var limit = new UvTimer(loop)) {
            loop.updateTime();
            limit.start(() -> expired[0] = true, LIMIT_MILLIS, 0);
            while (!condition.getAsBoolean()) {
                if (expired[0]) {
                    throw new AssertionError("the condition does not come true");
                }
                loop.run(UvLoop.Mode.ONCE);
            }
        }
    }

    /** A listener on a free port that takes connections into a list. */
    static final class Listener {
        final UvTcp tcp;
        final List<UvTcp> accepted = new ArrayList<>();

        Listener(UvLoop loop) {
            this(loop, loopback(0));
        }

        Listener(UvLoop loop, InetSocketAddress address) {
            tcp = new UvTcp(loop);
            tcp.bind(address, false);
            tcp.listen(128, status -> {
                var peer = new UvTcp(loop);
                tcp.accept(peer);
                accepted.add(peer);
            });
        }

        InetSocketAddress address() {
            return tcp.localAddress();
        }
    }

    /** Two connected ends in one loop. */
    record Pair(UvTcp client, UvTcp server) {
        static Pair of(UvLoop loop) {
            return of(loop, loopback(0));
        }

        static Pair of(UvLoop loop, InetSocketAddress address) {
            var listener = new Listener(loop, address);
            var client = new UvTcp(loop);
            var request = new UvConnect(loop);
            var status = new int[] {1};
            client.connect(request, listener.address(), code -> status[0] = code);
            until(loop, () -> status[0] <= 0 && !listener.accepted.isEmpty());
            UvException.check(status[0], "connect");
            request.free();
            listener.tcp.close();
            return new Pair(client, listener.accepted.getFirst());
        }
    }

    /** Keeps what arrives. */
    static class Collector implements UvStream.Reader {
        private final MemorySegment memory;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<Integer> negatives = new ArrayList<>();
        int calls;

        Collector() {
            this(64 * 1024);
        }

        Collector(int size) {
            memory = Arena.ofAuto().allocate(size);
        }

        @Override
        public void allocate(UvStream stream, long suggested) {
            stream.lend(memory, 0, memory.byteSize());
        }

        @Override
        public void read(UvStream stream, int count) {
            calls++;
            if (count > 0) {
                bytes.writeBytes(memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            } else if (count < 0) {
                negatives.add(count);
            }
        }

        int size() {
            return bytes.size();
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        boolean atEnd() {
            return negatives.contains(UvErrno.EOF.code());
        }
    }

    /** Native memory with these bytes. */
    static MemorySegment memory(byte[] bytes) {
        var memory = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return memory.asSlice(0, bytes.length);
    }

    /** Native memory with text as UTF-8. */
    static MemorySegment memory(String text) {
        return memory(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A request for one buffer. */
    static UvWrite request(UvLoop loop, MemorySegment data) {
        var request = new UvWrite(loop, 1);
        request.add(data, 0, data.byteSize());
        return request;
    }

    /** Bytes that differ at every place of a few KiB. */
    static byte[] pattern(int count) {
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + (i >>> 8));
        }
        return bytes;
    }
}
