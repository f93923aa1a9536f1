package io.github.uvloop4j.cli.server;

import io.github.uvloop4j.net.ServerOptions;

/** The same room for clients that connect at once, in each server. */
final class Backlog {
    static final int SIZE = 1024;

    private Backlog() {}

    static ServerOptions options() {
        return ServerOptions.defaults().backlog(SIZE);
    }
}
