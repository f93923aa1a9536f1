package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.observe.LiveSource;
import io.github.uvloop4j.cli.observe.Observation;
import io.github.uvloop4j.cli.observe.TopScreen;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code top}: the loops of a JVM that runs, live. */
@Command(
        name = TopCommand.NAME,
        description = {
            "Shows the loops of a running JVM: how busy, what they do, what keeps them. Ends with Ctrl-C.",
            "The program needs no flag; what is recorded there for this is gone afterwards. Numbers are about two"
                    + " seconds old."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
    static final String NAME = "top";
    private static final int KEEP = 20;
    private static final String HOME = "\033[H";
    private static final String CLEAR = "\033[2J";
    private static final String CUT_LINES = "\033[?7l";
    private static final String WRAP_LINES = "\033[?7h";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "PID", description = "The process id of a JVM on this machine.")
    private String target = "";

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationConverter.class,
            description = "How often (${DEFAULT-VALUE}).")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--count", paramLabel = "N", description = "How many times (until the program ends).")
    private @Nullable Integer count;

    @Option(names = "--json", description = "Print JSON, one object in a line each time.")
    private boolean json;

    private boolean redraws;
    private boolean drawn;

    @Override
    public Integer call() throws InterruptedException {
        var command = spec.commandLine();
        var pid = Target.pid(target);
        RequestOptions.require(command, pid.isPresent(), "'" + target + "' is no process id");
        RequestOptions.require(
                command,
                interval.compareTo(Duration.ofSeconds(1)) >= 0 && interval.compareTo(Duration.ofHours(1)) <= 0,
                "--interval must be 1s to 1h");
        RequestOptions.require(command, count == null || count > 0, "--count must be at least 1");
        redraws = !json && Progress.isTerminal(Progress.STANDARD_OUTPUT);
        try (var source = LiveSource.watch(pid.getAsLong(), interval, false, KEEP)) {
            Target.awaitLoops(source, pid.getAsLong());
            show(source);
        }
        return CommandLine.ExitCode.OK;
    }

    /** Rates need two looks at a loop, so that the first picture comes one interval after the first news. */
    private void show(LiveSource source) throws InterruptedException {
        var left = count == null ? Integer.MAX_VALUE : count;
        var screen = new TopScreen(Target.canPrintBlocks());
        var ended = source.await(interval);
        while (!ended && left > 0) {
            source.goesOnFor(interval);
            var present = source.present();
            if (screen.hasNews(present)) {
                draw(screen, present);
                left--;
            }
            ended = left > 0 && source.await(interval);
        }
        if (ended) {
            spec.commandLine().getErr().println("process " + target + " has ended");
        }
    }

    private void draw(TopScreen screen, Observation present) {
        var out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonWriter.line(screen.fields(present)));
        } else if (redraws) {
            out.print(CUT_LINES + HOME + (drawn ? "" : CLEAR));
            drawn = true;
            screen.lines(present).stream()
                    .limit(ScreenSize.rows() - 1)
                    .forEach(line -> out.print(line + REST_OF_LINE + "\n"));
            out.print(REST_OF_SCREEN + WRAP_LINES);
        } else {
            screen.lines(present).forEach(out::println);
            out.println();
        }
        out.flush();
    }
}
