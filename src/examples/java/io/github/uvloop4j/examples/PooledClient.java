package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.Connection;
import io.github.uvloop4j.pool.ConnectionPool;
import io.github.uvloop4j.pool.PoolOptions;
import java.time.Duration;
import java.util.stream.IntStream;

/** Sends a thousand lines to one of the echo servers over eight connections that are used again and again. */
public final class PooledClient {
    private PooledClient() {}

    /** Talks to port 7000. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            var options = PoolOptions.defaults().maxSize(8).maxIdleTime(Duration.ofSeconds(20));
            try (var pool = new ConnectionPool<>(() -> loop.net().openConnection("127.0.0.1", 7000), options)) {
                var replies = IntStream.range(0, 1000)
                        .mapToObj(i ->
                                loop.spawn(() -> pool.<String>call(connection -> echo(connection, "hello " + i))))
                        .toList();
                for (var reply : replies) {
                    reply.await();
                }
                System.out.println(replies.getLast().result() + ", " + pool.statistics());
                lease(pool);
            }
        });
    }

    /** The same with a lease, for an exchange that is not one call. */
    private static void lease(ConnectionPool<Connection> pool) throws Exception {
        try (var lease = pool.acquire(Duration.ofSeconds(2))) {
            System.out.println(echo(lease.connection(), "by hand"));
            lease.release(); // the reply is complete: without this, close() ends the connection
        }
    }

    private static String echo(Connection connection, String line) throws Exception {
        connection.write(line + "\n");
        var reply = connection.readLine();
        if (reply == null) {
            throw new java.io.EOFException("the server has closed the connection");
        }
        return reply;
    }
}
