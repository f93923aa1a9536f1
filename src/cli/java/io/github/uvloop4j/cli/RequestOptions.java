package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.Endpoint;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What is sent where: the options that everything that sends has. */
final class RequestOptions {
    private static final int MAX_REQUEST = 64 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--addr",
            paramLabel = "HOST:PORT",
            defaultValue = PlainServer.DEFAULT_ADDRESS,
            converter = EndpointConverter.class,
            description = "The server (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Endpoint address;

    @Option(
            names = "--msize",
            paramLabel = "BYTES",
            defaultValue = "1000",
            description = "Message size, its newline included (${DEFAULT-VALUE}).")
    private int messageSize;

    @Option(
            names = "--mpr",
            paramLabel = "N",
            defaultValue = "1",
            description = "Messages per request, sent together (${DEFAULT-VALUE}).")
    private int messagesPerRequest;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Fail when no reply comes for so long (${DEFAULT-VALUE}).")
    private double timeout;

    Endpoint address() {
        return address;
    }

    int messageSize() {
        return messageSize;
    }

    int messagesPerRequest() {
        return messagesPerRequest;
    }

    Duration timeout() {
        return seconds(timeout);
    }

    static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * NANOS_PER_SECOND));
    }

    /** The same options for another process of this program. */
    List<String> arguments() {
        return List.of(
                "--addr=" + address, "--msize=" + messageSize, "--mpr=" + messagesPerRequest, "--timeout=" + timeout);
    }

    /** Refuses values out of range. */
    void check(CommandLine command) {
        require(command, messageSize >= 1, "--msize must be at least 1");
        require(command, messagesPerRequest >= 1, "--mpr must be at least 1");
        require(
                command,
                (long) messageSize * messagesPerRequest <= MAX_REQUEST,
                "a request of --msize x --mpr must not exceed " + MAX_REQUEST + " bytes");
        require(command, timeout >= 0.001 && timeout <= 3600, "--timeout must be 0.001 to 3600 seconds");
    }

    static void require(CommandLine command, boolean condition, String otherwise) {
        if (!condition) {
            throw new ParameterException(command, otherwise);
        }
    }
}
