package io.github.uvloop4j.cli;

import io.github.uvloop4j.GroupLayout;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.cli.server.EchoMode;
import java.net.SocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** {@code echo-server}: serves until it is ended. */
@Command(
        name = EchoServerCommand.NAME,
        description = "Sends back what it gets. Prints 'listening on HOST:PORT' and serves until SIGTERM, or until its"
                + " standard input ends if that is a pipe. With any option of loops and CPUs it serves on a group of"
                + " loops and prints which runs where; SIGTERM and SIGINT then let open connections go on until the"
                + " deadline.",
        mixinStandardHelpOptions = true)
final class EchoServerCommand implements Runnable {
    static final String NAME = PlainServer.NAME;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--addr",
            paramLabel = "HOST:PORT",
            defaultValue = PlainServer.DEFAULT_ADDRESS,
            converter = EndpointConverter.class,
            description = "Loopback address to listen on; port 0 takes a free one (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Endpoint address;

    @Option(
            names = "--mode",
            required = true,
            paramLabel = "MODE",
            converter = ModeConverter.class,
            completionCandidates = Modes.class,
            description = "How it is written: ${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init")
    private EchoMode mode;

    @Mixin
    private GroupFlags group = new GroupFlags();

    @Option(names = "--json", description = "Print the address as JSON.")
    private boolean json;

    @Override
    public void run() {
        if (!address.isLoopback()) {
            throw new ParameterException(spec.commandLine(), address + " is not a loopback address");
        }
        if (group.areGiven()) {
            new PlacedServer(address, mode, options()).serve(this::announce);
        } else {
            new PlainServer(address, mode).serve(bound -> announce(bound, null));
        }
    }

    private GroupOptions options() {
        try {
            var options = group.checked();
            PlacedServer.check(mode, options);
            return options;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private void announce(SocketAddress bound, @Nullable GroupLayout layout) {
        var endpoint = Endpoint.of(bound);
        var out = spec.commandLine().getOut();
        if (json) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            fields.put("mode", mode.toString());
            fields.put("host", endpoint.host());
            fields.put("port", endpoint.port());
            if (layout != null) {
                fields.putAll(JsonReader.object(layout.toJson()));
            }
            out.println(JsonWriter.line(fields));
        } else {
            if (layout != null) {
                out.println(layout);
            }
            out.println("listening on " + Endpoint.of(bound));
        }
        out.flush();
    }

    private static final class ModeConverter implements ITypeConverter<EchoMode> {
        @Override
        public EchoMode convert(String name) {
            try {
                return EchoMode.parse(name);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    private static final class Modes implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return EchoMode.names().iterator();
        }
    }
}
