package io.github.uvloop4j.cli;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.cli.bench.Cell;
import io.github.uvloop4j.cli.bench.LoopSettings;
import io.github.uvloop4j.cli.process.Taskset;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Whether pinned and unpinned loops are compared, and how many. */
final class BenchLoops {
    private static final List<Integer> ONE = List.of(1);

    @Option(
            names = "--pinning",
            description = {
                "Compare servers on pinned and on unpinned loops: NAME-pinned and NAME. Shows migrations and context"
                        + " switches of the loop threads, too. Neither server nor client is pinned as a whole, except"
                        + " the client by --pin-client."
            })
    private boolean pinning;

    @Option(
            names = "--loops",
            paramLabel = "N",
            split = ",",
            description = "Numbers of loops of each server with --pinning (1).")
    private List<Integer> loops = List.of();

    @Option(
            names = "--neighbour",
            description =
                    "With --pinning, everything once more beside a noisy neighbour: a busy process on each CPU that"
                            + " loops are pinned to.")
    private boolean neighbour;

    boolean areCompared() {
        return pinning;
    }

    /** Refuses what does not go together, and more loops than there are CPUs. */
    LoopSettings settings(CommandLine command) {
        RequestOptions.require(command, pinning || loops.isEmpty(), "--loops needs --pinning");
        RequestOptions.require(command, pinning || !neighbour, "--neighbour needs --pinning");
        if (!pinning) {
            return LoopSettings.NONE;
        }
        var allowed = Affinity.allowed();
        for (var count : loops) {
            RequestOptions.require(command, count >= 1, "--loops must be at least 1");
            RequestOptions.require(command, count <= allowed.size(), tooMany(count, allowed));
        }
        if (allowed.size() < 2) {
            throw new CliFailure("--pinning needs two CPUs or more: on CPU " + allowed + " alone there is no choice");
        }
        if (neighbour && Taskset.program().isEmpty()) {
            throw new CliFailure("--neighbour needs the program taskset (package util-linux)");
        }
        var busy = Program.childJvm()
                .command(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), List.of(NeighbourCommand.NAME));
        return new LoopSettings(allowed, busy);
    }

    private static String tooMany(int loops, CpuSet allowed) {
        return "--loops " + loops + ": more than the " + allowed.size() + " CPUs that this process may use (" + allowed
                + ")";
    }

    /** A load with each number of loops, and once more with neighbours if asked for. */
    Stream<Cell> cells(int size, int connections, int inFlight) {
        if (!pinning) {
            return Stream.of(new Cell(size, connections, inFlight));
        }
        var quiet = (loops.isEmpty() ? ONE : loops)
                .stream().distinct().map(count -> new Cell(size, connections, inFlight, count, false));
        return neighbour
                ? quiet.flatMap(cell -> Stream.of(cell, new Cell(size, connections, inFlight, cell.loops(), true)))
                : quiet;
    }
}
