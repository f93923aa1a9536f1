package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.doctor.Diagnosis;
import io.github.uvloop4j.cli.doctor.DiagnosisHtml;
import io.github.uvloop4j.cli.doctor.DiagnosisJson;
import io.github.uvloop4j.cli.doctor.DiagnosisText;
import io.github.uvloop4j.cli.json.JsonWriter;
import io.github.uvloop4j.cli.observe.FileSource;
import io.github.uvloop4j.cli.observe.LiveSource;
import io.github.uvloop4j.cli.observe.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code doctor}: explains what the loops of a program do, while it runs or from a recording. */
@Command(
        name = DoctorCommand.NAME,
        description = {
            "Explains what the loops of a program do: what keeps them, what comes late, where time goes.",
            "The program needs no flag; what is recorded there for this is gone afterwards."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {
    static final String NAME = "doctor";
    private static final int KEEP = 5000;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "PID|RECORDING",
            description = "The process id of a JVM on this machine, or a file that its flight recorder has written.")
    private String target = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to watch a process (10s).")
    private @Nullable Duration duration;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a report with charts.")
    private @Nullable Path html;

    @Override
    public Integer call() throws IOException, InterruptedException {
        var command = spec.commandLine();
        var pid = Target.pid(target);
        var time = duration == null ? Duration.ofSeconds(10) : duration;
        RequestOptions.require(
                command,
                time.compareTo(Duration.ofSeconds(1)) >= 0 && time.compareTo(Duration.ofDays(1)) <= 0,
                "--duration must be 1s to 24h");
        RequestOptions.require(
                command, pid.isPresent() || duration == null, "--duration is for a process, not for a recording");
        RequestOptions.require(command, canBeWritten(html), "--html needs a file that can be written: " + html);
        var diagnosis = Diagnosis.of(pid.isPresent() ? watch(pid.getAsLong(), time) : read(command));
        var out = command.getOut();
        if (json) {
            out.println(JsonWriter.pretty(DiagnosisJson.fields(diagnosis)));
        } else {
            DiagnosisText.lines(diagnosis, Target.canPrintBlocks()).forEach(out::println);
        }
        out.flush();
        if (html != null) {
            Files.writeString(html, DiagnosisHtml.of(diagnosis));
        }
        return CommandLine.ExitCode.OK;
    }

    /** To be known before something was watched for long. */
    private static boolean canBeWritten(@Nullable Path file) {
        if (file == null) {
            return true;
        }
        var folder = file.toAbsolutePath().getParent();
        return folder != null && !Files.isDirectory(file) && Files.isWritable(Files.exists(file) ? file : folder);
    }

    private Observation read(CommandLine command) {
        var file = Target.file(command, target);
        var progress = new Progress();
        var seen = FileSource.read(file, events -> progress.show("reading " + file + ": " + events + " events"));
        progress.clear();
        if (seen.loops().isEmpty()) {
            throw new CliFailure(file + " has no events of uvloop4j: the program had no loop while it was recorded, or"
                    + " uvloop4j.* events were switched off");
        }
        return seen;
    }

    private Observation watch(long pid, Duration time) throws InterruptedException {
        var progress = new Progress();
        progress.show("attaching to process " + pid);
        try (var source = LiveSource.watch(pid, Duration.ofSeconds(1), true, KEEP)) {
            Target.awaitLoops(source, pid);
            source.goesOnFor(time);
            var ended = false;
            var begin = System.nanoTime();
            while (!ended) {
                var passed = Duration.ofNanos(System.nanoTime() - begin);
                if (passed.compareTo(time) >= 0) {
                    break;
                }
                progress.show("watching process " + pid + ": " + passed.toSeconds() + " of " + time.toSeconds() + " s");
                source.look();
                var left = time.minus(passed);
                ended = source.await(left.compareTo(Target.TICK) < 0 ? left : Target.TICK);
            }
            source.look();
            source.finish();
            var seen = source.observation();
            return ended ? seen.note("the process ended while it was watched") : seen;
        } finally {
            progress.clear();
        }
    }
}
