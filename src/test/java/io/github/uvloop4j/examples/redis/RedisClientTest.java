package io.github.uvloop4j.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The client with a real redis-server. */
@Tag("peers")
@Timeout(120)
@ExtendWith(LoopExtension.class)
class RedisClientTest {
    @TempDir
    private Path folder;

    /** What a test does with a client. */
    private interface Script {
        void run(RedisServer server, RedisClient redis) throws Exception;
    }

    /** What blocks. */
    private interface Step {
        void run() throws Exception;
    }

    /** Not on a virtual thread, whose first use of a socket opens descriptors that stay. */
    private static void elsewhere(Step step) throws Exception {
        LoopFuture.from(CompletableFuture.runAsync(() -> {
                    try {
                        step.run();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }))
                .await();
    }

    private void with(EventLoop loop, Script script, String... options) throws Exception {
        try (var server = new RedisServer(folder, options)) {
            loop.run(() -> {
                try (var redis = new RedisClient(loop, "127.0.0.1", server.port())) {
                    script.run(server, redis);
                }
            });
        }
    }

    @Test
    void valuesComeBackAsTheyWere(EventLoop loop) throws Exception {
        var value = new byte[5_000_000];
        new Random(1).nextBytes(value);
        with(loop, (server, redis) -> {
            var set = "SET".getBytes(StandardCharsets.UTF_8);
            var key = "a key".getBytes(StandardCharsets.UTF_8);
            assertThat(redis.send(set, key, value).await().text()).isEqualTo("OK");
            var reply = (Reply.Blob) redis.send("GET", "a key").await();
            assertThat(Arrays.equals(reply.bytes(), value)).isTrue();
            assertThat(redis.send("GET", "another").await()).isEqualTo(Reply.NIL);
        });
    }

    @Test
    void repliesHaveTheirKind(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            redis.send("HSET", "h", "field", "1");
            redis.send("ZADD", "z", "2.5", "member");
            assertThat(redis.send("HGETALL", "h").await().items())
                    .extracting(Reply::text)
                    .containsExactly("field", "1");
            assertThat(redis.send("ZSCORE", "z", "member").await()).isEqualTo(new Reply.Real(2.5));
            var nested = redis.send("EVAL", "return {1, {2, 'x', {}}, false}", "0")
                    .await()
                    .items();
            assertThat(nested.get(1).items().get(1).text()).isEqualTo("x");
            assertThat(nested.get(2)).isEqualTo(Reply.NIL);
            redis.send("HELLO", "2").await(); // from here on the older version
            assertThat(redis.send("HGETALL", "h").await().items())
                    .extracting(Reply::text)
                    .containsExactly("field", "1");
            assertThat(redis.send("ZSCORE", "z", "member").await().text()).isEqualTo("2.5");
            assertThat(redis.send("GET", "nothing").await()).isEqualTo(Reply.NIL);
        });
    }

    @Test
    void thousandsOfCommandsAreUnderWayAtOnce(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            var replies = new ArrayList<LoopFuture<Reply>>();
            for (int i = 0; i < 20_000; i++) {
                replies.add(redis.send("INCR", "counter"));
            }
            var counts = Combine.gather(replies).await();
            for (int i = 0; i < counts.size(); i++) {
                assertThat(counts.get(i).number()).isEqualTo(i + 1);
            }
        });
    }

    @Test
    void aUnixSocketServesAsWell(EventLoop loop) throws Exception {
        var path = folder.resolve("redis.sock");
        try (var server = new RedisServer(folder, "--unixsocket", path.toString())) {
            loop.run(() -> {
                try (var redis = new RedisClient(loop, UnixDomainSocketAddress.of(path))) {
                    var port = redis.send("CONFIG", "GET", "port").await().items();
                    assertThat(port.getLast().number()).isEqualTo(server.port());
                }
            });
        }
    }

    @Test
    void aFailureIsOneCommandsOwn(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            redis.send("SET", "text", "x");
            var wrong = redis.send("INCR", "text");
            var right = redis.send("APPEND", "text", "y");
            assertThat(right.await().number()).isEqualTo(2);
            assertThatThrownBy(wrong::await).isInstanceOf(RedisException.class).hasMessageStartingWith("ERR");
        });
    }

    @Test
    void whoCancelsDoesNotShiftTheOthers(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            redis.send("PING").await();
            var first = redis.send("ECHO", "first");
            var second = redis.send("ECHO", "second");
            first.cancel();
            assertThat(second.await().text()).isEqualTo("second");
        });
    }

    @Test
    void aLostConnectionIsReplaced(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            var heard = new ArrayList<String>();
            redis.subscribe("news", heard::add);
            redis.send("PUBLISH", "news", "one").await();
            var underWay = redis.send("BLPOP", "never", "0");
            redis.send("PING"); // answered only after it
            elsewhere(server::kill);
            assertThatThrownBy(underWay::await)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("whether the command was executed is unknown");
            var waits = redis.send("SET", "key", "value");
            assertThatThrownBy(() -> waits.await(Duration.ofMillis(100)));
            elsewhere(server::start);
            assertThat(waits.await().text()).isEqualTo("OK");
            assertThat(redis.send("GET", "key").await().text()).isEqualTo("value");
            assertThat(redis.connections()).isEqualTo(2);
            redis.send("PUBLISH", "news", "two").await();
            while (heard.size() < 2) {
                Task.sleep(Duration.ofMillis(1));
            }
            assertThat(heard).containsExactly("one", "two");
        });
    }

    @Test
    void aRefusedSubscriptionLeavesTheOtherRepliesInTheirPlaces(EventLoop loop) throws Exception {
        with(loop, (server, redis) -> {
            redis.send("ACL", "SETUSER", "default", "-subscribe").await();
            var before = redis.send("ECHO", "before");
            var refused = redis.subscribe("news", text -> {});
            var after = redis.send("ECHO", "after");
            assertThat(before.await().text()).isEqualTo("before");
            assertThatThrownBy(refused::await)
                    .isInstanceOf(RedisException.class)
                    .hasMessageContaining("NOPERM");
            assertThat(after.await().text()).isEqualTo("after");
            redis.send("ACL", "SETUSER", "default", "+subscribe").await();
            redis.subscribe("news", text -> {}).await();
            assertThat(redis.send("ECHO", "end").await().text()).isEqualTo("end");
        });
    }

    @Test
    void aServerThatWantsAPasswordIsNotAskedForEver(EventLoop loop) throws Exception {
        with(
                loop,
                (server, redis) -> {
                    assertThatThrownBy(() -> redis.send("PING").await())
                            .isInstanceOf(RedisException.class)
                            .hasMessageStartingWith("NOAUTH");
                    assertThatThrownBy(() -> redis.send("PING")).isInstanceOf(IllegalStateException.class);
                },
                "--requirepass",
                "secret");
    }

    @Test
    void whatWaitsAtTheEndFails(EventLoop loop) throws Exception {
        loop.run(() -> {
            var redis = new RedisClient(loop, "127.0.0.1", 1); // nobody listens there
            var waits = redis.send("PING");
            redis.close();
            assertThatThrownBy(waits::await).hasMessage("the client is closed");
        });
    }

    @Test
    void theCounterCounts() throws Exception {
        try (var server = new RedisServer(folder)) {
            var result = new ChildJvm().run(Counter.class, "" + server.port());
            assertThat(result.output()).isEqualTo("counted to 10000\n");
        }
    }
}
