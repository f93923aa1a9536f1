package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.cli.launch.ApplicationMain;
import io.github.uvloop4j.cli.launch.LaunchTarget;
import io.github.uvloop4j.cli.launch.LaunchedJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code launch}: an application on a group of loops, in a JVM of its own. */
@Command(
        name = LaunchCommand.NAME,
        description =
                "Runs an application on loops that are pinned to CPUs, in a JVM of its own. Prints which loop runs"
                        + " where, passes SIGTERM, SIGINT and SIGHUP on (the second of SIGTERM and SIGINT kills), and exits with"
                        + " the application's status.",
        mixinStandardHelpOptions = true)
final class LaunchCommand implements Callable<Integer> {
    static final String NAME = "launch";

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private GroupFlags group = new GroupFlags();

    @Option(
            names = {"--class-path", "-cp"},
            paramLabel = "PATH",
            description = "Where the application's classes and jars are (the variable CLASSPATH, or the current"
                    + " directory).")
    private @Nullable String classPath;

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "An option of the application's JVM, such as -Xmx1g; again for each more.")
    private List<String> jvmOptions = new ArrayList<>();

    @Option(names = "--json", description = "Print which loop runs where as JSON.")
    private boolean json;

    @Parameters(
            index = "0",
            paramLabel = "CLASS|JAR",
            description =
                    "A class that implements LoopApplication or has a main method, or a jar with such a main class.")
    @SuppressWarnings("NullAway.Init")
    private String application;

    @Parameters(index = "1..*", paramLabel = "ARGS", description = "The application's own arguments.")
    private List<String> arguments = new ArrayList<>();

    /** The command as the parser needs it: what follows the application belongs to that. */
    static CommandLine parser() {
        return new CommandLine(new LaunchCommand())
                .setStopAtPositional(true)
                .setPosixClusteredShortOptionsAllowed(false);
    }

    @Override
    public Integer call() throws Exception {
        try {
            group.checked();
            var target = LaunchTarget.of(application, classPath, standardClassPath());
            return new LaunchedJvm(command(target)).run();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CliFailure("the application's JVM: " + e.getMessage());
        }
    }

    private static String standardClassPath() {
        return Optional.ofNullable(System.getenv("CLASSPATH"))
                .filter(path -> !path.isEmpty())
                .orElse(".");
    }

    private List<String> command(LaunchTarget target) {
        var options = new ArrayList<String>();
        // The application shall see what an unpinned thread sees, on whichever thread it asks first.
        options.add("-XX:ActiveProcessorCount=" + Affinity.availableProcessors());
        group.properties().forEach((name, value) -> options.add("-D" + name + '=' + value));
        options.add("-Duvloop4j.shutdownHook=true");
        options.add("-Duvloop4j.layout=" + (json ? "json" : "text"));
        options.add("-Duvloop4j.launcher=" + ProcessHandle.current().pid());
        options.addAll(target.flags());
        options.addAll(jvmOptions);
        var words = new ArrayList<String>();
        words.add(target.mainClass());
        words.addAll(arguments);
        return Program.childJvm().command(ApplicationMain.class, options, target.classPath(), words);
    }
}
