package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.cli.process.Taskset;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** On which CPUs server and client run. */
final class BenchPinning {
    private static final String ANY = "any";

    @Option(
            names = "--pin-server",
            paramLabel = "CPUS",
            description =
                    "CPUs of the servers: 0, 2-3 or any (the first allowed one, if there are two; with --pinning any).")
    private @Nullable String server;

    @Option(
            names = "--pin-client",
            paramLabel = "CPUS",
            description =
                    "CPUs of the client: 1, 4-7 or any (the second allowed one, if there are two; with --pinning any).")
    private @Nullable String client;

    String server(CommandLine command, boolean loops) {
        RequestOptions.require(
                command,
                !loops || server == null,
                "--pin-server pins the unpinned loops, too: it does not go with --pinning");
        return loops ? "" : cpus(command, "--pin-server", server, 0);
    }

    String client(CommandLine command, boolean loops) {
        return loops && client == null ? "" : cpus(command, "--pin-client", client, 1);
    }

    private static String cpus(CommandLine command, String option, @Nullable String asked, int fallback) {
        if (ANY.equals(asked)) {
            return "";
        }
        var allowed = Affinity.allowed();
        if (asked == null) {
            return allowed.size() >= 2 && Taskset.program().isPresent()
                    ? allowed.stream()
                            .skip(fallback)
                            .limit(1)
                            .mapToObj(String::valueOf)
                            .collect(Collectors.joining())
                    : "";
        }
        try {
            var others = new CpuSetConverter().convert(asked).minus(allowed);
            RequestOptions.require(
                    command,
                    others.isEmpty(),
                    option + ": this process may not use CPU " + others + ", only " + allowed);
        } catch (TypeConversionException e) {
            throw new ParameterException(command, option + ": " + e.getMessage(), e);
        }
        if (Taskset.program().isEmpty()) {
            throw new CliFailure(option + " needs the program taskset (package util-linux)");
        }
        return asked;
    }
}
