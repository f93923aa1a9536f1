package io.github.uvloop4j.cli;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.cli.process.ChildJvm;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/**
 * Finds the command and turns what goes wrong into one line on standard error. Exit status 0 is
 * success, 1 a failure, 2 bad arguments.
 */
@Command(
        name = Program.NAME,
        description = "An event loop for the JVM on libuv: what it is here, and how fast.",
        versionProvider = Program.Version.class,
        mixinStandardHelpOptions = true)
final class Program implements Runnable {
    static final String NAME = "uvloop4j";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    private Program() {}

    /** Runs a command; returns its exit status. */
    static int run(String[] args, PrintWriter out, PrintWriter err) {
        var program = new CommandLine(new Program());
        for (var command : commands(args)) {
            program.addSubcommand(command);
        }
        // An argument of an application may begin with @.
        program.setExpandAtFiles(args.length == 0 || !args[0].equals(LaunchCommand.NAME));
        program.setOut(out);
        program.setErr(err);
        program.setParameterExceptionHandler((e, _) -> {
            report(e.getCommandLine(), e.getMessage() + " (see --help)");
            return CommandLine.ExitCode.USAGE;
        });
        program.setExecutionExceptionHandler((e, command, _) -> {
            report(command, Failures.describe(e));
            return CommandLine.ExitCode.SOFTWARE;
        });
        return program.execute(args);
    }

    /** Only the command that is asked for, so that a server's start does not wait for the description of the others. */
    private static List<Object> commands(String[] args) {
        return switch (args.length == 0 ? "" : args[0]) {
            case EchoServerCommand.NAME -> List.of(new EchoServerCommand());
            case EchoClientCommand.NAME -> List.of(new EchoClientCommand());
            case EchoWorkerCommand.NAME -> List.of(new EchoWorkerCommand());
            case EchoLoadCommand.NAME -> List.of(new EchoLoadCommand());
            case NeighbourCommand.NAME -> List.of(new NeighbourCommand());
            case InfoCommand.NAME -> List.of(new InfoCommand());
            case TopologyCommand.NAME -> List.of(new TopologyCommand());
            case TopCommand.NAME -> List.of(new TopCommand());
            case DoctorCommand.NAME -> List.of(new DoctorCommand());
            case LaunchCommand.NAME -> List.of(LaunchCommand.parser());
            default ->
                List.of(
                        new InfoCommand(),
                        new TopologyCommand(),
                        LaunchCommand.parser(),
                        new TopCommand(),
                        new DoctorCommand(),
                        new EchoServerCommand(),
                        new EchoClientCommand(),
                        new EchoBenchCommand());
        };
    }

    /** How another JVM of this program is started. */
    static ChildJvm childJvm() {
        return new ChildJvm(Main.class, List.of(CommandLine.class, Histogram.class, EventLoop.class));
    }

    private static void report(CommandLine command, String message) {
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + Failures.oneLine(message));
    }

    /** Reached without a command only. */
    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "no command: give one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    /** The version from the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {String.format(Locale.ROOT, "%s %s", NAME, version())};
        }

        /** The version of this build. */
        static String version() {
            return Optional.ofNullable(Program.class.getPackage().getImplementationVersion())
                    .orElse("development build");
        }
    }
}
