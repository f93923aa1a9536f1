package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.cli.server.EchoMode;
import io.github.uvloop4j.cli.server.EchoOptions;
import java.io.PrintStream;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code echo-server} with nothing but a valid mode and address: the way that comparisons start it. Everything else,
 * each mistake included, is left to {@link EchoServerCommand}.
 *
 * @param address where to listen
 * @param mode how the server is written
 * @param options that the mode can have
 */
record PlainServer(Endpoint address, EchoMode mode, EchoOptions options) {
    static final String NAME = "echo-server";
    static final String DEFAULT_ADDRESS = "127.0.0.1:25000";
    private static final String ADDRESS_OPTION = "--addr=";
    private static final String MODE_OPTION = "--mode=";

    /** The server that these arguments ask for, or null if they are not so plain. */
    static @Nullable PlainServer of(String... args) {
        if (args.length < 2 || !args[0].equals(NAME)) {
            return null;
        }
        var address = DEFAULT_ADDRESS;
        var mode = "";
        for (var i = 1; i < args.length; i++) {
            if (args[i].startsWith(ADDRESS_OPTION)) {
                address = args[i].substring(ADDRESS_OPTION.length());
            } else if (args[i].startsWith(MODE_OPTION)) {
                mode = args[i].substring(MODE_OPTION.length());
            } else {
                return null;
            }
        }
        try {
            var endpoint = Endpoint.parse(address);
            var parsed = EchoMode.parse(mode);
            parsed.check(endpoint.resolve(), EchoOptions.PLAIN);
            return endpoint.isLoopback() ? new PlainServer(endpoint, parsed, EchoOptions.PLAIN) : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    int run(PrintStream out, PrintStream err) {
        try {
            serve(bound -> {
                out.println("listening on " + Endpoint.of(bound));
                out.flush();
            });
            return 0;
        } catch (CliFailure e) {
            err.println("uvloop4j " + NAME + ": " + Failures.oneLine(e.getMessage()));
            return 1;
        }
    }

    /** Serves until the JVM ends. */
    void serve(Consumer<SocketAddress> listening) {
        try {
            mode.server().serve(address.resolve(), options, listening);
        } catch (Exception | LinkageError e) {
            throw new CliFailure(address + ": " + Failures.describe(e));
        }
    }
}
