package io.github.uvloop4j.benchmarks;

import io.github.uvloop4j.uv.UvAsync;
import io.github.uvloop4j.uv.UvConnect;
import io.github.uvloop4j.uv.UvLoop;
import io.github.uvloop4j.uv.UvStream;
import io.github.uvloop4j.uv.UvTcp;
import io.github.uvloop4j.uv.UvTimer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The typed layer over libuv, at the yardsticks that {@code peers/c/yardsticks.c} takes of libuv itself: ping-pong,
 * timers and wake-ups. The argument is the length of each in seconds; every one runs twice, cold and warm.
 */
public final class Yardsticks {
    private static final int MILLION = 1_000_000;
    private static final int TIMEOUTS_PER_MS = 1000;
    private static final int PINGS_AHEAD = 64;
    private static final int BUFFER = 256 * 1024;

    private final long limitNanos;
    private long count;

    private Yardsticks(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    public static void main(String[] args) throws InterruptedException {
        double seconds = args.length > 0 ? Double.parseDouble(args[0]) : 3;
        if (!(seconds > 0 && seconds <= 3600)) {
            System.err.println("usage: [SECONDS]");
            System.exit(2);
        }
        for (var state : new String[] {"cold", "warm"}) {
            System.out.println(state);
            var yardsticks = new Yardsticks((long) (seconds * TimeUnit.SECONDS.toNanos(1)));
            yardsticks.pingPong();
            yardsticks.millionTimers();
            yardsticks.wakeUps();
        }
    }

    private static void report(String what, long startNanos, long operations) {
        double nanos = System.nanoTime() - startNanos;
        System.out.printf(
                Locale.ROOT,
                "%-14s %12.1f ns each, %12.0f a second%n",
                what,
                nanos / operations,
                operations * 1e9 / nanos);
    }

    /** Sends back what comes, and as the client counts it. */
    private final class Echo implements UvStream.Reader {
        private final MemorySegment buffer;
        private final boolean client;
        private final long end;

        Echo(MemorySegment buffer, boolean client, long end) {
            this.buffer = buffer;
            this.client = client;
            this.end = end;
        }

        @Override
        public void allocate(UvStream stream, long suggested) {
            stream.lend(buffer, 0, buffer.byteSize());
        }

        @Override
        public void read(UvStream stream, int length) {
            if (client) {
                count++;
                if (System.nanoTime() - end >= 0) {
                    stream.loop().stop();
                    return;
                }
            }
            if (length < 0 || stream.tryWrite(buffer, 0, length) != length) {
                throw new IllegalStateException("a message of five bytes did not go through: " + length);
            }
        }
    }

    private void pingPong() {
        try (var loop = UvLoop.create()) {
            var buffer = Arena.ofAuto().allocate(BUFFER);
            var ping = Arena.ofAuto().allocateFrom("PING\n");
            var server = new UvTcp(loop);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), false);
            count = 0;
            long start = System.nanoTime();
            long end = start + limitNanos;
            server.listen(1, status -> {
                var connection = new UvTcp(loop);
                server.accept(connection);
                connection.noDelay(true);
                connection.readStart(new Echo(buffer, false, end));
            });
            var client = new UvTcp(loop);
            client.noDelay(true);
            client.connect(new UvConnect(loop), server.localAddress(), status -> {
                client.readStart(new Echo(buffer, true, end));
                client.tryWrite(ping, 0, ping.byteSize() - 1);
            });
            loop.run(UvLoop.Mode.DEFAULT);
            report("ping-pong", start, count);
        }
    }

    private void millionTimers() throws InterruptedException {
        try (var loop = UvLoop.create()) {
            long start = System.nanoTime();
            for (int i = 0; i < MILLION; i++) {
                new UvTimer(loop).start(() -> count++, 1 + i / TIMEOUTS_PER_MS, 0);
            }
            report("timer start", start, MILLION);
            // Until the last is due, so that firing is measured and not waiting.
            Thread.sleep(Duration.ofMillis(1 + MILLION / TIMEOUTS_PER_MS));
            count = 0;
            start = System.nanoTime();
            loop.run(UvLoop.Mode.DEFAULT);
            report("timer fire", start, count);
        }
    }

    private void wakeUps() throws InterruptedException {
        try (var loop = UvLoop.create()) {
            var pings = new Pings(loop, System.nanoTime() + limitNanos);
            long start = System.nanoTime();
            var sender = Thread.ofPlatform().daemon().start(pings::send);
            loop.run(UvLoop.Mode.DEFAULT);
            report("wake-up", start, pings.received);
            sender.join();
        }
    }

    private static final class Pings {
        private final UvAsync[] handles = new UvAsync[PINGS_AHEAD];
        private final UvLoop loop;
        private final long end;
        private volatile long received;
        private volatile boolean stopped;

        Pings(UvLoop loop, long end) {
            this.loop = loop;
            this.end = end;
            for (int i = 0; i < PINGS_AHEAD; i++) {
                handles[i] = new UvAsync(loop, this::received);
            }
        }

        private void received() {
            long now = received + 1;
            received = now;
            if ((now & 1023) == 0 && System.nanoTime() - end >= 0) {
                stopped = true;
                loop.stop();
            }
        }

        void send() {
            for (long sent = 0; !stopped; ) {
                if (sent - received < PINGS_AHEAD) {
                    handles[(int) (sent++ % PINGS_AHEAD)].send();
                }
            }
        }
    }
}
