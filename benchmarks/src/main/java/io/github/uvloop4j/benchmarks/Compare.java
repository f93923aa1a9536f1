package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Sets the echo servers of this library beside every peer that can run here, with the harness of the command line.
 * Run it in the repository's folder; {@link Options#USAGE} lists what it takes.
 */
public final class Compare {
    private static final List<String> REFERENCES = List.of("c-libuv", "netty-epoll");

    private Compare() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Options options;
        try {
            options = Options.parse(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        if (!Files.isRegularFile(options.cli())) {
            System.err.println("no " + options.cli() + " here: build it first with make build");
            System.exit(1);
        }
        System.exit(options.pinningOnly() ? pinnedLoops(options) : compare(options));
    }

    private static int compare(Options options) throws IOException, InterruptedException {
        var peers = options.seed() ? Peers.forSeedTable(options) : Peers.forComparison(options);
        Versions.print(peers);
        if (options.seed()) {
            return SeedTable.run(options, peers);
        }
        int status = compare(options, peers);
        return options.hasNames() || !options.over().equals("tcp") ? status : Math.max(status, pinnedLoops(options));
    }

    /** Pinned and unpinned loops: what follows the comparison of everything, or what alone was asked for. */
    private static int pinnedLoops(Options options) {
        var cpus = Cpus.allowed();
        if (cpus.size() < 2) {
            System.out.println("pinned loops: skipped, this process may use CPU " + cpus.getFirst() + " only");
            return 0;
        }
        System.out.println("Pinned and unpinned loops:");
        var arguments = new ArrayList<>(List.of("echo-bench"));
        if (options.hasNames()) {
            arguments.add("--servers");
            arguments.add(options.names());
        }
        arguments.addAll(options.pinningArguments());
        return Command.run(JavaCommand.jar(options.cli(), arguments));
    }

    private static int compare(Options options, Peers peers) throws IOException {
        var arguments = new ArrayList<>(List.of("echo-bench"));
        for (var peer : peers.found()) {
            arguments.add("--server");
            arguments.add(peer.name() + "=" + peer.template());
        }
        var own = options.builtIn();
        if (!own.isEmpty()) {
            arguments.add("--servers");
            arguments.add(String.join(",", own));
        }
        if (peers.found().isEmpty() && own.isEmpty()) {
            System.err.println("--only names no server that can run here");
            return 1;
        }
        arguments.addAll(options.harnessArguments(Map.of("--reference", reference(options, peers, own))));
        int status = Command.run(JavaCommand.jar(options.cli(), arguments));
        var json = options.harnessOption("--json");
        if (status == 0 && json != null) {
            Versions.addTo(Path.of(json), peers);
        }
        return status;
    }

    /** C on libuv where it runs, else Netty; else the first server, so that a ratio is printed in any case. */
    private static String reference(Options options, Peers peers, List<String> own) {
        var names = new ArrayList<>(peers.found().stream().map(Peer::name).toList());
        names.addAll(own);
        return REFERENCES.stream().filter(names::contains).findFirst().orElse(names.getFirst());
    }
}
