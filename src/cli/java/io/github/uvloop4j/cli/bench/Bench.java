package io.github.uvloop4j.cli.bench;

import io.github.uvloop4j.cli.json.JsonReader;
import io.github.uvloop4j.cli.process.Child;
import io.github.uvloop4j.cli.process.Taskset;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs servers under the same loads, each run in two fresh processes. In each round another server comes first, so that
 * a drift of the machine meets all of them.
 */
public final class Bench {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLIENT_SLACK = Duration.ofMinutes(10);
    private static final long REHEARSAL_MESSAGES = 100_000;
    private static final double LEAST_CPU_SHARE = 0.01;
    private static final double LEAST_DURATION_SHARE = 0.99;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final String LISTENING = "listening on ";

    private final BenchSettings settings;
    private final Consumer<String> progress;
    private final Map<String, String> banners = new LinkedHashMap<>();

    /**
     * A comparison.
     *
     * @param progress gets a line before and after each run
     */
    public Bench(BenchSettings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /** Runs everything; failed runs are in the results. */
    public Results run() throws IOException, InterruptedException {
        try (var places = Places.open(settings.over())) {
            return run(places);
        }
    }

    private Results run(Places places) throws InterruptedException {
        var runs = new ArrayList<Run>();
        var servers = new ArrayList<>(settings.servers());
        var total = settings.rounds() * settings.cells().size() * servers.size();
        var start = System.nanoTime();
        for (var round = 1; round <= settings.rounds() && fits(round, start); round++) {
            for (var cell : settings.cells()) {
                for (var server : servers) {
                    var head =
                            String.format(Locale.ROOT, "[%d/%d] %s: %s", runs.size() + 1, total, cell, server.name());
                    progress.accept(head);
                    var run = run(server, cell, round, places.next());
                    runs.add(run);
                    progress.accept(head + ": " + outcome(run));
                }
            }
            Collections.rotate(servers, -1);
        }
        return Results.of(settings, runs);
    }

    /** What each server printed before it listened, such as its versions; not the layout of its loops. */
    public Map<String, String> banners() {
        return banners;
    }

    private boolean fits(int round, long start) {
        if (settings.budget().isZero() || round == 1) {
            return true;
        }
        var elapsed = System.nanoTime() - start;
        return elapsed + elapsed / (round - 1) <= settings.budget().toNanos();
    }

    private static String outcome(Run run) {
        return run.isGood()
                ? Metric.MESSAGES_PER_SECOND.format(run.value(Metric.MESSAGES_PER_SECOND)) + " messages/s, "
                        + Metric.SERVER_CPU_US_PER_MESSAGE.format(run.value(Metric.SERVER_CPU_US_PER_MESSAGE))
                        + " us CPU each"
                : "failed: " + run.failure();
    }

    private Run run(ServerSpec server, Cell cell, int round, Places.Place place) throws InterruptedException {
        try (var client = Child.start("client", clientCommand(cell, place))) {
            if (settings.cold()) {
                expectReady(client);
            }
            var startedMicros = System.currentTimeMillis() * 1000;
            var command = pinned(settings.serverCpus(), server.command(cell, settings.loops(), place));
            try (var neighbours = Neighbours.of(cell, settings.loops());
                    var process = Child.start(server.name(), command)) {
                var run = measure(server, cell, round, client, process, startedMicros);
                return neighbours.areBusy() ? run : run.rejected("a noisy neighbour ended early");
            }
        } catch (IOException e) {
            return Run.failed(server.name(), cell, round, String.valueOf(e.getMessage()));
        }
    }

    private Run measure(ServerSpec server, Cell cell, int round, Child client, Child process, long startedMicros)
            throws IOException, InterruptedException {
        var address = awaitListening(process, server.name(), cell);
        if (!settings.cold()) {
            expectReady(client);
        }
        client.send(address + " " + process.pid());
        var line = client.nextLine(settings.duration().plus(CLIENT_SLACK));
        if (line == null) {
            var failure = client.describeFailure();
            return Run.failed(server.name(), cell, round, failure + errors(process));
        }
        var report = JsonReader.object(line);
        if (!process.isAlive()) {
            return Run.failed(server.name(), cell, round, process.describeFailure());
        }
        var suspicion = suspicion(report);
        if (!suspicion.isEmpty()) {
            return Run.failed(server.name(), cell, round, suspicion);
        }
        var firstReply =
                settings.cold() ? (Run.number(report, "first_reply_epoch_us") - startedMicros) / 1000 : Double.NaN;
        return Run.of(server.name(), cell, round, report, firstReply);
    }

    private static void expectReady(Child client) throws IOException, InterruptedException {
        if (!"ready".equals(client.nextLine(START_LIMIT.multipliedBy(2)))) {
            throw new IOException(client.describeFailure());
        }
    }

    private String awaitListening(Child process, String name, Cell cell) throws IOException, InterruptedException {
        var deadline = System.nanoTime() + START_LIMIT.toNanos();
        var banner = new ArrayList<String>();
        while (true) {
            var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            var line = process.nextLine(left);
            if (line == null) {
                throw new IOException(process.describeFailure());
            }
            if (line.startsWith(LISTENING)) {
                if (!cell.tellsLoops()) {
                    banners.put(name, String.join("; ", banner));
                }
                return line.substring(LISTENING.length()).strip();
            }
            banner.add(line);
        }
    }

    private String suspicion(Map<String, ?> report) {
        var seconds = Run.number(report, "duration_s");
        var messages = Run.number(report, "messages");
        var cpu = Run.number(report, Metric.SERVER_CPU_US_PER_MESSAGE.key()) * messages / MICROS_PER_SECOND;
        var asked = settings.duration().toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
        if (messages < 1) {
            return "no message came back in " + seconds + " s";
        }
        if (seconds < asked * LEAST_DURATION_SHARE) {
            return "it ended after " + seconds + " s of " + asked;
        }
        if (cpu < seconds * LEAST_CPU_SHARE) {
            return String.format(
                    Locale.ROOT, "suspicious: %.0f messages, but the server used only %.3f s of CPU", messages, cpu);
        }
        return "";
    }

    private static String errors(Child process) {
        var lines = process.errorLines();
        return lines.isEmpty() ? "" : "; the server said: " + String.join(" | ", lines);
    }

    private List<String> clientCommand(Cell cell, Places.Place place) throws IOException {
        var command = new ArrayList<>(pinned(settings.clientCpus(), settings.clientCommand()));
        settings.over().clientArguments().forEach(word -> command.add(place.fill(word)));
        command.add("--msize=" + cell.sizeBytes());
        command.add("--connections=" + cell.connections());
        command.add("--in-flight=" + cell.inFlight());
        command.add("--duration=" + settings.duration().toMillis() / 1e3);
        if (settings.cold()) {
            command.add("--cpu-from-start");
            command.add("--rehearse=" + REHEARSAL_MESSAGES);
        } else {
            command.add("--warmup=" + settings.warmupMessages());
        }
        return command;
    }

    private static List<String> pinned(String cpus, List<String> command) throws IOException {
        if (cpus.isEmpty()) {
            return command;
        }
        var pinned = new ArrayList<>(Taskset.prefix(cpus));
        pinned.addAll(command);
        return pinned;
    }
}
