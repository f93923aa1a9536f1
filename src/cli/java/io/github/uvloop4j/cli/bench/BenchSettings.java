package io.github.uvloop4j.cli.bench;

import java.time.Duration;
import java.util.List;

/**
 * A comparison to run.
 *
 * @param over what the messages travel over
 * @param servers to compare, in the order of the first round
 * @param reference name of the server that ratios refer to
 * @param cells the loads
 * @param rounds each server meets each load once a round
 * @param duration of a measurement
 * @param warmupMessages before it
 * @param cold whether the server's start-up and JIT count; then nothing is warmed but the client
 * @param serverCpus CPU list of the servers; empty: not pinned
 * @param clientCpus CPU list of the client; empty: not pinned
 * @param loops for a comparison of pinned and unpinned loops; {@link LoopSettings#NONE} for any other
 * @param budget no further round begins when it would end later than this after the start; zero: no limit
 * @param clientCommand starts the client process; options for the load are appended
 */
public record BenchSettings(
        Over over,
        List<ServerSpec> servers,
        String reference,
        List<Cell> cells,
        int rounds,
        Duration duration,
        long warmupMessages,
        boolean cold,
        String serverCpus,
        String clientCpus,
        LoopSettings loops,
        Duration budget,
        List<String> clientCommand) {

    /** The server that the ratios of a server refer to; of pinned loops that is the same one without pinning. */
    String referenceOf(ServerSpec server) {
        if (!loops.arePinned()) {
            return reference;
        }
        return server.unpinned().isEmpty() ? server.name() : server.unpinned();
    }
}
