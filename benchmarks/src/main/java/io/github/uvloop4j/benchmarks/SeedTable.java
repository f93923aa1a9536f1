package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table that asynchronous I/O libraries have been compared by for years: 600,000 messages of about 1 kB from three
 * client processes to one server process, in ping-pong, the best of three rounds. The servers take turns, and each
 * keeps its process over the rounds, as a server does.
 */
final class SeedTable {
    /** What the peers ask for in one receive. */
    static final String READ_SIZE = "1000000";

    private static final List<String> FAMILIES =
            List.of("uvloop4j", "loopfuture", "completablefuture", "asyncio", "uvloop", "gevent", "curio");
    private static final List<String> MODES = List.of("sockets", "streams");
    private static final int WORKERS = 3;
    private static final int MESSAGES_PER_WORKER = 200_000;
    private static final int MESSAGE_BYTES = 1000;
    private static final int ROUNDS = 3;

    private SeedTable() {}

    /**
     * One server's best round.
     *
     * @param rate messages a second, with the clients' start-up
     * @param trafficRate messages a second from the first to the last
     */
    private record Best(double rate, double trafficRate) {
        Best orBetter(Best other) {
            return other.rate > rate ? other : this;
        }
    }

    static int run(Options options, Peers peers) throws IOException {
        var servers = servers(options, peers);
        var best = new LinkedHashMap<String, Best>();
        var running = new LinkedHashMap<String, ServerProcess>();
        try {
            for (var server : servers) {
                running.put(server.name(), ServerProcess.start(server, options.harnessOption("--pin-server")));
            }
            int rounds = options.number("--rounds", ROUNDS);
            for (int round = 1; round <= rounds; round++) {
                for (var server : running.entrySet()) {
                    var result = measure(options, server.getValue().address());
                    System.out.printf(
                            Locale.ROOT,
                            "round %d of %d: %-24s %,10.0f%n",
                            round,
                            rounds,
                            server.getKey(),
                            result.rate);
                    best.merge(server.getKey(), result, Best::orBetter);
                }
            }
        } finally {
            running.values().forEach(ServerProcess::close);
        }
        print(best);
        var json = options.harnessOption("--json");
        if (json != null) {
            write(Path.of(json), options, peers, best);
        }
        return 0;
    }

    private static List<Peer> servers(Options options, Peers peers) {
        var servers = new ArrayList<Peer>();
        for (var mode : MODES) {
            var command = JavaCommand.jar(options.cli(), List.of("echo-server", "--mode", mode));
            servers.add(new Peer("uvloop4j-" + mode, command, ""));
        }
        servers.addAll(peers.found());
        servers.removeIf(server -> !options.wants(server.name()) || !belongs(server.name()));
        return servers;
    }

    /** Whether a server, named by its family and its mode, is one of the table's. */
    static boolean belongs(String name) {
        int dash = name.indexOf('-');
        var family = name.substring(0, dash);
        return MODES.contains(name.substring(dash + 1)) && FAMILIES.contains(family);
    }

    private static Best measure(Options options, String address) throws IOException {
        var arguments = new ArrayList<>(List.of("echo-client", "--json", "--addr", address));
        arguments.addAll(List.of("--workers", "" + WORKERS, "--msize", "" + MESSAGE_BYTES));
        arguments.addAll(List.of("--num", "" + options.number("--num", MESSAGES_PER_WORKER)));
        var cpus = options.harnessOption("--pin-client");
        if (cpus != null) {
            arguments.addAll(List.of("--pin-client", cpus));
        }
        var outcome = Command.finish(JavaCommand.jar(options.cli(), arguments));
        if (!outcome.succeeded()) {
            throw new IOException("echo-client: " + outcome.lastLine());
        }
        return new Best(
                number(outcome.output(), "messages_per_second"),
                number(outcome.output(), "traffic_messages_per_second"));
    }

    private static double number(String json, String key) throws IOException {
        var match = Pattern.compile("\"" + key + "\"\\s*:\\s*([-+.\\deE]+)").matcher(json);
        if (!match.find()) {
            throw new IOException("echo-client reports no " + key);
        }
        return Double.parseDouble(match.group(1));
    }

    private static void print(Map<String, Best> best) {
        System.out.printf("%n%-24s %14s %18s%n", "server", "messages/s", "traffic only");
        best.forEach((name, row) ->
                System.out.printf(Locale.ROOT, "%-24s %,14.0f %,18.0f%n", name, row.rate, row.trafficRate));
    }

    private static void write(Path file, Options options, Peers peers, Map<String, Best> best) throws IOException {
        var rows = best.entrySet().stream()
                .map(row -> String.format(
                        Locale.ROOT,
                        "    {\"server\": %s, \"messages_per_second\": %.1f, \"traffic_messages_per_second\": %.1f}",
                        Versions.quoted(row.getKey()),
                        row.getValue().rate,
                        row.getValue().trafficRate))
                .collect(Collectors.joining(",\n"));
        Files.writeString(
                file,
                "{" + Versions.machineMember() + "," + Versions.members(peers) + ",\n  \"workers\": " + WORKERS
                        + ",\n  \"size_bytes\": " + MESSAGE_BYTES
                        + ",\n  \"messages_per_worker\": " + options.number("--num", MESSAGES_PER_WORKER)
                        + ",\n  \"best\": [\n" + rows + "\n  ]\n}\n");
    }
}
