package io.github.uvloop4j.cli.observe;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.testing.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;

/** Small recordings of real loops in this JVM. */
final class Recordings {
    private Recordings() {}

    /** Something to do while it is recorded. */
    interface Body {
        void run() throws Exception;
    }

    /** Records what a body does; loops tell their numbers every 20 ms. */
    static Path record(Path file, Body body) throws Exception {
        try (var recording = new Recording()) {
            for (var event : LoopEvents.WANTED) {
                recording.enable(event);
            }
            recording.enable(LoopEvents.LOOP).withPeriod(Duration.ofMillis(20));
            recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
            recording.enable("jdk.JVMInformation");
            recording.enable("jdk.FileRead").withThreshold(Duration.ZERO);
            recording.start();
            body.run();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    /** A loop that has a task which fails, one that computes for so long, and one that never ends. */
    static void loop(String name, long millis) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name(name)).start()) {
            var never = loop.submit(() -> loop.createFuture().await());
            var failing = loop.submit(() -> {
                throw new IOException("as asked");
            });
            loop.submit(() -> compute(millis)).get(30, TimeUnit.SECONDS);
            Until.holds("the failure", failing::isDone);
            failing.whenDone((_, _) -> {});
            Thread.sleep(100);
            never.cancel();
        }
    }

    /** A loop with a callback that computes for so long. */
    static void callback(String name, long millis) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name(name)).start()) {
            var done = new CountDownLatch(1);
            loop.post(() -> {
                compute(millis);
                done.countDown();
            });
            done.await(30, TimeUnit.SECONDS);
            Thread.sleep(100);
        }
    }

    /** A loop that runs on this thread and computes for so long. */
    static void here(String name, long millis) throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().name(name))) {
            loop.callSoon(() -> compute(millis));
            loop.run(() -> {});
        }
    }

    static void computeLater(long millis) {
        var end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    static void compute(long millis) {
        var end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** The beginning of a file, as another. */
    static Path cut(Path file, int length, Path to) throws IOException {
        return Files.write(to, java.util.Arrays.copyOf(Files.readAllBytes(file), length));
    }
}
