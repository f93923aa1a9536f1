package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.testing.ChildJvm;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a connection leaves behind in the JVM: nothing. */
@Timeout(90)
class ManyConnectionsTest {
    private static final int WARM = 1_500;
    private static final int MORE = 4_000;
    private static final int ROUNDS = 3;
    private static final long STUB_BYTES = 500;

    /** Opens and ends connections; prints how much the heap of stubs and, in the best of some rounds, the resident memory have grown. */
    static final class Main {
        private Main() {}

        public static void main(String[] arguments) throws Exception {
            EventLoop.run(loop -> {
                connect(loop, WARM);
                long stubs = stubBytes();
                long least = Long.MAX_VALUE;
                for (int i = 0; i < ROUNDS; i++) {
                    long resident = residentKilobytes();
                    connect(loop, MORE);
                    // What the compiler takes comes and goes; a leak is in every round.
                    least = Math.min(least, residentKilobytes() - resident);
                }
                System.out.println(stubBytes() - stubs);
                System.out.println(least);
            });
        }

        private static void connect(EventLoop loop, int count) throws Exception {
            Protocol idle = (ByteBuffer data) -> {};
            try (var server = loop.net()
                    .createServer(() -> (Protocol) (ByteBuffer data) -> {}, "127.0.0.1", 0)
                    .await()) {
                int port = server.port();
                for (int i = 0; i < count; i++) {
                    var connected = loop.net()
                            .createConnection(() -> idle, "127.0.0.1", port, ConnectOptions.defaults())
                            .await();
                    connected.transport().write(new byte[] {1});
                    connected.transport().reset();
                }
            }
        }

        /** Upcall stubs live in the part of the code cache that the compiler's methods do not use. */
        private static long stubBytes() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getName().contains("non-nmethods"))
                    .mapToLong(pool -> pool.getUsage().getUsed())
                    .sum();
        }

        private static long residentKilobytes() throws Exception {
            System.gc();
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }

    @Test
    void thousandsOfConnectionsMakeNoStubs() throws Exception {
        var result = new ChildJvm()
                // Debug mode keeps the place of each connection, which would count.
                .flag("-Duvloop4j.debug=false")
                .flag("-Xmx64m")
                .flag("-Xms64m")
                .flag("-XX:+AlwaysPreTouch")
                .flag("-XX:+UseSerialGC")
                .flag("-XX:+SegmentedCodeCache")
                .run(Main.class);
        assertThat(result.exitCode()).as(result.output()).isZero();
        var numbers = result.output().lines().map(Long::valueOf).toList();
        assertThat(numbers.getFirst()).isLessThan(MORE * STUB_BYTES / 10);
        // A kilobyte that each connection lost would show.
        assertThat(numbers.getLast()).isLessThan(MORE * 2L);
    }
}
