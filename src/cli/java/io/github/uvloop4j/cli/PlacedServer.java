package io.github.uvloop4j.cli;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupLayout;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.Steering;
import io.github.uvloop4j.cli.process.Endpoint;
import io.github.uvloop4j.cli.process.Signals;
import io.github.uvloop4j.cli.server.EchoMode;
import io.github.uvloop4j.cli.server.EchoOptions;
import io.github.uvloop4j.cli.server.GroupEcho;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * {@code echo-server} on a group of loops.
 *
 * @param address where to listen
 * @param mode how the server is written
 * @param options how the group is made
 * @param echo what the mode is asked for
 */
record PlacedServer(Endpoint address, EchoMode mode, GroupOptions options, EchoOptions echo) {
    /**
     * Whether a mode can be served in that way.
     *
     * @throws IllegalArgumentException in one line, when it cannot
     */
    static void check(EchoMode mode, GroupOptions options) {
        if (!(mode.server() instanceof GroupEcho echo)) {
            throw new IllegalArgumentException("mode " + mode + " runs on no loops: no CPUs, placement or steering");
        }
        if (!echo.isSteered() && (options.steering() != Steering.HASH || options.rebalance())) {
            throw new IllegalArgumentException(
                    "mode " + mode + " has a listening socket on each loop: no steering but hash, and no rebalance");
        }
    }

    /** Serves until a signal has stopped it, and its connections have ended or run out of time. */
    void serve(BiConsumer<SocketAddress, GroupLayout> listening) {
        var server = (GroupEcho) mode.server();
        var placed = echo.debug() ? options.loop(options.loop().debug(true)) : options;
        try (var group = EventLoopGroup.create(placed)) {
            for (var signal : List.of(Signals.TERM, Signals.INT)) {
                signal.handle(() -> group.shutdownAsync(options.shutdownTimeout()));
            }
            listening.accept(server.listen(group, address.resolve(), echo), group.layout());
            group.awaitShutdown();
        } catch (Exception | LinkageError e) {
            throw new CliFailure(address + ": " + Failures.describe(e));
        }
    }
}
