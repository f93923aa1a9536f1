package io.github.uvloop4j.guard;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjIntConsumer;

/** Opens and closes guards in some ways, and looks at every method before, inside and after. */
final class LeavesNothingMain {
    /** Opens and closes guards; the hooks are in when it looks. */
    private interface Way {
        void go(Runnable look) throws Exception;
    }

    private static final Map<String, byte[]> INSIDE = new TreeMap<>();

    private static Map<String, byte[]> before = Map.of();
    private static Snapshots watch;

    private LeavesNothingMain() {}

    public static void main(String[] args) throws Exception {
        before = Snapshots.taken();
        way("after one guard", look -> {
            try (var _ = BlockingGuard.forAllLoops()) {
                look.run();
            }
        });
        way("after an exception", LeavesNothingMain::throwing);
        way("after nested guards", LeavesNothingMain::nested);
        way("after guards closed in the order they were opened", LeavesNothingMain::inOrder);
        way("after two threads", LeavesNothingMain::twoThreads);
        Checks.check("nothing calls the hooks any more", () -> {
            if (hookCalls(Path.of(args[0])) != 0) {
                throw new AssertionError("hooks are called");
            }
        });
        Checks.check("but inside they are called", () -> {
            try (var _ = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
                if (hookCalls(Path.of(args[0])) < 40) {
                    throw new AssertionError("hooks are not called");
                }
            }
        });
    }

    private static void way(String name, Way way) {
        Checks.check(name, () -> {
            INSIDE.clear();
            way.go(() -> {
                try {
                    INSIDE.putAll(Snapshots.taken());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                watch = Snapshots.watching();
            });
            var after = watch.seen();
            hooksWereThere();
            if (!after.keySet().equals(Sites.byClass().keySet())) {
                throw new AssertionError("restored only " + after.keySet());
            }
            compare(after);
            compare(Snapshots.taken());
        });
    }

    private static void hooksWereThere() {
        int hooked = 0;
        for (var name : INSIDE.keySet()) {
            var now = Streams.of(INSIDE.get(name));
            for (var method : Streams.of(before.get(name)).entrySet()) {
                var stream = new ArrayList<>(now.get(method.getKey()));
                if (stream.equals(method.getValue())) {
                    continue;
                }
                boolean called = stream.stream()
                        .filter(line -> !line.startsWith("catch"))
                        .limit(3)
                        .anyMatch(line -> line.contains("java/lang/UvloopGuard"));
                if (!called) {
                    throw new AssertionError(name + "." + method.getKey() + " has changed otherwise");
                }
                hooked++;
            }
        }
        if (hooked < Sites.all().size()) {
            throw new AssertionError("only " + hooked + " methods were hooked");
        }
    }

    private static void compare(Map<String, byte[]> after) {
        after.forEach((name, bytes) -> {
            var was = Streams.of(before.get(name));
            var is = Streams.of(bytes);
            if (!was.equals(is)) {
                throw new AssertionError(name + " has changed");
            }
        });
    }

    private static void throwing(Runnable look) {
        var thrown = new IllegalStateException("of the test");
        try (var _ = BlockingGuard.forAllLoops()) {
            look.run();
            throw thrown;
        } catch (IllegalStateException e) {
            if (e != thrown) {
                throw e;
            }
        }
    }

    private static void nested(Runnable look) {
        try (var _ = BlockingGuard.forAllLoops();
                var _ = BlockingGuard.forAllLoops(GuardMode.COUNT)) {
            try (var _ = BlockingGuard.forAllLoops(GuardMode.LOG)) {
                look.run();
            }
        }
    }

    private static void inOrder(Runnable look) {
        var guards = new ArrayList<BlockingGuard>();
        for (int i = 0; i < 3; i++) {
            guards.add(BlockingGuard.forAllLoops());
        }
        look.run();
        guards.forEach(BlockingGuard::close);
        guards.forEach(BlockingGuard::close);
    }

    private static void twoThreads(Runnable look) throws Exception {
        var bothOpen = new CountDownLatch(2);
        var looked = new CountDownLatch(1);
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < 3; round++) {
                    BlockingGuard.forAllLoops().close();
                }
                try (var _ = BlockingGuard.forAllLoops()) {
                    bothOpen.countDown();
                    looked.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        bothOpen.await();
        look.run();
        looked.countDown();
        for (var thread : threads) {
            thread.join();
        }
    }

    /** How often the probes call the hook class, with a judge that lets everything pass and this thread guarded. */
    private static int hookCalls(Path directory) throws Exception {
        var hook = Class.forName(Hook.NAME, true, null);
        var threads = hook.getField(Hook.THREADS);
        var handler = hook.getField(Hook.HANDLER);
        var calls = new AtomicInteger();
        var judge = handler.get(null);
        var table = threads.get(null);
        var file = Files.writeString(directory.resolve("probed"), "text");
        var self = new Thread[2];
        self[(int) Thread.currentThread().threadId() & 1] = Thread.currentThread();
        ObjIntConsumer<Object> counter = (_, _) -> calls.incrementAndGet();
        handler.set(null, counter);
        threads.set(null, self);
        try {
            for (var probe : Probes.parking().values()) {
                probe.run();
            }
            for (var probe : Probes.blocking(file).values()) {
                probe.run();
                Files.deleteIfExists(file.resolveSibling("copied"));
            }
        } finally {
            threads.set(null, table);
            handler.set(null, judge);
        }
        return calls.get();
    }
}
