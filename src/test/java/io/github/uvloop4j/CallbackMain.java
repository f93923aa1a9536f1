package io.github.uvloop4j;

import io.github.uvloop4j.net.Transport;
import io.github.uvloop4j.testing.Thrown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Misbehaves wherever an event loop calls user code; prints a line for each that it survived. For a JVM of its own. */
final class CallbackMain {
    private CallbackMain() {}

    public static void main(String[] arguments) throws Exception {
        for (var kind : CallbackKind.values()) {
            for (var thrown : Thrown.values()) {
                throwIn(kind, thrown);
            }
            closeIn(kind, "closed", Transport::close);
            closeIn(kind, "aborted", Transport::abort);
            closeIn(kind, "reset", Transport::reset);
        }
        for (var thrown : Thrown.values()) {
            throwInHandler(thrown);
            throwInTask(thrown);
        }
    }

    private static void throwIn(CallbackKind kind, Thrown thrown) throws Exception {
        var errors = new CopyOnWriteArrayList<Throwable>();
        runOnce(kind, errors, transport -> thrown.explode());
        boolean told = !errors.isEmpty() && thrown.isKindOf(errors.getFirst());
        System.out.println(kind + " " + thrown + (told ? " told" : " " + errors));
    }

    private static void closeIn(CallbackKind kind, String how, Consumer<Transport> close) throws Exception {
        var errors = new CopyOnWriteArrayList<Throwable>();
        runOnce(kind, errors, transport -> {
            if (transport != null) {
                close.accept(transport);
                close.accept(transport);
            }
            try {
                EventLoop.current().close();
            } catch (IllegalStateException running) {
                return;
            }
            throw new AssertionError("the loop was closed while it ran");
        });
        System.out.println(kind + " " + how + " " + errors);
    }

    private static void runOnce(CallbackKind kind, List<Throwable> errors, Consumer<@Nullable Transport> act)
            throws Exception {
        try (var loop = EventLoop.create()) {
            loop.exceptionHandler(context -> errors.add(context.exception()));
            var calls = new AtomicInteger();
            loop.run(() -> {
                var reached = loop.<Boolean>createFuture();
                kind.begin(loop, transport -> {
                    if (calls.incrementAndGet() == 1) {
                        reached.complete(true);
                        act.accept(transport);
                    }
                });
                reached.await(Duration.ofSeconds(20));
                goOn(loop);
            });
            loop.run(() -> goOn(loop));
        }
    }

    private static void goOn(EventLoop loop) throws Exception {
        var later = loop.<Boolean>createFuture();
        loop.callLater(Duration.ofMillis(2), () -> later.complete(true));
        later.await();
    }

    private static void throwInHandler(Thrown thrown) throws Exception {
        try (var loop = EventLoop.create()) {
            var calls = new AtomicInteger();
            loop.exceptionHandler(context -> {
                calls.incrementAndGet();
                thrown.explode();
            });
            loop.run(() -> {
                loop.callSoon(() -> {
                    throw new IllegalStateException("x");
                });
                goOn(loop);
            });
            System.out.println("HANDLER " + thrown + " called " + calls);
        }
    }

    private static void throwInTask(Thrown thrown) throws Exception {
        try (var loop = EventLoop.create()) {
            var caught = loop.<Boolean>run(() -> {
                try {
                    loop.spawn(thrown::explode).await();
                    return false;
                } catch (Throwable error) {
                    return thrown.isKindOf(error);
                }
            });
            System.out.println("TASK " + thrown + " caught " + caught);
        }
    }
}
