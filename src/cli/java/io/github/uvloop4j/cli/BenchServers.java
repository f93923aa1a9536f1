package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.bench.ServerSpec;
import io.github.uvloop4j.cli.server.EchoMode;
import io.github.uvloop4j.cli.server.GroupEcho;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which servers to compare: the options, and the commands that they mean. */
final class BenchServers {
    private static final String DEFAULT_REFERENCE = EchoMode.NIO.toString();
    private static final List<String> WITH_LOOPS = List.of(EchoMode.PROTOCOL.toString(), EchoMode.STREAMS.toString());

    @Option(
            names = "--servers",
            paramLabel = "NAME",
            split = ",",
            description = "Built-in servers: protocol, buffered, streams, sockets, readline, nio, virtual-threads"
                    + " (protocol,streams,nio,virtual-threads; with --pinning protocol,streams).")
    private List<String> builtIn = List.of();

    @Option(
            names = "--server",
            paramLabel = "NAME=COMMAND",
            description = "Another server; {addr} in COMMAND becomes the address to listen on. May be repeated.")
    private List<String> external = List.of();

    @Option(
            names = "--reference",
            paramLabel = "NAME",
            description = "Server that ratios refer to (nio, or the first).")
    private String reference = "";

    @Option(names = "--jvm-options", paramLabel = "OPTIONS", description = "For the JVMs of the built-in servers.")
    private String jvmOptions = "";

    List<ServerSpec> specs(CommandLine command) {
        try {
            var names = builtIn.isEmpty() && external.isEmpty() ? defaults() : builtIn;
            var specs = new ArrayList<ServerSpec>();
            for (var name : names) {
                specs.add(builtIn(name));
            }
            external.forEach(text -> specs.add(ServerSpec.parse(text)));
            return distinct(command, specs);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }

    /** Each server with loops as it is and on pinned loops. */
    List<ServerSpec> pinnedAndUnpinned(CommandLine command) {
        RequestOptions.require(command, external.isEmpty(), "--pinning is for built-in servers, not for --server");
        RequestOptions.require(
                command, reference.isEmpty(), "--pinning refers ratios to the unpinned loops: no --reference");
        try {
            var specs = new ArrayList<ServerSpec>();
            for (var name : builtIn.isEmpty() ? WITH_LOOPS : builtIn) {
                RequestOptions.require(
                        command,
                        EchoMode.parse(name).server() instanceof GroupEcho,
                        "--pinning: server " + name + " has no loops to pin");
                specs.add(builtIn(name));
                specs.add(builtIn(name).pinned());
            }
            return distinct(command, specs);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }

    private static List<ServerSpec> distinct(CommandLine command, List<ServerSpec> specs) {
        var seen = new LinkedHashSet<String>();
        for (var spec : specs) {
            RequestOptions.require(command, seen.add(spec.name()), "server " + spec.name() + " is there twice");
        }
        return specs;
    }

    private static List<String> defaults() {
        return Stream.of(EchoMode.PROTOCOL, EchoMode.STREAMS, EchoMode.NIO, EchoMode.VIRTUAL_THREADS)
                .map(EchoMode::toString)
                .toList();
    }

    private ServerSpec builtIn(String name) {
        var mode = EchoMode.parse(name);
        var arguments = List.of(EchoServerCommand.NAME, "--addr=127.0.0.1:0", "--mode=" + mode);
        return new ServerSpec(name, Program.childJvm().command(ServerSpec.words(jvmOptions), arguments));
    }

    String reference(CommandLine command, List<ServerSpec> specs) {
        var names = specs.stream().map(ServerSpec::name).toList();
        if (reference.isEmpty()) {
            return names.contains(DEFAULT_REFERENCE) ? DEFAULT_REFERENCE : names.getFirst();
        }
        RequestOptions.require(command, names.contains(reference), "--reference " + reference + " is no server here");
        return reference;
    }
}
