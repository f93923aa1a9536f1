package io.github.uvloop4j.concurrent;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A future that is made of others. A cancel goes to all of them, and as some may be tasks that clean up, this one ends
 * when all have ended.
 */
final class Joined<T extends @Nullable Object> extends LoopFuture<T> implements Notice.Watcher {
    /** What the end of a source means. */
    @FunctionalInterface
    interface Rule<T extends @Nullable Object> {
        /**
         * May end the joined future, and must when the source is the last; it must not count on having been called for
         * the others.
         */
        void ended(Joined<T> joined, LoopFuture<?> source, boolean last);
    }

    private final String name;
    private final List<? extends LoopFuture<?>> sources;
    private final List<Notice> notices;
    private final AtomicInteger left;
    private final Rule<T> rule;
    private volatile boolean cancelling;

    private Joined(String name, List<? extends LoopFuture<?>> sources, Rule<T> rule) {
        super(LoopContext.current());
        this.name = name;
        this.sources = sources;
        this.rule = rule;
        this.left = new AtomicInteger(sources.size());
        this.notices = sources.stream().map(source -> new Notice(source, this)).toList();
    }

    /** Joins sources, at least one. */
    static <T extends @Nullable Object> Joined<T> of(String name, List<? extends LoopFuture<?>> sources, Rule<T> rule) {
        var joined = new Joined<>(name, sources, rule);
        for (var notice : joined.notices) {
            if (joined.isDone()) {
                break;
            }
            notice.attach();
        }
        joined.releaseIfDone();
        return joined;
    }

    @Override
    public void ended(LoopFuture<?> source) {
        boolean last = left.decrementAndGet() == 0;
        if (!cancelling) {
            rule.ended(this, source, last);
        } else if (last) {
            super.cancel(true);
        }
        releaseIfDone();
    }

    private void releaseIfDone() {
        if (isDone()) {
            notices.forEach(Notice::release);
        }
    }

    /** Whether it was cancelled and waits for its sources to end. */
    boolean isCancelling() {
        return cancelling && !isDone();
    }

    /** Fails as a source failed. Whoever looks at this failure has seen that one; if nobody does, the loop is told. */
    void failAs(LoopFuture<?> source) {
        var error = source.failure();
        if (error != null && completeExceptionally(error.error)) {
            error.observe();
            watch(name);
        }
    }

    /** Fails with an error of its own. */
    void fail(Throwable error) {
        if (completeExceptionally(error)) {
            watch(name);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (isDone()) {
            return false;
        }
        boolean before = cancelling;
        // First: a source may tell of its end within its cancel.
        cancelling = true;
        boolean reached = false;
        boolean over = true;
        for (var source : sources) {
            reached |= source instanceof Joined<?> inner
                    ? inner.cancelNested(mayInterruptIfRunning)
                    : source.cancel(mayInterruptIfRunning);
            over &= source.isDone();
        }
        if (!reached) {
            // All had ended, and what comes of it is on its way.
            cancelling = before;
        } else if (over) {
            super.cancel(mayInterruptIfRunning);
            releaseIfDone();
        }
        return reached || isCancelled();
    }

    /** Cancels it now, or before the outermost cancel returns: it may be of joined futures, and those as well. */
    private boolean cancelNested(boolean mayInterruptIfRunning) {
        var reached = new boolean[] {true};
        Nested.run(() -> reached[0] = cancel(mayInterruptIfRunning));
        return reached[0];
    }
}
