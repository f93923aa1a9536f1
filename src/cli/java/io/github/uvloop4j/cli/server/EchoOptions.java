package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.tls.ServerTls;
import org.jspecify.annotations.Nullable;

/**
 * What an echo server is asked for besides its mode.
 *
 * @param tls what secures its connections; null for nothing
 * @param debug whether its loops run in debug mode
 */
public record EchoOptions(@Nullable ServerTls tls, boolean debug) {
    /** Neither. */
    public static final EchoOptions PLAIN = new EchoOptions(null, false);

    /** The same room for clients that connect at once, in each server. */
    static final int BACKLOG = 1024;

    ServerOptions server() {
        var options = ServerOptions.defaults().backlog(BACKLOG);
        return tls == null ? options : options.tls(tls);
    }

    LoopOptions loop() {
        var defaults = LoopOptions.defaults();
        return debug ? defaults.debug(true) : defaults;
    }

    /** A loop with these options. */
    EventLoop newLoop() {
        return EventLoop.create(loop());
    }

    /** Runs a task on a loop of its own, until it ends. */
    void run(EventLoop.Main main) throws Exception {
        try (var loop = newLoop()) {
            loop.run(() -> main.run(loop));
        }
    }
}
