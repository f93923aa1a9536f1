package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes the buffers of a publisher to a connection; made by {@link Flows#subscriber}. It requests one buffer at a time.
 * A buffer must stay as it is from then on: it is written by a task of the loop, after {@code onNext} has returned. Any
 * thread.
 */
public final class ConnectionSubscriber implements Flow.Subscriber<ByteBuffer> {
    private final LoopContext loop;
    private final Connection target;
    private final Done done;
    private final AtomicReference<Flow.@Nullable Subscription> upstream = new AtomicReference<>();
    private volatile @Nullable Task<?> task;
    private volatile @Nullable ByteBuffer next;
    private volatile @Nullable Throwable failure;

    /** Nothing is to come any more. */
    private volatile boolean ended;

    /** The publisher has said so, and must not be called again. */
    private volatile boolean terminated;

    ConnectionSubscriber(LoopContext loop, Connection target) {
        this.loop = loop;
        this.target = target;
        this.done = new Done();
    }

    /** The future of the whole; cancelling it stops both ends. */
    private final class Done extends LoopFuture<@Nullable Void> {
        Done() {
            super(loop);
        }

        void fail(Throwable error) {
            if (completeExceptionally(error)) {
                watch("subscriber");
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!super.cancel(mayInterruptIfRunning)) {
                return false;
            }
            // Its end cancels the subscription: that is called by one thread at a time.
            var own = task;
            if (own != null) {
                own.cancel();
            }
            return true;
        }
    }

    /**
     * Done when the publisher has completed and all that it sent has been handed to the kernel; fails with what the
     * publisher or the writing failed with. Cancelling it, as the cancel of a task that awaits it does, cancels the
     * subscription.
     */
    public LoopFuture<@Nullable Void> done() {
        return done;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        Objects.requireNonNull(subscription, "subscription");
        if (!upstream.compareAndSet(null, subscription) || done.isDone()) {
            subscription.cancel();
            return;
        }
        try {
            loop.post(Context.enclose(loop.capture(), this::start));
        } catch (RejectedExecutionException closed) {
            over(closed);
        }
    }

    private void start() {
        if (done.isDone()) {
            cancelUpstream();
            return;
        }
        try {
            var started = loop.spawn("subscriber", this::run);
            task = started;
            if (done.isDone()) {
                started.cancel();
            }
            started.whenDone((nothing, error) -> over(error));
        } catch (IllegalStateException | RejectedExecutionException closing) {
            over(closing);
        }
    }

    private void over(@Nullable Throwable error) {
        next = null;
        if (error == null) {
            done.complete(null);
        } else {
            cancelUpstream();
            done.fail(error);
        }
    }

    private void cancelUpstream() {
        var subscription = upstream.get();
        if (subscription != null && !terminated) {
            subscription.cancel();
        }
    }

    private @Nullable Void run() throws Exception {
        var own = Objects.requireNonNull(task);
        var subscription = Objects.requireNonNull(upstream.get());
        askFor(subscription);
        while (true) {
            var data = next;
            if (data != null) {
                next = null;
                target.write(data);
                askFor(subscription);
            } else if (ended) {
                break;
            } else {
                own.park();
            }
        }
        finish();
        return null;
    }

    private void askFor(Flow.Subscription subscription) {
        if (!ended) {
            subscription.request(1);
        }
    }

    private void finish() throws Exception {
        var error = failure;
        if (error instanceof Exception exception) {
            throw exception;
        }
        if (error != null) {
            throw new IOException("the publisher failed", error);
        }
        target.flush();
    }

    @Override
    public void onNext(ByteBuffer data) {
        Objects.requireNonNull(data, "data");
        if (done.isDone() || ended) {
            return;
        }
        if (next != null) {
            end(new IllegalStateException("the publisher sent more than was requested"));
            return;
        }
        next = data;
        wake();
    }

    @Override
    public void onError(Throwable error) {
        Objects.requireNonNull(error, "error");
        terminated = true;
        end(error);
    }

    @Override
    public void onComplete() {
        terminated = true;
        end(null);
    }

    private void end(@Nullable Throwable error) {
        if (!ended) {
            failure = error;
            ended = true;
            wake();
        }
    }

    private void wake() {
        var own = task;
        if (own != null && own.thread() != Thread.currentThread()) {
            own.unpark();
        }
    }
}
