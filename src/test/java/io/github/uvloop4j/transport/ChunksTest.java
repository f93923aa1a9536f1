package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.net.WriteLimits;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LoopExtension.class)
class ChunksTest {
    @Test
    void aChunkTakesWhatFitsAndLeavesTheRest() {
        var chunks = new Chunks();
        var chunk = chunks.take();
        var source = ByteBuffer.allocate(Chunks.SIZE + 10);
        assertThat(chunk.fill(source)).isEqualTo(Chunks.SIZE);
        assertThat(source.remaining()).isEqualTo(10);
        assertThat(chunk.room()).isZero();
        assertThat(chunk.fill(source)).isZero();
        assertThat(chunk.size()).isEqualTo(Chunks.SIZE);
        chunks.give(chunk);
        assertThat(chunks.take().size()).as("a chunk comes back empty").isZero();
        chunks.close();
    }

    @Test
    void moreThanThePoolKeepsMayBeTakenAndGivenBackInAnyOrder() {
        var chunks = new Chunks();
        for (int round = 0; round < 3; round++) {
            var taken = new ArrayList<Chunks.Chunk>();
            for (int i = 0; i < 100; i++) {
                taken.add(chunks.take());
                taken.getLast().fill(ByteBuffer.wrap(new byte[] {(byte) i}));
            }
            assertThat(taken).doesNotHaveDuplicates();
            assertThat(chunks.taken()).isEqualTo(100);
            for (int i = 0; i < 100; i++) {
                assertThat(taken.get(i).memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                        .isEqualTo((byte) i);
                chunks.give(taken.get(i));
            }
            assertThat(chunks.taken()).isZero();
        }
        var late = chunks.take();
        chunks.close();
        chunks.give(late);
        assertThat(chunks.taken()).isZero();
    }

    @Test
    void everyChunkComesBackHoweverAConnectionEnds(EventLoop loop) throws Exception {
        for (int way = 0; way < 4; way++) {
            int chosen = way;
            var gate = new CompletableFuture<Void>();
            var peer = Peers.server(socket -> {
                gate.get(30, TimeUnit.SECONDS);
                if (chosen == 3) {
                    socket.setSoLinger(true, 0);
                    return 0;
                }
                try {
                    return socket.getInputStream().readAllBytes().length;
                } catch (java.net.SocketException reset) {
                    return -1;
                }
            });
            loop.run(() -> {
                var connection = loop.net().openConnection("127.0.0.1", peer.port());
                var chunks = ((StreamBase) connection).io.chunks();
                connection.writeBufferLimits(WriteLimits.high(1 << 30));
                connection.write(new byte[16 << 20]);
                var first = loop.createFuture();
                loop.callSoon(() -> first.complete(true));
                first.await();
                connection.write(new byte[1 << 20]);
                assertThat(chunks.taken()).isPositive();
                switch (chosen) {
                    case 0 -> connection.close();
                    case 1 -> connection.abort();
                    case 2 -> connection.reset();
                    default -> {}
                }
                gate.complete(null);
                connection.waitClosed().await(java.time.Duration.ofSeconds(30));
                var settled = loop.createFuture();
                loop.callLater(java.time.Duration.ofMillis(1), () -> settled.complete(true));
                settled.await();
                assertThat(chunks.taken()).as("way " + chosen).isZero();
            });
        }
    }
}
