package io.github.uvloop4j.concurrent;

import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The callbacks behind {@link LoopFuture}'s combining methods. */
final class Stages {
    private Stages() {}

    static final class Action extends Callback {
        private final Runnable action;

        Action(Runnable action) {
            this.action = action;
        }

        @Override
        void fire(@Nullable LoopContext context) {
            enqueue(context);
        }

        @Override
        public void run() {
            action.run();
        }

        @Override
        public String toString() {
            return action.toString();
        }
    }

    static final class WhenDone<T extends @Nullable Object> extends Callback {
        private final LoopFuture<T> source;
        private final BiConsumer<? super T, ? super @Nullable Throwable> consumer;

        WhenDone(LoopFuture<T> source, BiConsumer<? super T, ? super @Nullable Throwable> consumer) {
            this.source = source;
            this.consumer = consumer;
        }

        @Override
        void fire(@Nullable LoopContext context) {
            enqueue(context);
        }

        @Override
        public void run() {
            var outcome = source.outcome();
            consumer.accept(source.valueIn(outcome), LoopFuture.errorIn(outcome));
        }

        @Override
        public String toString() {
            return consumer.toString();
        }
    }

    /** A callback whose result is a future of the same loop. What the user's function throws becomes its failure. */
    private abstract static class Stage<T extends @Nullable Object, R extends @Nullable Object> extends Callback {
        final LoopFuture<T> source;
        final LoopFuture<R> target;

        Stage(LoopFuture<T> source) {
            this.source = source;
            this.target = new LoopFuture<>(source.context());
        }

        @Override
        final void fire(@Nullable LoopContext context) {
            enqueue(context);
        }

        @Override
        public final void run() {
            var outcome = source.outcome();
            try {
                apply(source.valueIn(outcome), LoopFuture.errorIn(outcome));
            } catch (Throwable thrown) {
                target.completeExceptionally(thrown);
            }
            if (outcome instanceof Failure) {
                Unobserved.pass(source, target);
            }
        }

        abstract void apply(T value, @Nullable Throwable error);
    }

    static final class Map<T extends @Nullable Object, R extends @Nullable Object> extends Stage<T, R> {
        private final Function<? super T, ? extends R> function;

        Map(LoopFuture<T> source, Function<? super T, ? extends R> function) {
            super(source);
            this.function = function;
        }

        @Override
        void apply(T value, @Nullable Throwable error) {
            if (error != null) {
                target.completeExceptionally(error);
            } else {
                target.complete(function.apply(value));
            }
        }
    }

    static final class Handle<T extends @Nullable Object, R extends @Nullable Object> extends Stage<T, R> {
        private final BiFunction<? super T, ? super @Nullable Throwable, ? extends R> function;

        Handle(LoopFuture<T> source, BiFunction<? super T, ? super @Nullable Throwable, ? extends R> function) {
            super(source);
            this.function = function;
        }

        @Override
        void apply(T value, @Nullable Throwable error) {
            target.complete(function.apply(value, error));
        }
    }

    static final class Compose<T extends @Nullable Object, R extends @Nullable Object> extends Stage<T, R> {
        private final Function<? super T, ? extends LoopFuture<R>> function;

        Compose(LoopFuture<T> source, Function<? super T, ? extends LoopFuture<R>> function) {
            super(source);
            this.function = function;
        }

        @Override
        void apply(T value, @Nullable Throwable error) {
            if (error != null) {
                target.completeExceptionally(error);
                return;
            }
            var inner = function.apply(value);
            inner.whenDone((result, failure) -> {
                if (failure != null) {
                    target.completeExceptionally(failure);
                    Unobserved.pass(inner, target);
                } else {
                    target.complete(result);
                }
            });
        }
    }
}
