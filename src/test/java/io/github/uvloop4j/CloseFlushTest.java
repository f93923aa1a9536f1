package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was written to a connection before its close outlives the loop's close. */
@ExtendWith(LoopExtension.class)
class CloseFlushTest {
    private static final int SIZE = 16 << 20;

    @Test
    @Tag("cells")
    void whatWasWrittenBeforeCloseIsSent(EventLoop loop) throws Exception {
        var mayRead = new CountDownLatch(1);
        var peer = Peers.server(socket -> {
            mayRead.await();
            return socket.getInputStream().readAllBytes().length;
        });
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            connection.writeBufferLimits(WriteLimits.high(2 * SIZE));
            connection.write(new byte[SIZE]);
            connection.close();
        });
        mayRead.countDown();
        loop.close();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(SIZE);
    }

    @Test
    void peerThatNeverReadsDoesNotHoldUpTheCloseForEver() throws Exception {
        var ended = new CountDownLatch(1);
        var peer = Peers.server(socket -> {
            ended.await();
            return null;
        });
        var loop = EventLoop.create(LoopOptions.defaults().closeTimeout(Duration.ofMillis(200)));
        loop.run(() -> {
            var connection = loop.net().openConnection("127.0.0.1", peer.port());
            connection.writeBufferLimits(WriteLimits.high(2 * SIZE));
            connection.write(new byte[SIZE]);
            connection.close();
        });
        loop.close();
        ended.countDown();
        assertThat(loop.isClosed()).isTrue();
    }
}
