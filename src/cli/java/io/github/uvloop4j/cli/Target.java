package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.observe.LiveSource;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** What {@code top} and {@code doctor} look at, as it was typed. */
final class Target {
    /** How often something is looked at while time passes. */
    static final Duration TICK = Duration.ofMillis(250);

    /** A loop tells its numbers each second, and the recorder hands them on each second. */
    private static final Duration FIRST_LOOP_LIMIT = Duration.ofSeconds(8);

    private Target() {}

    /** The process id that it is; empty if it is something else. */
    static OptionalLong pid(String text) {
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    /** The file that it is. */
    static Path file(CommandLine command, String text) {
        try {
            var file = Path.of(text);
            RequestOptions.require(
                    command, Files.exists(file), "'" + text + "' is neither a process id nor a file that exists");
            RequestOptions.require(command, !Files.isDirectory(file), "'" + text + "' is a directory");
            return file;
        } catch (InvalidPathException _) {
            throw new CommandLine.ParameterException(command, "'" + text + "' is neither a process id nor a file");
        }
    }

    /** Waits until a loop was seen. */
    static void awaitLoops(LiveSource source, long pid) throws InterruptedException {
        var begin = System.nanoTime();
        while (!source.hasLoops()) {
            if (source.await(TICK)) {
                throw new CliFailure("process " + pid + " has ended");
            }
            if (System.nanoTime() - begin > FIRST_LOOP_LIMIT.toNanos()) {
                throw new CliFailure("process " + pid + " has no loop of uvloop4j, or one that does not tell"
                        + " (an older version, or -Duvloop4j.jfr=false)" + children(pid));
            }
        }
    }

    /** A launcher has its program in a JVM of its own. */
    private static String children(long pid) {
        var jvms = ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(child -> child.info()
                        .command()
                        .map(name -> name.endsWith("/java"))
                        .orElse(false))
                .map(child -> Long.toString(child.pid()))
                .collect(Collectors.joining(", "));
        return jvms.isEmpty() ? "" : "; it has started other JVMs: " + jvms;
    }

    /** Whether standard output takes characters beyond ASCII. */
    static boolean canPrintBlocks() {
        Charset charset = System.out.charset();
        return charset.newEncoder().canEncode('█');
    }
}
