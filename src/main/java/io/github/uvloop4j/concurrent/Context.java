package io.github.uvloop4j.concurrent;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds a piece of work: the values of its task-locals, and of the scoped values that its loop propagates.
 * Loops capture one wherever a callback, a task or a protocol is made; code that hands work on by other ways can do the
 * same. Any thread.
 */
public final class Context {
    private static final ScopedValue<Locals.Holder> HERE = ScopedValue.newInstance();

    /** Set with the first task-local: who has none pays for none. */
    private static boolean used;

    private final Locals locals;
    private final ScopedValue.@Nullable Carrier scoped;

    /** Made once where runs share what they set. */
    private final ScopedValue.@Nullable Carrier shared;

    private Context(Locals locals, ScopedValue.@Nullable Carrier scoped, boolean lasting) {
        this.locals = locals;
        this.scoped = scoped;
        this.shared = lasting ? carrier(locals, scoped) : null;
    }

    /** Values that change while a callback or a worker's call runs. */
    private static final class Place implements Locals.Holder {
        private Locals locals;

        Place(Locals locals) {
            this.locals = locals;
        }

        @Override
        public Locals locals() {
            return locals;
        }

        @Override
        public void locals(Locals changed) {
            locals = changed;
        }
    }

    static void use() {
        used = true;
    }

    /** Who holds the caller's values, or null. */
    static Locals.@Nullable Holder holder() {
        if (HERE.isBound()) {
            return HERE.get();
        }
        return Task.current();
    }

    /** What surrounds the caller, with the scoped values that the loop of the caller propagates. */
    public static Context capture() {
        var loop = LoopContext.current();
        var captured = loop == null ? capture(new ScopedValue<?>[0]) : loop.capture();
        return captured == null ? new Context(Locals.NONE, null, false) : captured;
    }

    /** What surrounds the caller, with scoped values if they are bound; null when there is nothing. For loops. */
    public static @Nullable Context capture(ScopedValue<?>[] propagated) {
        if (!used && propagated.length == 0) {
            return null;
        }
        var holder = holder();
        var locals = holder == null ? Locals.NONE : holder.locals();
        ScopedValue.Carrier scoped = null;
        for (var value : propagated) {
            if (value.isBound()) {
                scoped = bind(scoped, value);
            }
        }
        return locals == Locals.NONE && scoped == null ? null : new Context(locals, scoped, false);
    }

    private static <T> ScopedValue.Carrier bind(ScopedValue.@Nullable Carrier carrier, ScopedValue<T> value) {
        return carrier == null ? ScopedValue.where(value, value.get()) : carrier.where(value, value.get());
    }

    static Context of(Locals locals) {
        return new Context(locals, null, false);
    }

    Locals locals() {
        return locals;
    }

    ScopedValue.@Nullable Carrier scoped() {
        return scoped;
    }

    private ScopedValue.Carrier carrier() {
        return shared != null ? shared : carrier(locals, scoped);
    }

    private static ScopedValue.Carrier carrier(Locals locals, ScopedValue.@Nullable Carrier scoped) {
        var place = new Place(locals);
        return scoped == null ? ScopedValue.where(HERE, place) : scoped.where(HERE, place);
    }

    /** A copy in which each run sees what those before it have set. One thread at a time. */
    public Context lasting() {
        return new Context(locals, scoped, true);
    }

    /** Runs an action in this context; what it sets is gone with it, unless the context is {@link #lasting}. */
    public void run(Runnable action) {
        carrier().run(Objects.requireNonNull(action, "action"));
    }

    /** Runs a call in this context; what it sets is gone with it, unless the context is {@link #lasting}. */
    public <T extends @Nullable Object> T call(Callable<T> call) throws Exception {
        return carrier().call(Objects.requireNonNull(call, "call")::call);
    }

    /** An action that runs in a context, or the action itself when there is none. */
    public static Runnable enclose(@Nullable Context context, Runnable action) {
        return context == null ? action : new Enclosed(context, action);
    }

    /** A call that runs in a context, or the call itself when there is none. */
    public static <T extends @Nullable Object> Callable<T> enclose(@Nullable Context context, Callable<T> call) {
        return context == null ? call : () -> context.call(call);
    }

    private record Enclosed(Context context, Runnable action) implements Runnable {
        @Override
        public void run() {
            context.run(action);
        }

        @Override
        public String toString() {
            return action.toString();
        }
    }
}
