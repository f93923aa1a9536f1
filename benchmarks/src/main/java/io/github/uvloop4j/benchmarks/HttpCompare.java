package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Sets the HTTP server of the examples beside Netty's codec on epoll, each on one loop, under wrk: the same request, the
 * same bytes in return, connections kept alive. Both stay up over the rounds and take turns.
 */
public final class HttpCompare {
    private static final String USAGE =
            "HttpCompare [--rounds N] [--duration SECONDS] [--warmup SECONDS] [--connections N] [--threads N]";
    private static final String REFERENCE = "netty-http";

    private HttpCompare() {}

    public static void main(String[] args) throws IOException {
        var options = new LinkedHashMap<>(
                Map.of("--rounds", 7, "--duration", 3, "--warmup", 10, "--connections", 200, "--threads", 4));
        for (var i = 0; i < args.length; i += 2) {
            if (!options.containsKey(args[i]) || i + 1 == args.length || !args[i + 1].matches("[1-9]\\d{0,5}")) {
                System.err.println(USAGE);
                System.exit(2);
            }
            options.put(args[i], Integer.parseInt(args[i + 1]));
        }
        var wrk = Wrk.find(options.get("--threads"), options.get("--connections"));
        if (wrk == null) {
            System.out.println("skipped: no wrk here (package wrk)");
            return;
        }
        run(options, wrk);
    }

    private static void run(Map<String, Integer> options, Wrk wrk) throws IOException {
        var peers = List.of(
                peer("uvloop4j-http", JavaCommand.exampleHttp()), peer(REFERENCE, JavaCommand.nettyHttp("epoll")));
        peers.forEach(peer -> System.out.println(peer.name() + ": " + peer.versions()));
        var cpus = Cpus.allowed();
        var serverCpu = cpus.size() > 1 ? cpus.getFirst().toString() : null;
        var clientCpu = cpus.size() > 1 ? cpus.get(1).toString() : null;
        var running = new LinkedHashMap<String, ServerProcess>();
        var results = new LinkedHashMap<String, List<Wrk.Result>>();
        try {
            for (var peer : peers) {
                running.put(peer.name(), ServerProcess.start(peer, serverCpu));
                results.put(peer.name(), new ArrayList<>());
            }
            checkAnswers(running);
            for (var server : running.values()) {
                wrk.load(server, options.get("--warmup"), clientCpu);
            }
            var order = new ArrayList<>(running.keySet());
            for (var round = 1; round <= options.get("--rounds"); round++) {
                for (var name : order) {
                    var result = wrk.load(running.get(name), options.get("--duration"), clientCpu);
                    results.get(name).add(result);
                    System.out.printf("round %d: %-14s %s%n", round, name, result);
                }
                Collections.rotate(order, 1);
            }
        } finally {
            running.values().forEach(ServerProcess::close);
        }
        print(results);
    }

    private static Peer peer(String name, List<String> command) throws IOException {
        var question = new ArrayList<>(command);
        question.add("--version");
        var answer = Command.finish(question);
        if (!answer.succeeded()) {
            throw new IOException(name + ": " + answer.lastLine());
        }
        return new Peer(name, command, answer.lastLine());
    }

    /** The comparison is none unless both send the same bytes, but for the time of day. */
    private static void checkAnswers(Map<String, ServerProcess> servers) throws IOException {
        String first = null;
        for (var server : servers.entrySet()) {
            var answer = answerOf(server.getValue()).replaceFirst("Date: [^\r]*", "Date");
            if (first != null && !answer.equals(first)) {
                throw new IOException(server.getKey() + " answers " + answer + ", not " + first);
            }
            first = answer;
        }
    }

    private static String answerOf(ServerProcess server) throws IOException {
        var port = Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("GET " + Wrk.PATH + " HTTP/1.1\r\nHost: here\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void print(Map<String, List<Wrk.Result>> results) {
        System.out.printf(
                "%n%-14s %12s %7s %10s %7s %14s %7s%n",
                "server", "requests/s", "ratio", "p99 us", "ratio", "CPU us/request", "ratio");
        var reference = results.get(REFERENCE);
        results.forEach((name, rounds) -> System.out.printf(
                Locale.ROOT,
                "%-14s %,12.0f %7.3f %,10.0f %7.3f %14.2f %7.3f%n",
                name,
                median(rounds, Wrk.Result::rate),
                ratio(rounds, reference, Wrk.Result::rate),
                median(rounds, Wrk.Result::p99Micros),
                ratio(rounds, reference, Wrk.Result::p99Micros),
                median(rounds, Wrk.Result::cpuMicros),
                ratio(rounds, reference, Wrk.Result::cpuMicros)));
        System.out.println("Medians; ratios are medians of the ratios within each round.");
    }

    private static double median(List<Wrk.Result> rounds, ToDoubleFunction<Wrk.Result> value) {
        return median(rounds.stream().mapToDouble(value).toArray());
    }

    private static double ratio(
            List<Wrk.Result> rounds, List<Wrk.Result> reference, ToDoubleFunction<Wrk.Result> value) {
        var ratios = new double[rounds.size()];
        for (var i = 0; i < ratios.length; i++) {
            ratios[i] = value.applyAsDouble(rounds.get(i)) / value.applyAsDouble(reference.get(i));
        }
        return median(ratios);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        var middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
