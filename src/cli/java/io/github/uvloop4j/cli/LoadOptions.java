package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.client.Destination;
import io.github.uvloop4j.cli.client.LoadResult;
import io.github.uvloop4j.cli.client.LoadSettings;
import io.github.uvloop4j.cli.client.ServerCpu;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of a load by one thread, and its result under the JSON keys. */
final class LoadOptions {
    private static final int DEFAULT_CONNECTIONS = 50;
    private static final int MAX_CONNECTIONS = 20_000;
    private static final int MAX_IN_FLIGHT = 1 << 20;
    private static final double MAX_DURATION = 86_400;

    @Option(
            names = "--num",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Messages of each worker, or of all --connections together (${DEFAULT-VALUE}).")
    private long messages;

    @Option(names = "--connections", paramLabel = "N", description = "Connections of one thread (50 with --duration).")
    private @Nullable Integer connections;

    @Option(names = "--in-flight", paramLabel = "N", description = "Requests in flight on each of --connections (1).")
    private @Nullable Integer inFlight;

    @Option(names = "--duration", paramLabel = "SECONDS", description = "Measure so long instead of --num messages.")
    private @Nullable Double duration;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "Messages to exchange before measuring, with --connections or --duration (0).")
    private @Nullable Long warmup;

    /** Whether a load by one thread is asked for. */
    boolean present() {
        return connections != null || duration != null;
    }

    long messages() {
        return messages;
    }

    /** Refuses values out of range, and options that need a load without one. */
    void check(CommandLine command, RequestOptions request) {
        RequestOptions.require(command, messages >= request.messagesPerRequest(), "--num must be at least --mpr");
        RequestOptions.require(
                command,
                present() || (inFlight == null && warmup == null),
                "--in-flight and --warmup need --connections or --duration");
        range(command, "--connections", connections, 1, MAX_CONNECTIONS);
        range(command, "--in-flight", inFlight, 1, MAX_IN_FLIGHT);
        range(command, "--warmup", warmup, 0, Long.MAX_VALUE);
        range(command, "--duration", duration, 0.001, MAX_DURATION);
    }

    private static void range(CommandLine command, String name, @Nullable Number value, double least, double most) {
        RequestOptions.require(
                command,
                value == null || (value.doubleValue() >= least && value.doubleValue() <= most),
                name
                        + (most < Long.MAX_VALUE
                                ? " must be " + plain(least) + " to " + plain(most)
                                : " must be at least " + plain(least)));
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
    }

    LoadSettings settings(RequestOptions request, Destination server) {
        return new LoadSettings(
                server,
                request.messageSize(),
                request.messagesPerRequest(),
                connections == null ? DEFAULT_CONNECTIONS : connections,
                inFlight == null ? 1 : inFlight,
                warmup == null ? 0 : warmup,
                duration == null ? Duration.ZERO : RequestOptions.seconds(duration),
                messages,
                request.timeout());
    }

    Map<String, Object> report(LoadSettings settings, LoadResult result, @Nullable ServerCpu cpu) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("size_bytes", settings.messageSize());
        fields.put("messages_per_request", settings.messagesPerRequest());
        fields.put("connections", settings.connections());
        fields.put("messages_in_flight", settings.inFlight() * settings.messagesPerRequest());
        fields.put("messages", result.messages());
        fields.put("duration_s", result.seconds());
        fields.put("messages_per_second", result.messagesPerSecond());
        if (cpu != null) {
            fields.putAll(cpu.perMessage(result.messages()));
            fields.putAll(cpu.ofLoops());
        }
        fields.putAll(LoadResult.percentiles(result.latencies()));
        fields.put("first_reply_epoch_us", result.firstReplyEpochMicros());
        return fields;
    }
}
