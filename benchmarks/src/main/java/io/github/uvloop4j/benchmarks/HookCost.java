package io.github.uvloop4j.benchmarks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** The hooks alone, without the calls that they are in. */
final class HookCost {
    /** Defined once a guard was open, so that this class is only initialised then. */
    private static final class Hooks {
        static final MethodHandle PARK = find("park", MethodType.methodType(void.class, int.class));
        static final MethodHandle BLOCK = find("block", MethodType.methodType(void.class, int.class));
        static final MethodHandle CHANNEL = find("channel", MethodType.methodType(void.class, Object.class, int.class));

        private Hooks() {}

        private static MethodHandle find(String name, MethodType type) {
            try {
                return MethodHandles.publicLookup().findStatic(Class.forName("java.lang.UvloopGuard"), name, type);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private static final int CALLS = 5_000_000;

    private final Object channel;

    HookCost(SocketChannel channel) {
        this.channel = channel;
    }

    /** On a guarded loop, where only this kind lets the call pass. */
    void reportGuarded() {
        System.out.printf(Locale.ROOT, "  the hook alone, ns a call: non-blocking channel %.1f%n", best(this::channel));
    }

    /** On a thread that is not guarded. */
    void reportUnguarded() {
        // What was compiled for guarded threads is thrown away first.
        best(this::park);
        best(this::block);
        best(this::channel);
        System.out.printf(
                Locale.ROOT,
                "  the hook alone, ns a call: park %.1f, block %.1f, channel %.1f%n",
                best(this::park),
                best(this::block),
                best(this::channel));
    }

    private interface Calls {
        void run() throws Throwable;
    }

    private static double best(Calls calls) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 8; i++) {
            long start = System.nanoTime();
            try {
                calls.run();
            } catch (Throwable e) {
                throw new IllegalStateException("the hook did not let it pass", e);
            }
            best = Math.min(best, (System.nanoTime() - start) / (double) CALLS);
        }
        return best;
    }

    private void park() throws Throwable {
        for (int i = 0; i < CALLS; i++) {
            Hooks.PARK.invokeExact(0);
        }
    }

    private void block() throws Throwable {
        for (int i = 0; i < CALLS; i++) {
            Hooks.BLOCK.invokeExact(0);
        }
    }

    private void channel() throws Throwable {
        for (int i = 0; i < CALLS; i++) {
            Hooks.CHANNEL.invokeExact(channel, 0);
        }
    }
}
