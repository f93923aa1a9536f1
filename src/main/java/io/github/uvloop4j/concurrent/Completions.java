package io.github.uvloop4j.concurrent;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Futures in the order in which they end. */
final class Completions<F extends LoopFuture<?>> implements Iterable<F> {
    private final List<F> futures;

    Completions(List<F> futures) {
        this.futures = futures;
    }

    @Override
    public Iterator<F> iterator() {
        var iterator = new InOrder<F>(futures.size());
        // Who leaves the iteration early says so to nobody: a future that goes on must not keep what the others gave.
        var kept = new WeakReference<>(iterator);
        for (var future : futures) {
            new Notice(future, ended -> {
                        var told = kept.get();
                        if (told != null) {
                            told.ended(future);
                        }
                    })
                    .attach();
        }
        return iterator;
    }

    private static final class InOrder<F extends LoopFuture<?>> implements Iterator<F> {
        private final Queue<F> ended = new ConcurrentLinkedQueue<>();
        private final @Nullable LoopContext loop = LoopContext.current();
        private volatile @Nullable LoopFuture<@Nullable Void> news;
        private int left;

        InOrder(int left) {
            this.left = left;
        }

        void ended(F future) {
            ended.add(future);
            var waited = news;
            if (waited != null) {
                waited.complete(null);
            }
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public F next() {
            if (left == 0) {
                throw new NoSuchElementException("all futures have come");
            }
            var next = ended.poll();
            while (next == null) {
                var waited = new LoopFuture<@Nullable Void>(loop);
                news = waited;
                next = ended.poll();
                if (next == null) {
                    await(waited);
                    next = ended.poll();
                }
            }
            left--;
            return next;
        }

        private static void await(LoopFuture<?> waited) {
            try {
                waited.await();
            } catch (Exception cancelled) {
                throw Throwables.<RuntimeException>sneak(cancelled);
            }
        }
    }
}
