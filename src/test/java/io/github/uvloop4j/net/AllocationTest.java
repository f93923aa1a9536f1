package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A warm loop allocates nothing for a message; read off the loop thread's own count. */
@Tag("carrier")
class AllocationTest {
    private static final int MESSAGES = 20_000;
    private static final int ROUNDS = 10;
    private static final double ALLOWED_BYTES = 8;

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

    private static final class BufferedEcho implements BufferedProtocol {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            return buffer.clear();
        }

        @Override
        public void bufferUpdated(int count) {
            transport.write(buffer.limit(count));
        }
    }

    @Test
    void protocolsAllocateNothing() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(false)).start()) {
            check(
                    loop,
                    () -> loop.net()
                            .createServer(Echo::new, "127.0.0.1", 0)
                            .await()
                            .port());
        }
    }

    @Test
    void bufferedProtocolsAllocateNothing() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(false)).start()) {
            check(
                    loop,
                    () -> loop.net()
                            .createServer(BufferedEcho::new, "127.0.0.1", 0)
                            .await()
                            .port());
        }
    }

    @Test
    void streamsAllocateNothing() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().debug(false)).start()) {
            check(loop, () -> {
                var listener = loop.net().listen("127.0.0.1", 0);
                loop.spawn(() -> echo(listener.accept()));
                return listener.port();
            });
        }
    }

    private static void echo(Connection connection) throws IOException {
        var buffer = ByteBuffer.allocateDirect(64 * 1024);
        try (connection) {
            while (connection.read(buffer.clear()) >= 0) {
                connection.write(buffer.flip());
            }
        }
    }

    /** The least of some rounds: the compiler and other one-time work allocate as well. */
    private static void check(EventLoop loop, Callable<Integer> server) throws Exception {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeThat(threads.isThreadAllocatedMemoryEnabled()).isTrue();
        int port = loop.submit(server).get();
        var id = new java.util.concurrent.CompletableFuture<Long>();
        loop.post(() -> id.complete(Thread.currentThread().threadId()));
        long loopThread = id.get();
        double least = Double.MAX_VALUE;
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            var block = new byte[1024];
            for (int round = 0; round < ROUNDS && least > ALLOWED_BYTES; round++) {
                long before = threads.getThreadAllocatedBytes(loopThread);
                for (int i = 0; i < MESSAGES; i++) {
                    socket.getOutputStream().write(block);
                    assertThat(socket.getInputStream().readNBytes(block, 0, block.length))
                            .isEqualTo(block.length);
                }
                long after = threads.getThreadAllocatedBytes(loopThread);
                least = Math.min(least, (double) (after - before) / MESSAGES);
            }
        }
        assertThat(least).as("bytes a message").isLessThanOrEqualTo(ALLOWED_BYTES);
    }
}
