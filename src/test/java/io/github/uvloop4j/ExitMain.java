package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Protocol;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Ends its JVM in the middle of things. A watchdog ends it with status 9 if that takes long. */
final class ExitMain {
    private ExitMain() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "closed" -> afterClosedLoops();
            case "live" -> withLiveLoops();
            case "task" -> fromATask();
            case "callback" -> fromACallback();
            case "hook" -> loggingInAHook();
            case "stuck" -> whileATaskHoldsTheLog();
            case "return" -> byReturning();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void exit() {
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(20));
            Runtime.getRuntime().halt(9);
        });
        System.exit(0);
    }

    private static void useTheNetwork(EventLoop loop) throws Exception {
        try (var listener = loop.net().listen("localhost", 0);
                var connection = loop.net().openConnection("localhost", listener.port());
                var accepted = listener.accept()) {
            connection.write("hello\n");
            accepted.readLine();
        }
        loop.runInExecutor(() -> 1).await();
    }

    private static void afterClosedLoops() throws Exception {
        for (int i = 0; i < 5; i++) {
            EventLoop.run(ExitMain::useTheNetwork);
        }
        exit();
    }

    private static void byReturning() throws Exception {
        EventLoop.run(ExitMain::useTheNetwork);
    }

    private static void withLiveLoops() throws Exception {
        var ready = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            var options = LoopOptions.defaults().stallLimit(Duration.ofMinutes(1));
            var loop = EventLoop.create(options.debug(i == 1)).start();
            loop.submit(() -> {
                var server = loop.net()
                        .createServer(() -> (Protocol) (ByteBuffer data) -> {}, "127.0.0.1", 0)
                        .await();
                loop.spawn(() -> loop.createFuture().await());
                loop.spawn(() ->
                        loop.net().openConnection("127.0.0.1", server.port()).readLine());
                loop.spawn(() -> {
                    var later = loop.<Boolean>createFuture();
                    loop.callLater(Duration.ofHours(1), () -> later.complete(true));
                    return later.await();
                });
                var busy = loop.spawn(() -> {
                    while (true) {
                        var turn = loop.<Boolean>createFuture();
                        loop.callSoon(() -> turn.complete(true));
                        turn.await();
                    }
                });
                ready.countDown();
                return busy.await();
            });
        }
        ready.await();
        exit();
    }

    private static void fromATask() throws Exception {
        EventLoop.run(loop -> {
            useTheNetwork(loop);
            loop.spawn(() -> loop.createFuture().await());
            exit();
        });
    }

    private static void fromACallback() {
        var loop = EventLoop.create();
        loop.callSoon(ExitMain::exit);
        loop.runForever();
    }

    private static void loggingInAHook() {
        var loop = EventLoop.create();
        loop.runOnce();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> loop.callExceptionHandler(
                        new ExceptionContext("in a hook", new IllegalStateException("x"), null, null))));
        exit();
    }

    /** The task parks with the lock of the log's handler for good, and a message waits to be logged. */
    private static void whileATaskHoldsTheLog() throws Exception {
        var monitor = new Object();
        var backend = Logger.getLogger("io.github.uvloop4j");
        backend.setUseParentHandlers(false);
        backend.addHandler(new Handler() {
            @Override
            public void publish(LogRecord entry) {
                synchronized (monitor) {
                    System.out.println(entry.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        var loop = EventLoop.create();
        var held = loop.<Task<?>>createFuture();
        loop.spawn(() -> {
            synchronized (monitor) {
                held.complete(java.util.Objects.requireNonNull(Task.current()));
                loop.createFuture().await();
            }
        });
        loop.runUntilComplete(held);
        loop.callExceptionHandler(new ExceptionContext("waits", new IllegalStateException("x"), null, null));
        exit();
    }
}
