package io.github.uvloop4j.uv;

import io.github.uvloop4j.testing.Thrown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Misbehaves in every kind of callback; prints a line for each that its loop survived. For a JVM of its own. */
final class UpcallMain {
    private static final int ROUNDS = 10_000;

    private UpcallMain() {}

    public static void main(String[] arguments) {
        for (var kind : UpcallKind.values()) {
            for (var thrown : Thrown.values()) {
                throwIn(kind, thrown);
            }
            closeIn(kind);
        }
    }

    private static void throwIn(UpcallKind kind, Thrown thrown) {
        var errors = new ArrayList<Throwable>();
        runOnce(kind, errors, handle -> thrown.explode());
        boolean told = errors.size() == 1 && thrown.isKindOf(errors.getFirst());
        System.out.println(kind + " " + thrown + (told ? " told" : " " + errors));
    }

    private static void closeIn(UpcallKind kind) {
        var errors = new ArrayList<Throwable>();
        runOnce(kind, errors, handle -> {
            handle.close();
            handle.close();
        });
        System.out.println(kind + " closed " + errors);
    }

    private static void runOnce(UpcallKind kind, List<Throwable> errors, Consumer<UvHandle> act) {
        try (var loop = UvLoop.create()) {
            loop.onError(errors::add);
            var calls = new AtomicInteger();
            kind.begin(loop, handle -> {
                if (calls.incrementAndGet() == 1) {
                    act.accept(handle);
                } else if (!handle.isClosing()) {
                    handle.close();
                }
            });
            var survived = new UvTimer(loop);
            var fired = new AtomicInteger();
            survived.start(fired::incrementAndGet, 1, 1);
            for (int i = 0; calls.get() == 0 && i < ROUNDS; i++) {
                loop.run(UvLoop.Mode.ONCE);
            }
            fired.set(0);
            for (int i = 0; fired.get() < 2 && i < ROUNDS; i++) {
                loop.run(UvLoop.Mode.ONCE);
            }
            if (calls.get() == 0 || fired.get() < 2) {
                throw new AssertionError(kind + " did not come, or the loop did not go on");
            }
        }
    }
}
