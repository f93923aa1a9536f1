package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a connection says that nothing is under way, which is what a pool goes by. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ConnectionIdleTest {
    private interface Use {
        void with(Connection connection, CompletableFuture<String> peerEnds) throws Exception;
    }

    /** A connection to a peer that sends some text and ends its side when it is told so. */
    private static void connected(EventLoop loop, String greeting, Use use) throws Exception {
        var peerEnds = new CompletableFuture<String>();
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(greeting.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            peerEnds.join();
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes().length;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("127.0.0.1", peer.port())) {
                use.with(connection, peerEnds);
            } finally {
                peerEnds.complete("it is over");
            }
        });
        peer.result().join();
    }

    private static void turnUntilNotIdle(EventLoop loop, Connection connection) throws Exception {
        while (connection.isIdle()) {
            var turn = new LoopFuture<String>();
            loop.callSoon(() -> turn.complete("over"));
            turn.await();
        }
    }

    @Test
    void aFreshConnectionIsIdle(EventLoop loop) throws Exception {
        connected(
                loop,
                "",
                (connection, peerEnds) -> assertThat(connection.isIdle()).isTrue());
    }

    @Test
    void itIsNotWithUnreadBytesAndIsAgainOnceTheyAreRead(EventLoop loop) throws Exception {
        connected(loop, "hello\n", (connection, peerEnds) -> {
            turnUntilNotIdle(loop, connection);
            assertThat(connection.readLine()).isEqualTo("hello");
            assertThat(connection.isIdle()).isTrue();
        });
    }

    @Test
    void itIsNotWhileATaskReads(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            var reader = loop.spawn(connection::readLine);
            var turn = loop.<String>createFuture();
            loop.callSoon(() -> turn.complete("over"));
            turn.await();
            assertThat(connection.isIdle()).isFalse();
            peerEnds.complete("now");
            assertThat(reader.await()).isNull();
        });
    }

    @Test
    void itIsNotOnceThePeerHasEnded(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            assertThat(connection.isIdle()).isTrue();
            peerEnds.complete("now");
            turnUntilNotIdle(loop, connection);
            assertThat(connection.isClosing()).isFalse();
        });
    }

    @Test
    void itIsNotWhileSomethingWaitsToBeSent(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            connection.writeBufferLimits(new WriteLimits(64 << 20, 0));
            connection.write(new byte[32 << 20]);
            assertThat(connection.writeBufferSize()).isPositive();
            assertThat(connection.isIdle()).isFalse();
            peerEnds.complete("now");
            connection.flush();
        });
    }

    @Test
    void itIsNotWithAnEndedWritingSide(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            connection.shutdownOutput();
            assertThat(connection.isIdle()).isFalse();
        });
    }

    @Test
    void itIsNotOnceItIsClosed(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            connection.close();
            assertThat(connection.isIdle()).isFalse();
        });
    }

    @Test
    void onlyTheLoopMayAsk(EventLoop loop) throws Exception {
        connected(loop, "", (connection, peerEnds) -> {
            var elsewhere = loop.runInExecutor(connection::isIdle);
            assertThatThrownBy(elsewhere::await).isInstanceOf(IllegalStateException.class);
        });
    }
}
