package io.github.uvloop4j.benchmarks;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What looking at a loop costs: the CPU time of the loop's thread for each message that it echoes. Servers of each kind
 * live in one process, and one client loads one after the other, in another order each round, so that each round gives
 * one ratio to the server with everything off.
 */
public final class ObservingCost {
    private static final String USAGE =
            "ObservingCost [--rounds N] [--millis N] [--connections N] [--size N] [--seed N]";
    private static final int WARM_UP = 8;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private int rounds = 60;
    private int millis = 300;
    private int connections = 50;
    private int size = 1024;
    private long seed = 1;

    private ObservingCost(String[] args) {
        if (args.length % 2 != 0) {
            throw new IllegalArgumentException(USAGE);
        }
        for (int i = 0; i < args.length; i += 2) {
            int value = Integer.parseInt(args[i + 1]);
            switch (args[i]) {
                case "--rounds" -> rounds = value;
                case "--millis" -> millis = value;
                case "--connections" -> connections = value;
                case "--size" -> size = value;
                case "--seed" -> seed = value;
                default -> throw new IllegalArgumentException(USAGE);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        new ObservingCost(args).run();
    }

    /** An echo server on a loop of its own. */
    private static final class Server implements AutoCloseable {
        final String name;
        final double[] nanos;
        private final EventLoop loop;
        private final io.github.uvloop4j.net.Server server;
        private final int port;
        private final long thread;

        Server(String name, int rounds, LoopOptions options, boolean idleTime) throws Exception {
            this.name = name;
            this.nanos = new double[rounds];
            this.loop = EventLoop.create(options.name(name));
            if (idleTime) {
                var configure = uv.uv_loop_configure.makeInvoker();
                int status = configure.apply(MemorySegment.ofAddress(loop.uv().address()), uv.UV_METRICS_IDLE_TIME());
                if (status != 0) {
                    throw new IllegalStateException("uv_loop_configure: " + status);
                }
            }
            loop.start();
            this.server = loop.call(
                    () -> loop.net().createServer(Echo::new, "127.0.0.1", 0).await());
            this.port = loop.call(() -> server.port());
            var carrier = loop.<Long>createFuture();
            loop.post(() -> carrier.complete(Thread.currentThread().threadId()));
            this.thread = carrier.get();
        }

        @Override
        public void close() throws Exception {
            loop.call(server::close);
            loop.close();
        }
    }

    private static final class Echo implements Protocol {
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            transport.write(data);
        }
    }

    private void run() throws Exception {
        var off = LoopOptions.defaults().metrics(false).stallLimit(Duration.ZERO);
        var servers = new ArrayList<Server>();
        try {
            servers.add(new Server("off", rounds, off, false));
            servers.add(new Server("off, again", rounds, off, false));
            servers.add(new Server("statistics", rounds, off.metrics(true), false));
            servers.add(new Server("watch", rounds, off.stallLimit(Duration.ofMillis(100)), false));
            servers.add(new Server("both", rounds, LoopOptions.defaults(), false));
            servers.add(new Server("libuv's idle time", rounds, off, true));
            servers.add(new Server("debug mode", rounds, LoopOptions.defaults().debug(true), false));
            System.out.printf(
                    Locale.ROOT,
                    "protocol echo of %d bytes on %d connections, %d rounds of %d ms a server, seed %d, %d processors%n",
                    size,
                    connections,
                    rounds,
                    millis,
                    seed,
                    Runtime.getRuntime().availableProcessors());
            measure(servers);
            report(servers);
        } finally {
            for (var server : servers) {
                server.close();
            }
        }
    }

    private void measure(List<Server> servers) throws IOException {
        var random = new Random(seed);
        for (int round = -WARM_UP; round < rounds; round++) {
            var order = new ArrayList<>(servers);
            Collections.shuffle(order, random);
            for (var server : order) {
                long before = CPU.getThreadCpuTime(server.thread);
                long messages = load(server.port);
                double each = (CPU.getThreadCpuTime(server.thread) - before) / (double) messages;
                if (round >= 0) {
                    server.nanos[round] = each;
                }
            }
        }
    }

    private long load(int port) throws IOException {
        var sockets = new ArrayList<SocketChannel>();
        var buffer = ByteBuffer.allocateDirect(size);
        long messages = 0;
        try {
            for (int i = 0; i < connections; i++) {
                var socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                sockets.add(socket);
            }
            long end = System.nanoTime() + millis * 1_000_000L;
            while (System.nanoTime() - end < 0) {
                for (var socket : sockets) {
                    buffer.clear();
                    while (buffer.hasRemaining()) {
                        socket.write(buffer);
                    }
                }
                for (var socket : sockets) {
                    buffer.clear();
                    while (buffer.hasRemaining()) {
                        if (socket.read(buffer) < 0) {
                            throw new IOException("the server has closed a connection");
                        }
                    }
                    messages++;
                }
            }
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
        return messages;
    }

    private void report(List<Server> servers) {
        var base = servers.getFirst();
        System.out.printf(
                Locale.ROOT,
                "%-20s %16s   %s%n",
                "",
                "CPU a message, ns",
                "ratio to off: median [95 % interval of it]");
        for (var server : servers) {
            var ratios = new double[rounds];
            Arrays.setAll(ratios, i -> server.nanos[i] / base.nanos[i]);
            var medians = new double[2_000];
            var random = new Random(seed);
            Arrays.setAll(
                    medians,
                    i -> median(random.ints(rounds, 0, rounds)
                            .mapToDouble(pick -> ratios[pick])
                            .toArray()));
            Arrays.sort(medians);
            System.out.printf(
                    Locale.ROOT,
                    "%-20s %16.0f   %.3f [%.3f-%.3f]%n",
                    server.name,
                    median(server.nanos),
                    median(ratios),
                    medians[50],
                    medians[1_949]);
        }
    }

    private static double median(double[] values) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
