package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.StdinWatch;
import java.io.PrintStream;
import java.io.PrintWriter;

/** The program's entry. It does not touch picocli itself, which costs a server's start more than the JVM does. */
public final class Main {
    private Main() {}

    /** Runs a command and exits with its status: 0, 1 for a failure, 2 for bad arguments. */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(PlainServer.NAME)) {
            StdinWatch.exitAtEnd();
        }
        var server = PlainServer.of(args);
        System.exit(
                server == null
                        ? Program.run(args, writer(System.out), writer(System.err))
                        : server.run(System.out, System.err));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
