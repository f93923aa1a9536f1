package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.guard.BlockingCallError;
import io.github.uvloop4j.guard.BlockingGuard;
import io.github.uvloop4j.guard.Guard;
import io.github.uvloop4j.guard.GuardMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** What the guide "Guard" shows, as a program that runs; without {@code -javaagent} it attaches the agent. */
public final class GuardGuide {
    private GuardGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        if (!BlockingGuard.isAvailable()) {
            System.err.println(BlockingGuard.reason());
            return;
        }
        var file = Files.writeString(Files.createTempFile("guard", ".txt"), "42");
        try {
            raise(file);
            count(file);
            task();
            executor(file);
            allow(file);
            report();
            install();
        } finally {
            Files.delete(file);
        }
    }

    private static void raise(Path file) throws Exception {
        try (var loop = EventLoop.create().start();
                var _ = BlockingGuard.forAllLoops()) {
            var size = loop.submit(() -> Files.size(file)); // on the loop thread
            try {
                size.toCompletableFuture().join();
            } catch (Exception e) {
                System.out.println(e.getCause() instanceof BlockingCallError error ? error.call() + " raised" : e);
            }
        }
    }

    private static void count(Path file) throws Exception {
        try (var loop = EventLoop.create().start();
                var guard = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
            loop.call(() -> Files.readString(file));
            guard.calls().forEach((call, times) -> System.out.println(call + ": " + times));
        }
    }

    private static void task() throws Exception {
        EventLoop.run(loop -> {
            try (var _ = BlockingGuard.forThisLoop()) {
                var latch = new CountDownLatch(1);
                loop.spawn(latch::countDown);
                latch.await(); // parks this task: the loop goes on
            }
        });
    }

    private static void executor(Path file) throws Exception {
        EventLoop.run(loop -> {
            try (var _ = BlockingGuard.forThisLoop()) {
                var text = loop.runInExecutor(() -> Files.readString(file)).await();
                System.out.println("read " + text);
            }
        });
    }

    private static void allow(Path file) throws Exception {
        EventLoop.run(loop -> {
            try (var _ = BlockingGuard.forThisLoop()) {
                var text = Guard.allowing(() -> Files.readString(file)); // known to be short
                System.out.println("read " + text + " all the same");
            }
        });
        BlockingGuard.allow("com.example.Legacy", "org.example.driver."); // a class, and a package with all below it
    }

    private static void report() {
        try (var _ = BlockingGuard.forAllLoops()) {
            var report = BlockingGuard.report();
            System.out.println(report.hooked().size() + " methods, missing " + report.missing());
            report.failed().forEach(System.out::println);
        }
    }

    private static void install() {
        BlockingGuard.install(GuardMode.LOG);
    }
}
