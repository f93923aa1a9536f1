package io.github.uvloop4j;

import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.transport.ServerLinks;
import java.util.List;

/** Decides which server of a group serves a connection that one of them has accepted. */
final class GroupRouter implements ServerLinks.Router {
    /** So many connections more than another loop has, and a quarter more, are clearly more. */
    private static final int SLACK = 4;

    private final List<Server> servers;
    private final int here;
    private final boolean inTurn;
    private final boolean balanced;
    private int turn;

    GroupRouter(List<Server> servers, int here, boolean inTurn, boolean balanced) {
        this.servers = List.copyOf(servers);
        this.here = here;
        this.inTurn = inTurn;
        this.balanced = balanced;
    }

    @Override
    public Server route() {
        int standard = inTurn ? nextInTurn() : here;
        if (!balanced) {
            return servers.get(standard);
        }
        int least = standard;
        for (int i = 0; i < servers.size(); i++) {
            if (load(i) < load(least)) {
                least = i;
            }
        }
        boolean clearly = inTurn || load(standard) > load(least) + SLACK + load(least) / 4;
        return servers.get(clearly ? least : standard);
    }

    private int load(int index) {
        return ServerLinks.load(servers.get(index));
    }

    private int nextInTurn() {
        int now = turn;
        turn = now + 1 == servers.size() ? 0 : now + 1;
        return now;
    }
}
