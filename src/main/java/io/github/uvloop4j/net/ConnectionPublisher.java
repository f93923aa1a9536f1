package io.github.uvloop4j.net;

import io.github.uvloop4j.concurrent.Context;
import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads a connection for one subscriber, as far as that asks. */
final class ConnectionPublisher implements Flow.Publisher<ByteBuffer> {
    private final LoopContext loop;
    private final Connection source;
    private final int chunkSize;
    private final AtomicBoolean taken = new AtomicBoolean();

    ConnectionPublisher(LoopContext loop, Connection source, int chunkSize) {
        this.loop = loop;
        this.source = source;
        this.chunkSize = chunkSize;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        if (!taken.compareAndSet(false, true)) {
            refuse(subscriber, new IllegalStateException(source + " has a subscriber already"));
            return;
        }
        var reading = new Reading(subscriber);
        try {
            loop.post(Context.enclose(loop.capture(), reading::start));
        } catch (RejectedExecutionException closed) {
            refuse(subscriber, closed);
        }
    }

    private void refuse(Flow.Subscriber<?> subscriber, Throwable error) {
        try {
            subscriber.onSubscribe(Nothing.INSTANCE);
            subscriber.onError(error);
        } catch (Throwable broken) {
            loop.report("a subscriber failed", broken, subscriber);
        }
    }

    /** The subscription of those who get nothing. */
    private enum Nothing implements Flow.Subscription {
        INSTANCE;

        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    }

    /** The one subscription: a task that reads and signals. */
    private final class Reading implements Flow.Subscription {
        private final AtomicLong demand = new AtomicLong();
        private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;
        private volatile @Nullable Task<?> task;
        private volatile @Nullable Throwable misuse;
        private volatile boolean cancelled;
        private boolean begun;
        private boolean inRead;

        Reading(Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.subscriber = subscriber;
        }

        void start() {
            try {
                var started = loop.spawn("publisher", this::run);
                task = started;
                started.whenDone((nothing, error) -> notBegun(error));
            } catch (IllegalStateException | RejectedExecutionException closing) {
                notBegun(closing);
            }
        }

        private void notBegun(@Nullable Throwable error) {
            var unserved = subscriber;
            subscriber = null;
            if (!begun && error != null && unserved != null) {
                refuse(unserved, error);
            }
        }

        private @Nullable Void run() {
            begun = true;
            var served = Objects.requireNonNull(subscriber);
            try {
                served.onSubscribe(this);
                publish(served, Objects.requireNonNull(task));
            } catch (CancellationException ended) {
                throw ended;
            } catch (Throwable broken) {
                loop.report("a subscriber failed", broken, served);
            } finally {
                cancelled = true;
            }
            return null;
        }

        /** Signals until the end; only a subscriber, or the task's own cancel, throws out of it. */
        private void publish(Flow.Subscriber<? super ByteBuffer> served, Task<?> own) {
            while (!cancelled && misuse == null) {
                ByteBuffer chunk;
                try {
                    if (demand.get() == 0) {
                        own.park();
                        continue;
                    }
                    chunk = read();
                } catch (IOException | RuntimeException error) {
                    if (!cancelled && misuse == null) {
                        cancelled = true;
                        served.onError(error);
                        rethrowCancel(error);
                    }
                    continue;
                }
                if (chunk == null) {
                    cancelled = true;
                    served.onComplete();
                    return;
                }
                demand.updateAndGet(wanted -> wanted == Long.MAX_VALUE ? wanted : wanted - 1);
                served.onNext(chunk);
            }
            var wrong = misuse;
            if (wrong != null && !cancelled) {
                cancelled = true;
                served.onError(wrong);
            }
        }

        private static void rethrowCancel(Exception error) {
            if (error instanceof CancellationException cancel) {
                throw cancel;
            }
        }

        private @Nullable ByteBuffer read() throws IOException {
            var buffer = ByteBuffer.allocate(chunkSize);
            inRead = true;
            try {
                if (source.read(buffer) < 0) {
                    return null;
                }
            } finally {
                inRead = false;
            }
            buffer.flip();
            boolean wasteful = buffer.remaining() < chunkSize / 2;
            return wasteful ? ByteBuffer.wrap(Arrays.copyOf(buffer.array(), buffer.remaining())) : buffer;
        }

        @Override
        public void request(long n) {
            if (cancelled) {
                return;
            }
            if (n > 0) {
                demand.accumulateAndGet(n, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
                wake();
            } else if (misuse == null) {
                misuse = new IllegalArgumentException("non-positive subscription request: " + n);
                leaveRead();
            }
        }

        @Override
        public void cancel() {
            if (!cancelled) {
                cancelled = true;
                leaveRead();
            }
        }

        private void wake() {
            var own = task;
            if (own != null && own.thread() != Thread.currentThread()) {
                own.unpark();
            }
        }

        /** The task may be in a read that would otherwise end with the next bytes. */
        private void leaveRead() {
            wake();
            if (loop.inLoop()) {
                cancelRead();
                return;
            }
            try {
                loop.post(this::cancelRead);
            } catch (RejectedExecutionException closed) {
                // So the task has ended.
            }
        }

        private void cancelRead() {
            var own = task;
            if (inRead && own != null) {
                own.cancel();
            }
        }
    }
}
