package io.github.uvloop4j.cli;

import io.github.uvloop4j.cli.process.StdinWatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code neighbour}: keeps one CPU busy until its standard input ends. It prints {@code busy} when it begins. */
@Command(name = NeighbourCommand.NAME, hidden = true, mixinStandardHelpOptions = true)
final class NeighbourCommand implements Runnable {
    static final String NAME = "neighbour";

    /** A step of a generator of random numbers; odd numbers stay odd, so that it never comes to an end. */
    private static final long FACTOR = 6_364_136_223_846_793_005L;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        StdinWatch.exitAtEnd();
        var out = spec.commandLine().getOut();
        out.println("busy");
        out.flush();
        var number = 1L;
        while (number != 0) {
            number *= FACTOR;
        }
    }
}
