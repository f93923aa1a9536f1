package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.observe.Lookup;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A look-up by the loop's resolver, which may be anybody's: whatever that does, this ends once, and at once when it is
 * cancelled or the loop closed.
 *
 * @param <S> what the resolver answers
 * @param <T> what is made of it
 */
final class LookUpFuture<S, T> extends LoopFuture<T> implements LoopIo.Closeables {
    private final LoopIo io;
    private final Lookup lookup;
    private final Making<S, T> making;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable CompletionStage<?> stage;

    /** Makes what is wanted of an answer, which may be null. */
    interface Making<S, T> {
        T make(@Nullable S answer) throws UnknownHostException;
    }

    LookUpFuture(LoopIo io, String what, Making<S, T> making) {
        super(io.context());
        this.io = io;
        this.lookup = new Lookup(what);
        this.making = making;
    }

    LookUpFuture<S, T> begin(Supplier<CompletionStage<S>> resolving) {
        io.opened(this);
        whenDone((answer, error) -> io.closed(this));
        io.observers().lookupBegins(lookup);
        try {
            var begun =
                    Objects.requireNonNull(resolving.get(), () -> "the resolver " + io.resolver() + " returned null");
            stage = begun;
            if (isCancelled()) {
                giveUp(begun);
            }
            begun.whenComplete(this::answered);
        } catch (Throwable error) {
            failed(error);
        }
        return this;
    }

    private void answered(@Nullable S answer, @Nullable Throwable error) {
        if (error != null) {
            failed(unwrapped(error));
            return;
        }
        T made;
        try {
            made = making.make(answer);
        } catch (Throwable wrong) {
            failed(wrong);
            return;
        }
        if (isFirst(null)) {
            complete(made);
        }
    }

    private void failed(Throwable error) {
        if (isFirst(error)) {
            completeExceptionally(error);
        }
    }

    /** A resolver that cancels its look-up has not cancelled who waits for it. */
    private Throwable unwrapped(Throwable error) {
        var cause = error.getCause();
        var inner = error instanceof CompletionException && cause != null ? cause : error;
        if (!(inner instanceof CancellationException)) {
            return inner;
        }
        var failure = new UnknownHostException("the resolver " + io.resolver() + " cancelled the " + lookup);
        failure.initCause(inner);
        return failure;
    }

    private boolean isFirst(@Nullable Throwable failure) {
        boolean first = over.compareAndSet(false, true);
        if (first) {
            io.observers().lookupEnded(lookup, failure);
        }
        return first;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean first = isFirst(new CancellationException());
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        var begun = stage;
        if (first && begun != null) {
            giveUp(begun);
        }
        return cancelled;
    }

    private static void giveUp(CompletionStage<?> begun) {
        try {
            begun.toCompletableFuture().cancel(true);
        } catch (RuntimeException uncancellable) {
            // It goes on, for nobody.
        }
    }

    @Override
    public void abortNow() {
        cancel();
    }
}
