package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.cli.client.LoadClient;
import io.github.uvloop4j.cli.client.LoadResult;
import io.github.uvloop4j.cli.client.ServerCpu;
import io.github.uvloop4j.cli.client.Workers;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.process.Taskset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code echo-client}: worker processes in ping-pong, or one thread with many connections. */
@Command(
        name = EchoClientCommand.NAME,
        description = {
            "Sends messages to an echo server and verifies every byte that comes back.",
            "By default with worker processes, one connection and one request in flight each;"
                    + " with --connections or --duration in one thread with many connections."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class EchoClientCommand implements Callable<Integer> {
    static final String NAME = "echo-client";
    private static final int MAX_WORKERS = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private final RequestOptions request = new RequestOptions();

    @Option(names = "--workers", paramLabel = "N", description = "Worker processes (3).")
    private @Nullable Integer workers;

    @Option(names = "--times", paramLabel = "N", description = "Rounds of workers (1).")
    private @Nullable Integer times;

    @Mixin
    private final LoadOptions load = new LoadOptions();

    @Option(names = "--server-pid", paramLabel = "PID", description = "Report the CPU time that this process uses.")
    private @Nullable Long serverPid;

    @Option(
            names = "--pin-client",
            paramLabel = "CPUS",
            converter = CpuSetConverter.class,
            description = "CPUs for this process and its workers: 1 or 2-3.")
    private @Nullable CpuSet pin;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        if (pin != null) {
            Taskset.pinThisProcess(pin.toString());
        }
        if (load.present()) {
            load();
        } else {
            workers(workers == null ? 3 : workers, times == null ? 1 : times);
        }
        return CommandLine.ExitCode.OK;
    }

    private void check() {
        var command = spec.commandLine();
        request.check(command);
        load.check(command, request);
        RequestOptions.require(
                command,
                !load.present() || (workers == null && times == null),
                "--workers and --times do not go with --connections or --duration");
        RequestOptions.require(
                command, serverPid == null || load.present(), "--server-pid needs --connections or --duration");
        RequestOptions.require(
                command,
                workers == null || (workers >= 1 && workers <= MAX_WORKERS),
                "--workers must be 1 to " + MAX_WORKERS);
        RequestOptions.require(command, times == null || times >= 1, "--times must be at least 1");
    }

    private void load() throws IOException {
        var cpu = serverPid == null ? null : new ServerCpu(serverPid, false);
        var settings = load.settings(request, request.destination());
        var result = LoadClient.run(settings, cpu == null ? LoadClient.Observer.NONE : cpu);
        var fields = load.report(settings, result, cpu);
        print(fields, result.messages(), result.seconds(), result.messagesPerSecond(), result.latencies());
        if (cpu != null && !json) {
            values(cpu.perMessage(result.messages()), 3);
        }
    }

    private void workers(int count, int rounds) throws IOException, InterruptedException {
        var arguments = new ArrayList<>(List.of(EchoWorkerCommand.NAME, "--num=" + load.messages()));
        arguments.addAll(request.arguments());
        var command = Program.childJvm().command(List.of("-XX:+UseSerialGC"), arguments);
        var messages = 0L;
        var trafficNanos = 0L;
        var latencies = new Histogram(3);
        var start = System.nanoTime();
        for (var round = 0; round < rounds; round++) {
            var result = Workers.run(count, command);
            messages += result.messages();
            trafficNanos += result.trafficNanos();
            latencies.add(result.latencies());
        }
        var seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        var trafficRate = messages / (trafficNanos / NANOS_PER_SECOND);
        var fields = new LinkedHashMap<String, Object>();
        fields.put("size_bytes", request.messageSize());
        fields.put("messages_per_request", request.messagesPerRequest());
        fields.put("workers", count);
        fields.put("times", rounds);
        fields.put("messages", messages);
        fields.put("duration_s", seconds);
        fields.put("messages_per_second", messages / seconds);
        fields.put("traffic_s", trafficNanos / NANOS_PER_SECOND);
        fields.put("traffic_messages_per_second", trafficRate);
        fields.putAll(LoadResult.percentiles(latencies));
        print(fields, messages, seconds, messages / seconds, latencies);
        if (!json) {
            line(String.format(Locale.ROOT, "%.1f messages/sec without start-up", trafficRate));
        }
    }

    private void print(Map<String, Object> fields, long messages, double seconds, double rate, Histogram latencies) {
        if (json) {
            spec.commandLine().getOut().println(JsonWriter.pretty(fields));
            return;
        }
        line(String.format(Locale.ROOT, "%d in %.3f", messages, seconds));
        line(String.format(Locale.ROOT, "%.1f requests/sec", rate));
        values(LoadResult.percentiles(latencies), 1);
    }

    private void line(String text) {
        spec.commandLine().getOut().println(text);
    }

    private void values(Map<String, Object> fields, int decimals) {
        fields.forEach((name, value) -> line(name + String.format(Locale.ROOT, " %." + decimals + "f", value)));
    }
}
