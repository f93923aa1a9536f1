package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.Server;
import java.io.IOException;

/** What servers on several loops, which serve one address together, ask of each of them. */
public final class ServerLinks {
    /** Chooses who serves a connection that a server has accepted: that server, or one of another loop. Loop thread. */
    @FunctionalInterface
    public interface Router {
        /** The server to serve it. */
        Server route();
    }

    private ServerLinks() {}

    /** Lets a router choose who serves what a server accepts. Loop thread only, before it starts serving. */
    public static void route(Server server, Router router) {
        of(server).route(router);
    }

    /** How many connections a server has, those included that are on their way to it. Any thread. */
    public static int load(Server server) {
        return of(server).load();
    }

    /** Prefers a server for connections that a CPU handles. Loop thread only, before it starts serving. */
    public static void incomingCpu(Server server, int cpu) throws IOException {
        for (int fd : of(server).descriptors()) {
            Steering.incomingCpu(fd, cpu);
        }
    }

    /**
     * Has the kernel choose among servers that share their port by the CPU that handles a connection. On the loop of the
     * server that is to start serving first, before it does; the others start in the order of their index.
     *
     * @param serverOfCpu the index of the server for each CPU from 0; -1 for none in particular
     * @throws IllegalArgumentException when that takes a longer program than the kernel allows
     */
    public static void program(Server server, int[] serverOfCpu, int servers) throws IOException {
        for (int fd : of(server).descriptors()) {
            Steering.program(fd, serverOfCpu, servers);
        }
    }

    private static StreamServer of(Server server) {
        return (StreamServer) server;
    }
}
