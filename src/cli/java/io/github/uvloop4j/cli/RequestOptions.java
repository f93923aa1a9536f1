package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.client.Destination;
import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.tls.ClientTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What is sent where: the options that everything that sends has. */
final class RequestOptions {
    private static final int MAX_REQUEST = 64 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    @Option(
            names = "--addr",
            paramLabel = "ADDRESS",
            defaultValue = PlainServer.DEFAULT_ADDRESS,
            converter = EndpointConverter.class,
            description = "The server: HOST:PORT or unix:PATH (${DEFAULT-VALUE}).")
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

    @Option(names = "--udp", description = "Send each request as a datagram.")
    private boolean udp;

    @Option(names = "--tls", description = "Secure the connections by TLS 1.3.")
    private boolean tls;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "With --tls, a PEM file of the only certificates to trust (the platform's roots).")
    private @Nullable Path trusted;

    Endpoint address() {
        return address;
    }

    /** The server. */
    Destination destination() {
        return destination(address);
    }

    /** Another server that is spoken to in the same way. */
    Destination destination(Endpoint endpoint) {
        return new Destination(endpoint.resolve(), udp, tls ? context() : null);
    }

    private SSLContext context() {
        var client = ClientTls.defaults();
        return (trusted == null ? client : client.trust(trusted)).context();
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
        var arguments = new ArrayList<>(List.of(
                "--addr=" + address, "--msize=" + messageSize, "--mpr=" + messagesPerRequest, "--timeout=" + timeout));
        if (udp) {
            arguments.add("--udp");
        }
        if (tls) {
            arguments.add("--tls");
        }
        if (trusted != null) {
            arguments.add("--cert=" + trusted);
        }
        return arguments;
    }

    /** Refuses values out of range. */
    void check(CommandLine command) {
        require(command, messageSize >= 1, "--msize must be at least 1");
        require(command, messagesPerRequest >= 1, "--mpr must be at least 1");
        require(
                command,
                (long) messageSize * messagesPerRequest <= MAX_REQUEST,
                "a request of --msize x --mpr must not exceed " + MAX_REQUEST + " bytes");
        require(
                command,
                !udp || messageSize * messagesPerRequest <= Destination.MAX_DATAGRAM,
                "with --udp a request of --msize x --mpr must not exceed " + Destination.MAX_DATAGRAM + " bytes");
        require(command, !udp || !tls, "--udp does not go with --tls");
        require(command, !udp || address instanceof Endpoint.Internet, "--udp needs HOST:PORT");
        require(command, tls || trusted == null, "--cert needs --tls");
        require(command, timeout >= 0.001 && timeout <= 3600, "--timeout must be 0.001 to 3600 seconds");
    }

    static void require(CommandLine command, boolean condition, String otherwise) {
        if (!condition) {
            throw new ParameterException(command, otherwise);
        }
    }
}
