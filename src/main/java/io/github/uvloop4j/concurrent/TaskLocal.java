package io.github.uvloop4j.concurrent;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A value that follows the work instead of the thread; asyncio's {@code ContextVar}. Tasks, callbacks, timers and
 * protocols see the values as they were where they were made; what one of them sets, it and what it starts from then on
 * see, and nobody else.
 *
 * {@snippet :
 * static final TaskLocal<String> REQUEST = TaskLocal.of("request", "none");
 *
 * REQUEST.set("42");
 * loop.spawn(() -> log(REQUEST.get()));
 * }
 *
 * <p>Make it a static constant. Any thread may {@link #get}: outside of tasks and callbacks that is the default.
 *
 * @param <T> the value's type
 */
public final class TaskLocal<T extends @Nullable Object> {
    private final String name;
    private final T initial;

    private TaskLocal(String name, T initial) {
        this.name = Objects.requireNonNull(name, "name");
        this.initial = initial;
        Context.use();
    }

    /** A task-local that is null until it is set. */
    public static <T> TaskLocal<@Nullable T> of(String name) {
        return new TaskLocal<>(name, null);
    }

    /** A task-local with a default. */
    public static <T extends @Nullable Object> TaskLocal<T> of(String name, T initial) {
        return new TaskLocal<>(name, initial);
    }

    /** The value here, or the default. Any thread. */
    @SuppressWarnings({"unchecked", "NullAway"}) // null is a T when the user says so
    public T get() {
        var holder = Context.holder();
        var locals = holder == null ? Locals.NONE : holder.locals();
        return locals.has(this) ? (T) locals.get(this) : initial;
    }

    /** Whether it has a value here other than by default. Any thread. */
    public boolean isSet() {
        var holder = Context.holder();
        return holder != null && holder.locals().has(this);
    }

    /**
     * Sets the value for the rest of the task and what it starts, or for the rest of a callback that runs in a context:
     * one that was made where a task-local had a value, or in {@link Context#run}.
     *
     * @throws IllegalStateException elsewhere: {@link #where} works everywhere
     */
    public void set(T value) {
        var holder = own("set");
        holder.locals(holder.locals().with(this, value));
    }

    /** Goes back to the default, where {@link #set} works. */
    public void remove() {
        var holder = own("remove");
        holder.locals(holder.locals().without(this));
    }

    private Locals.Holder own(String what) {
        var holder = Context.holder();
        if (holder == null) {
            throw new IllegalStateException("task-local " + name + ": " + what + " works in tasks and in contexts;"
                    + " elsewhere, as on " + Thread.currentThread() + ", use where");
        }
        return holder;
    }

    /** Runs a body with a value and restores what was there before. Any thread. */
    public <R extends @Nullable Object> R where(T value, Callable<R> body) throws Exception {
        Objects.requireNonNull(body, "body");
        var holder = Context.holder();
        if (holder == null) {
            return Context.of(Locals.NONE.with(this, value)).call(body);
        }
        var before = holder.locals();
        holder.locals(before.with(this, value));
        try {
            return body.call();
        } finally {
            var after = holder.locals();
            holder.locals(before.has(this) ? after.with(this, before.get(this)) : after.without(this));
        }
    }

    /** Its name. Any thread. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "TaskLocal " + name;
    }
}
