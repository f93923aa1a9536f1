package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Until;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A loop that waits in the kernel, and the rest of the JVM. */
@Timeout(60)
class PollingTest {
    @Test
    void collectorDoesNotWaitForAnIdleLoop() throws Exception {
        var loop = EventLoop.create().start();
        Until.holds("the loop runs", loop::isRunning);
        var collected = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 5; i++) {
                System.gc();
            }
        });
        collected.get(30, TimeUnit.SECONDS);
        assertThat(loop.submit(() -> 1).get(30, TimeUnit.SECONDS)).isEqualTo(1);
        loop.close();
    }

    @Test
    void collectorRunsWhileConnectionsAreBusy() throws Exception {
        var loop = EventLoop.create().start();
        var bytes = loop.submit(() -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var client = loop.net().openConnection("127.0.0.1", listener.port());
                    var server = listener.accept()) {
                loop.spawn(() -> {
                    for (int i = 0; i < 300; i++) {
                        client.write(new byte[10_000]);
                    }
                    client.shutdownOutput();
                });
                return server.readAll().length;
            }
        });
        for (int i = 0; i < 10; i++) {
            System.gc();
        }
        assertThat(bytes.get(30, TimeUnit.SECONDS)).isEqualTo(3_000_000);
        loop.close();
    }

    @Test
    @ExtendWith(LoopExtension.class)
    void virtualThreadMayNotRunALoop(EventLoop loop) throws Exception {
        var refused = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                loop.runForever();
                refused.complete(false);
            } catch (Throwable error) {
                refused.completeExceptionally(error);
            }
        });
        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("platform thread");
    }
}
