package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.bench.Bench;
import io.github.uvloop4j.cli.bench.BenchSettings;
import io.github.uvloop4j.cli.bench.Cell;
import io.github.uvloop4j.cli.bench.HtmlReport;
import io.github.uvloop4j.cli.bench.Machine;
import io.github.uvloop4j.cli.bench.Over;
import io.github.uvloop4j.cli.bench.Report;
import io.github.uvloop4j.cli.client.Destination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code echo-bench}: compares echo servers. */
@Command(
        name = EchoBenchCommand.NAME,
        description = {
            "Compares echo servers under the same load, server and client in processes of their own.",
            "Every server answers --addr ADDRESS with the line 'listening on ADDRESS' and ends on SIGTERM and at the"
                    + " end of its standard input.",
            "Over UDP a datagram that is lost fails the run. Over TLS all servers get the same certificate, and the"
                    + " client asks for TLS 1.3 with TLS_AES_256_GCM_SHA384."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class EchoBenchCommand implements Callable<Integer> {
    static final String NAME = "echo-bench";
    private static final String STDOUT = "-";
    private static final String UNPINNED = "unpinned";
    private static final int MAX_ROUNDS = 1000;
    private static final Duration QUICK_BUDGET = Duration.ofSeconds(50);

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--over",
            paramLabel = "WHAT",
            defaultValue = "tcp",
            converter = OverConverter.class,
            description = "What messages travel over: tcp, unix, udp or tls (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init")
    private Over over;

    @Mixin
    private final BenchServers servers = new BenchServers();

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            defaultValue = "1024",
            description = "Message sizes (${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            split = ",",
            defaultValue = "50",
            description = "Numbers of connections (${DEFAULT-VALUE}).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            split = ",",
            defaultValue = "1",
            description = "Messages in flight on each connection (${DEFAULT-VALUE}).")
    private List<Integer> inFlight = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (5; with --quick 3, as far as they fit).")
    private @Nullable Integer rounds;

    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "Length of a measurement (10; cold 3, quick 1.5).")
    private @Nullable Double duration;

    @Option(
            names = "--warmup-messages",
            paramLabel = "N",
            description = "Before each measurement (200000; quick 60000).")
    private @Nullable Long warmup;

    @Option(names = "--cold", description = "Measure from the start of the server on: start-up and JIT count.")
    private boolean cold;

    @Option(names = "--quick", description = "A first impression in less than a minute.")
    private boolean quick;

    @Mixin
    private final BenchLoops loops = new BenchLoops();

    @Mixin
    private final BenchPinning pinning = new BenchPinning();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            arity = "0..1",
            fallbackValue = STDOUT,
            description = "Write the results as JSON, without FILE to standard output in place of the table.")
    private @Nullable String json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a report with charts.")
    private @Nullable Path html;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var settings = settings();
        var progress = new Progress();
        var bench = new Bench(settings, progress::show);
        var results = bench.run();
        progress.clear();
        var report = new Report(settings, Machine.fields(), versions(bench.banners()), results);
        var out = spec.commandLine().getOut();
        out.println(STDOUT.equals(json) ? report.json() : report.table());
        out.flush();
        if (json != null && !STDOUT.equals(json)) {
            Files.writeString(Path.of(json), report.json() + "\n");
        }
        if (html != null) {
            Files.writeString(html, HtmlReport.of(report));
        }
        if (!results.failures().isEmpty()) {
            var first = results.failures().getFirst();
            throw new CliFailure(results.failures().size() + " of "
                    + (results.runs().size() + results.failures().size()) + " runs failed; first " + first.server()
                    + ": " + first.failure());
        }
        return CommandLine.ExitCode.OK;
    }

    private BenchSettings settings() {
        var command = spec.commandLine();
        var compared = loops.areCompared();
        var specs = compared ? servers.pinnedAndUnpinned(command) : servers.specs(command, over);
        check(command, "--sizes", sizes, 1, over == Over.UDP ? Destination.MAX_DATAGRAM : 64 << 20);
        check(command, "--connections", connections, 1, 20_000);
        check(command, "--in-flight", inFlight, 1, 1 << 20);
        var times = rounds != null ? rounds : quick ? 3 : 5;
        var seconds = duration != null ? duration : quick ? 1.5 : cold ? 3 : 10;
        var warming = warmup != null ? warmup : quick ? 60_000 : 200_000;
        RequestOptions.require(command, times >= 1 && times <= MAX_ROUNDS, "--rounds must be 1 to " + MAX_ROUNDS);
        RequestOptions.require(command, seconds >= 0.1 && seconds <= 3600, "--duration must be 0.1 to 3600 seconds");
        RequestOptions.require(command, warming >= 0, "--warmup-messages must be at least 0");
        RequestOptions.require(command, !cold || warmup == null, "--cold does not go with --warmup-messages");
        RequestOptions.require(command, over == Over.TCP || !compared, "--pinning is for --over tcp");
        RequestOptions.require(
                command, over != Over.TLS || !cold, "--cold is not for --over tls: the client would be cold, too");
        return new BenchSettings(
                over,
                specs,
                compared ? UNPINNED : servers.reference(command, specs),
                cells(),
                times,
                RequestOptions.seconds(seconds),
                cold ? 0 : warming,
                cold,
                pinning.server(command, compared),
                pinning.client(command, compared),
                loops.settings(command),
                quick && rounds == null ? QUICK_BUDGET : Duration.ZERO,
                Program.childJvm().command(List.of("-XX:+UseSerialGC"), List.of(EchoLoadCommand.NAME)));
    }

    private static final class OverConverter implements ITypeConverter<Over> {
        @Override
        public Over convert(String name) {
            try {
                return Over.parse(name);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    private static void check(CommandLine command, String option, List<Integer> values, int least, int most) {
        for (var value : values) {
            RequestOptions.require(
                    command, value >= least && value <= most, option + " must be " + least + " to " + most);
        }
    }

    private List<Cell> cells() {
        var cells = new ArrayList<Cell>();
        for (var size : sizes) {
            for (var count : connections) {
                for (var window : inFlight) {
                    loops.cells(size, count, window).forEach(cells::add);
                }
            }
        }
        return cells;
    }

    private static Map<String, Object> versions(Map<String, String> banners) {
        var versions = new LinkedHashMap<String, Object>();
        versions.put(Program.NAME, Program.Version.version());
        banners.forEach((server, banner) -> {
            if (!banner.isEmpty()) {
                versions.put(server, banner);
            }
        });
        return versions;
    }
}
