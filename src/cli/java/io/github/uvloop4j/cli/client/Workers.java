package io.github.uvloop4j.cli.client;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Child;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Worker processes, each with one connection. A worker prints {@code ready} when it is connected, waits for the line
 * {@code go}, and prints its result; so the traffic of all begins at the same moment.
 */
public final class Workers {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration RUN_LIMIT = Duration.ofHours(12);

    private Workers() {}

    /**
     * The sum over all workers.
     *
     * @param messages completed and verified
     * @param trafficNanos the longest time that a worker took for its messages
     * @param latencies of requests, in nanoseconds
     */
    public record Result(long messages, long trafficNanos, Histogram latencies) {}

    /**
     * Runs one round of workers.
     *
     * @param command that starts a worker
     * @throws IOException if any worker fails; then no message counts
     */
    public static Result run(int workers, List<String> command) throws IOException, InterruptedException {
        var children = new ArrayList<Child>();
        try {
            for (var number = 1; number <= workers; number++) {
                children.add(Child.start("worker " + number, command));
            }
            for (var child : children) {
                if (!line(child, START_LIMIT).equals("ready")) {
                    throw new IOException(child.describeFailure());
                }
            }
            for (var child : children) {
                child.send("go");
            }
            var total = new Result(0, 0, new Histogram(3));
            for (var child : children) {
                total = add(total, JsonReader.object(line(child, RUN_LIMIT)));
                if (child.exitStatus(START_LIMIT) != 0) {
                    throw new IOException(child.describeFailure());
                }
            }
            return total;
        } finally {
            children.forEach(Child::close);
        }
    }

    private static String line(Child child, Duration limit) throws IOException, InterruptedException {
        var line = child.nextLine(limit);
        if (line == null) {
            throw new IOException(child.describeFailure());
        }
        return line;
    }

    private static Result add(Result total, Map<String, ?> worker) throws IOException {
        var messages = (Double) Objects.requireNonNull(worker.get("messages"));
        var nanos = (Double) Objects.requireNonNull(worker.get("traffic_ns"));
        var encoded = (String) Objects.requireNonNull(worker.get("histogram"));
        try {
            var bytes = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
            total.latencies().add(Histogram.decodeFromCompressedByteBuffer(bytes, TimeUnit.SECONDS.toNanos(1)));
        } catch (DataFormatException e) {
            throw new IOException("a worker's histogram is broken", e);
        }
        return new Result(
                total.messages() + messages.longValue(),
                Math.max(total.trafficNanos(), nanos.longValue()),
                total.latencies());
    }

    /** A worker's side: says {@code ready}, waits for {@code go}, exchanges, prints the result. */
    public static void work(PingPong connection, long requests, int messagesPerRequest) throws IOException {
        System.out.println("ready");
        if (!readLine().equals("go")) {
            throw new IOException("the parent went away");
        }
        var nanos = connection.exchange(requests);
        var latencies = connection.latencies();
        var bytes = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        var length = latencies.encodeIntoCompressedByteBuffer(bytes);
        var encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
        System.out.println(JsonWriter.line(
                Map.of("messages", requests * messagesPerRequest, "traffic_ns", nanos, "histogram", encoded)));
    }

    private static String readLine() throws IOException {
        var line = new StringBuilder();
        for (var c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
