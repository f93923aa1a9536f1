package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.LoopApplication;
import java.util.List;

/** An echo server on all loops of a group: what the command {@code launch} starts. */
public final class PinnedEcho implements LoopApplication {
    @Override
    public int run(EventLoopGroup group, List<String> arguments) throws Exception {
        int port = arguments.isEmpty() ? 7000 : Integer.parseInt(arguments.getFirst());
        var server = group.createServer(EchoProtocol::new, "127.0.0.1", port);
        System.out.println("listening on 127.0.0.1:" + server.port());
        boolean clean = group.awaitShutdown(); // until SIGTERM or SIGINT, and the last connection
        System.out.println("stopped, " + (clean ? "cleanly" : "with connections cut off"));
        return clean ? 0 : 1;
    }
}
