package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Throwables;
import java.io.IOException;

/** Waiting in a task for a future of ours, which fails with IOException or unchecked. */
final class Linear {
    private Linear() {}

    static <T> T await(LoopFuture<T> future) throws IOException {
        try {
            return future.await();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw Throwables.<RuntimeException>sneak(e);
        }
    }
}
