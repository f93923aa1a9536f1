package io.github.uvloop4j.observe.opentelemetry;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/** Runs tasks of all kinds while OpenTelemetry watches where scopes are opened and closed. */
public final class StrictContextMain {
    private static final ContextKey<String> KEY = ContextKey.named("key");

    private StrictContextMain() {}

    public static void main(String[] args) throws Exception {
        var storage = ContextStorage.get();
        for (var ride : new LoopOptions.Tasks[] {LoopOptions.Tasks.CARRIER, LoopOptions.Tasks.BATON}) {
            run(ride, OpenTelemetry.noop(), TraceOptions.defaults().tasks(false));
            try (var sdk = OpenTelemetrySdk.builder().build()) {
                run(ride, sdk, TraceOptions.defaults());
            }
        }
        // Complains of each scope that somebody opened and did not close on the same thread.
        ((AutoCloseable) storage).close();
        System.out.println("no scope is left in " + storage.getClass().getSimpleName());
    }

    private static void run(LoopOptions.Tasks ride, OpenTelemetry sdk, TraceOptions options) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().tasks(ride).observe(new LoopTraces(sdk, options)))) {
            loop.exceptionHandler(context -> {});
            loop.run(() -> {
                try (var _ = Context.current().with(KEY, "value").makeCurrent()) {
                    work(loop);
                }
            });
            loop.spawn("not begun", () -> {}).cancel();
        }
    }

    private static void work(EventLoop loop) throws Exception {
        TaskGroup.run(group -> {
            for (int i = 0; i < 10; i++) {
                group.spawn(() -> Task.sleep(Duration.ofMillis(1)));
            }
            group.spawn(() -> Task.sleep(Duration.ofDays(1))).cancel();
        });
        try {
            loop.spawn(() -> {
                        throw new IllegalStateException("broken");
                    })
                    .await();
        } catch (IllegalStateException expected) {
            loop.threadFactory().newThread(() -> {}).start();
        }
        try {
            var sleeper = loop.spawn(() -> Task.sleep(Duration.ofDays(1)));
            Task.sleep(Duration.ZERO);
            sleeper.cancel();
            sleeper.await();
        } catch (CancellationException expected) {
            loop.spawn(() -> Task.sleep(Duration.ofDays(1))); // ends with the loop
        }
    }
}
