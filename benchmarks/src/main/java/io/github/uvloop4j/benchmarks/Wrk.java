package io.github.uvloop4j.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The load generator wrk, where it is installed.
 *
 * @param threads of it
 * @param connections of all threads together
 */
record Wrk(int threads, int connections) {
    /** What is asked for. */
    static final String PATH = "/hello";

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s|m)\\b");

    /**
     * One load.
     *
     * @param rate requests a second
     * @param p99Micros latency that 99 % of the requests keep below
     * @param cpuMicros CPU time of the server for each request
     */
    record Result(double rate, double p99Micros, double cpuMicros) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "%,9.0f requests/s, p99 %,8.0f us, %6.2f us CPU each", rate, p99Micros, cpuMicros);
        }
    }

    static @Nullable Wrk find(int threads, int connections) {
        var answer = Command.probe(List.of("wrk", "--version"));
        return answer.output().startsWith("wrk ") ? new Wrk(threads, connections) : null;
    }

    /** Loads a server. Anything but a good answer to every request is a failure. */
    Result load(ServerProcess server, int seconds, @Nullable String cpus) throws IOException {
        var words = new ArrayList<>(cpus == null ? List.<String>of() : List.of("taskset", "-c", cpus));
        words.addAll(List.of("wrk", "-t", "" + threads, "-c", "" + connections, "-d", seconds + "s", "--latency"));
        words.add("http://" + server.address() + PATH);
        var before = server.cpuMicros();
        var outcome = Command.finish(words);
        var cpu = server.cpuMicros() - before;
        var output = outcome.output();
        if (!outcome.succeeded() || output.contains("Non-2xx") || output.contains("Socket errors")) {
            throw new IOException("wrk: " + output.strip().replaceAll("\\s*\\R\\s*", "; "));
        }
        var p99 = find(P99, output, 1) * unitMicros(output);
        return new Result(find(RATE, output, 1), p99, cpu / find(REQUESTS, output, 1));
    }

    private static double unitMicros(String output) throws IOException {
        return switch (text(P99, output, 2)) {
            case "us" -> 1;
            case "ms" -> 1e3;
            case "s" -> 1e6;
            default -> 60e6;
        };
    }

    private static double find(Pattern pattern, String output, int group) throws IOException {
        return Double.parseDouble(text(pattern, output, group));
    }

    private static String text(Pattern pattern, String output, int group) throws IOException {
        var match = pattern.matcher(output);
        if (!match.find()) {
            throw new IOException("wrk says nothing of " + pattern + ": " + output);
        }
        return match.group(group);
    }
}
