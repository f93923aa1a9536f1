package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.bench.Over;
import io.github.uvloop4j.cli.bench.ServerSpec;
import io.github.uvloop4j.cli.server.EchoMode;
import io.github.uvloop4j.cli.server.GroupEcho;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which servers to compare: the options, and the commands that they mean. */
final class BenchServers {
    private static final String DEBUG = "debug";
    private static final List<String> REFERENCES = List.of(EchoMode.NIO.toString(), EchoMode.NIO_DATAGRAM.toString());
    private static final List<EchoMode> DEFAULTS = List.of(
            EchoMode.PROTOCOL,
            EchoMode.STREAMS,
            EchoMode.NIO,
            EchoMode.VIRTUAL_THREADS,
            EchoMode.DATAGRAM,
            EchoMode.DATAGRAM_BATCH,
            EchoMode.NIO_DATAGRAM);
    private static final List<String> WITH_LOOPS = List.of(EchoMode.PROTOCOL.toString(), EchoMode.STREAMS.toString());

    @Option(
            names = "--servers",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Built-in servers: the modes of echo-server, and debug, which is protocol (over UDP datagram) in debug"
                            + " mode (protocol,streams,nio,virtual-threads as far as they can; over UDP"
                            + " datagram,datagram-batch,nio-datagram; with --pinning protocol,streams).")
    private List<String> builtIn = List.of();

    @Option(
            names = "--server",
            paramLabel = "NAME=COMMAND",
            description =
                    "Another server; {addr} in COMMAND becomes the address to listen on, {cert} and {key} the files of"
                            + " certificate and key for TLS. May be repeated.")
    private List<String> external = List.of();

    @Option(
            names = "--reference",
            paramLabel = "NAME",
            description = "Server that ratios refer to (nio or nio-datagram, or the first).")
    private String reference = "";

    @Option(names = "--jvm-options", paramLabel = "OPTIONS", description = "For the JVMs of the built-in servers.")
    private String jvmOptions = "";

    List<ServerSpec> specs(CommandLine command, Over over) {
        try {
            var names = builtIn.isEmpty() && external.isEmpty() ? defaults(over) : builtIn;
            var specs = new ArrayList<ServerSpec>();
            for (var name : names) {
                specs.add(builtIn(name, over));
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
                        !name.equals(DEBUG) && EchoMode.parse(name).server() instanceof GroupEcho,
                        "--pinning: server " + name + " has no loops to pin");
                specs.add(builtIn(name, Over.TCP));
                specs.add(builtIn(name, Over.TCP).pinned());
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

    private static List<String> defaults(Over over) {
        return DEFAULTS.stream()
                .filter(mode -> isPossible(mode, over))
                .map(EchoMode::toString)
                .toList();
    }

    private static boolean isPossible(EchoMode mode, Over over) {
        return switch (over) {
            case TCP -> !mode.hasDatagrams();
            case UNIX -> mode.hasUnix();
            case UDP -> mode.hasDatagrams();
            case TLS -> mode.hasTls();
        };
    }

    /** In debug mode: the server that such a loop serves fastest. */
    private ServerSpec builtIn(String name, Over over) {
        var debug = name.equals(DEBUG);
        var mode = debug ? over == Over.UDP ? EchoMode.DATAGRAM : EchoMode.PROTOCOL : EchoMode.parse(name);
        if (!isPossible(mode, over)) {
            throw new IllegalArgumentException("server " + name + " has no " + over.label());
        }
        var arguments = new ArrayList<>(List.of(EchoServerCommand.NAME, "--mode=" + mode));
        arguments.addAll(over.serverArguments());
        if (debug) {
            arguments.add("--debug");
        }
        return new ServerSpec(name, Program.childJvm().command(ServerSpec.words(jvmOptions), arguments));
    }

    String reference(CommandLine command, List<ServerSpec> specs) {
        var names = specs.stream().map(ServerSpec::name).toList();
        if (reference.isEmpty()) {
            return REFERENCES.stream().filter(names::contains).findFirst().orElse(names.getFirst());
        }
        RequestOptions.require(command, names.contains(reference), "--reference " + reference + " is no server here");
        return reference;
    }
}
