package io.github.uvloop4j.transport;

import io.github.uvloop4j.uv.UvStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a server makes of the connections that it takes. Loop thread only. */
interface StreamClients {
    /** A connection as its server sees it. */
    interface Client {
        /** Ends it once what was written has gone out. */
        void closeGracefully();

        /** Ends it at once. */
        void abortNow();
    }

    /**
     * Serves a connection, which passes to the client; null when that failed, which was reported.
     *
     * @param number 1 for the first of the server
     * @param gone called in a later turn, when the client has ended
     * @param creation where the server was made, in debug mode
     */
    @Nullable
    Client serve(UvStream stream, long number, Consumer<Client> gone, @Nullable Throwable creation);
}
