package io.github.uvloop4j.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The client with servers of another kind. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class RedisStrangersTest {
    private static final String HELLO = "%1\r\n$5\r\nproto\r\n:3\r\n";

    private static Peers.Listening<String> answering(String... answers) throws Exception {
        return Peers.server(socket -> {
            var heard = new byte[1000];
            for (var answer : answers) {
                assertThat(socket.getInputStream().read(heard)).isPositive();
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            }
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
            return "";
        });
    }

    @Test
    void garbageInPlaceOfAGreetingEndsTheClient(EventLoop loop) throws Exception {
        var server = answering("HTTP/1.1 400 Bad Request\r\n\r\n");
        loop.run(() -> {
            try (var redis = new RedisClient(loop, "127.0.0.1", server.port())) {
                assertThatThrownBy(() -> redis.send("PING").await())
                        .isInstanceOf(RedisException.class)
                        .hasMessageStartingWith("a reply of unknown kind");
                assertThatThrownBy(() -> redis.send("PING")).hasMessage("the client is closed");
            }
        });
    }

    @Test
    void garbageLaterFailsWhatIsUnderWay(EventLoop loop) throws Exception {
        var server = answering(HELLO, "+PONG\r\nnonsense\r\n");
        loop.run(() -> {
            try (var redis = new RedisClient(loop, "127.0.0.1", server.port())) {
                var first = redis.send("PING");
                var second = redis.send("PING");
                assertThat(first.await().text()).isEqualTo("PONG");
                assertThatThrownBy(second::await).isInstanceOf(RedisException.class);
                assertThat(redis.connections()).isEqualTo(1);
            }
        });
    }
}
