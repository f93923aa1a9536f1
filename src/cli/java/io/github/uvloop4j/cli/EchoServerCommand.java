package io.github.uvloop4j.cli;

import io.github.uvloop4j.GroupLayout;
import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.cli.server.EchoMode;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
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
        description = "Sends back what it gets. Prints 'listening on ADDRESS' and serves until SIGTERM, or until its"
                + " standard input ends if that is a pipe. With any option of loops and CPUs it serves on a group of"
                + " loops and prints which runs where; SIGTERM and SIGINT then let open connections go on until the"
                + " deadline.",
        mixinStandardHelpOptions = true)
final class EchoServerCommand implements Callable<Integer> {
    static final String NAME = PlainServer.NAME;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--addr",
            paramLabel = "ADDRESS",
            defaultValue = PlainServer.DEFAULT_ADDRESS,
            converter = EndpointConverter.class,
            description = "Where to listen: HOST:PORT, a loopback address, port 0 takes a free one; or unix:PATH"
                    + " (${DEFAULT-VALUE}).")
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
    private EchoFlags flags = new EchoFlags();

    @Mixin
    private GroupFlags group = new GroupFlags();

    @Option(names = "--json", description = "Print the address as JSON.")
    private boolean json;

    private @Nullable Path madeCertificate;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var command = spec.commandLine();
        RequestOptions.require(command, address.isLoopback(), address + " is not a loopback address");
        flags.check(command);
        try {
            var placed = group.areGiven() ? group.checked() : null;
            var options = flags.options(file -> madeCertificate = file);
            mode.check(address.resolve(), options);
            if (placed == null) {
                new PlainServer(address, mode, options).serve(bound -> announce(bound, null));
            } else {
                PlacedServer.check(mode, placed);
                new PlacedServer(address, mode, placed, options).serve(this::announce);
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
        return CommandLine.ExitCode.OK;
    }

    private void announce(SocketAddress bound, @Nullable GroupLayout layout) {
        var endpoint = Endpoint.of(bound);
        var out = spec.commandLine().getOut();
        if (json) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            fields.put("mode", mode.toString());
            if (endpoint instanceof Endpoint.Internet internet) {
                fields.put("host", internet.host());
                fields.put("port", internet.port());
            }
            if (endpoint instanceof Endpoint.Unix unix) {
                fields.put("path", unix.path().toString());
            }
            if (madeCertificate != null) {
                fields.put("certificate", madeCertificate.toString());
            }
            if (layout != null) {
                fields.putAll(JsonReader.object(layout.toJson()));
            }
            out.println(JsonWriter.line(fields));
        } else {
            if (madeCertificate != null) {
                out.println("certificate " + madeCertificate);
            }
            if (layout != null) {
                out.println(layout);
            }
            out.println("listening on " + endpoint);
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
