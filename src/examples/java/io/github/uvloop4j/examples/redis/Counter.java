package io.github.uvloop4j.examples.redis;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.ArrayList;

/** Counts to ten thousand on a Redis server, with all commands under way at once. */
public final class Counter {
    private Counter() {}

    /** Talks to the port that is given, or 6379. */
    public static void main(String[] args) throws Exception {
        int port = args.length == 0 ? 6379 : Integer.parseInt(args[0]);
        EventLoop.run(loop -> {
            try (var redis = new RedisClient(loop, "127.0.0.1", port)) {
                redis.send("SET", "counter", "0").await();
                var replies = new ArrayList<LoopFuture<Reply>>();
                for (int i = 0; i < 10_000; i++) {
                    replies.add(redis.send("INCR", "counter"));
                }
                var counts = Combine.gather(replies).await();
                System.out.println("counted to " + counts.getLast().number());
            }
        });
    }
}
