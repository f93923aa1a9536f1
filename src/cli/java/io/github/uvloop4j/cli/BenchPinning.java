package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.CpuList;
import io.github.uvloop4j.cli.process.Taskset;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** On which CPUs server and client run. */
final class BenchPinning {
    private static final String ANY = "any";

    @Option(
            names = "--pin-server",
            paramLabel = "CPUS",
            description = "CPUs of the servers: 0, 2-3 or any (the first allowed one, if there are two).")
    private @Nullable String server;

    @Option(
            names = "--pin-client",
            paramLabel = "CPUS",
            description = "CPUs of the client: 1, 4-7 or any (the second allowed one, if there are two).")
    private @Nullable String client;

    String server(CommandLine command) {
        return cpus(command, "--pin-server", server, 0);
    }

    String client(CommandLine command) {
        return cpus(command, "--pin-client", client, 1);
    }

    private static String cpus(CommandLine command, String option, @Nullable String asked, int fallback) {
        var allowed = new ArrayList<>(CpuList.allowed());
        if (asked == null) {
            return allowed.size() >= 2 && Taskset.program().isPresent() ? String.valueOf(allowed.get(fallback)) : "";
        }
        if (asked.equals(ANY)) {
            return "";
        }
        try {
            var cpus = CpuList.parse(asked);
            cpus.removeAll(allowed);
            RequestOptions.require(
                    command,
                    cpus.isEmpty(),
                    option + ": this process may not use CPU " + CpuList.format(cpus) + ", only "
                            + CpuList.format(allowed));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, option + ": " + e.getMessage(), e);
        }
        if (Taskset.program().isEmpty()) {
            throw new CliFailure(option + " needs the program taskset (package util-linux)");
        }
        return asked;
    }
}
