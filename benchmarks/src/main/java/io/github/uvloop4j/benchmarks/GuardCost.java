package io.github.uvloop4j.benchmarks;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.guard.BlockingCallError;
import io.github.uvloop4j.guard.BlockingGuard;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * What the blocking-call guard costs. Guarded and unguarded blocks of ten round trips follow each other in random order
 * in one process, and each pair of blocks is compared. First with the hooks in all the time, and the thread guarded or
 * not; then with hooks and without. That rewrites classes of the JDK, which throws away compiled code: many round trips
 * that are not timed come before, and ten blocks of one kind follow each other.
 */
public final class GuardCost {
    private static final String USAGE = "GuardCost [--pairs N] [--warmup N] [--seed N]";
    private static final int BLOCK = 10;
    private static final int BLOCKS_A_PHASE = 10;
    private static final int PARKS = 100;
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private final int pairs;
    private final int warmup;
    private final Random random;

    private GuardCost(int pairs, int warmup, long seed) {
        this.pairs = pairs;
        this.warmup = warmup;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        int pairs = 300;
        int warmup = 200_000;
        long seed = 1;
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--pairs" -> pairs = Integer.parseInt(args[i + 1]);
                case "--warmup" -> warmup = Integer.parseInt(args[i + 1]);
                case "--seed" -> seed = Long.parseLong(args[i + 1]);
                default -> throw new IllegalArgumentException(USAGE);
            }
        }
        if (args.length % 2 != 0 || pairs < 1) {
            throw new IllegalArgumentException(USAGE);
        }
        if (!BlockingGuard.isAvailable()) {
            System.err.println(BlockingGuard.reason());
            System.exit(1);
        }
        System.out.printf(
                Locale.ROOT,
                "%d pairs of blocks of %d round trips (2 writes, 2 reads, non-blocking, Unix sockets), %d untimed ones"
                        + " after hooks come or go, seed %d, %d processors%n",
                pairs,
                BLOCK,
                warmup,
                seed,
                Runtime.getRuntime().availableProcessors());
        new GuardCost(pairs, warmup, seed).run();
    }

    private void run() throws Exception {
        // The watch would report that opening a guard takes long.
        var options = LoopOptions.defaults().stallLimit(Duration.ZERO);
        try (var loop = EventLoop.create(options);
                var other = EventLoop.create(options);
                var sockets = new SocketPair()) {
            openingAndClosing(loop);
            try (var _ = onLoop(other, BlockingGuard::forThisLoop)) {
                onLoop(loop, () -> {
                    sockets.roundTrips(warmup);
                    report("a guarded loop, against one that is not, both with hooks", sockets, 1, 50, true);
                    return null;
                });
            }
            onLoop(loop, () -> {
                report("a guarded loop, against no hooks", sockets, BLOCKS_A_PHASE, warmup, true);
                try (var _ = BlockingGuard.forThisLoop()) {
                    new HookCost(sockets.channel()).reportGuarded();
                }
                return null;
            });
            report("another thread, against no hooks", sockets, BLOCKS_A_PHASE, warmup, false);
            try (var _ = BlockingGuard.forAllLoops()) {
                new HookCost(sockets.channel()).reportUnguarded();
            }
            parking();
            detection(loop);
        }
    }

    private static <T> T onLoop(EventLoop loop, Callable<T> body) throws Exception {
        var done = loop.<T>createFuture();
        loop.post(() -> {
            try {
                done.complete(body.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return loop.runUntilComplete(done);
    }

    /** Phases of so many blocks, guarded and not, in random order. */
    private void report(String what, SocketPair sockets, int blocks, int before, boolean onLoop) throws Exception {
        int size = Math.max(blocks, pairs / blocks * blocks);
        var guarded = new double[size];
        var bare = new double[size];
        for (int first = 0; first < size; first += blocks) {
            boolean guardFirst = random.nextBoolean();
            for (boolean on : new boolean[] {guardFirst, !guardFirst}) {
                if (!on) {
                    // Also a phase without hooks begins with compiled code thrown away.
                    BlockingGuard.forAllLoops().close();
                }
                try (var _ = !on ? null : onLoop ? BlockingGuard.forThisLoop() : BlockingGuard.forAllLoops()) {
                    sockets.roundTrips(before);
                    for (int block = first; block < first + blocks; block++) {
                        (on ? guarded : bare)[block] = block(sockets);
                    }
                }
            }
        }
        print(what, guarded, bare);
    }

    private static double block(SocketPair sockets) throws IOException {
        long start = System.nanoTime();
        sockets.roundTrips(BLOCK);
        return (System.nanoTime() - start) / (double) BLOCK;
    }

    private static void print(String where, double[] guarded, double[] bare) {
        var differences = new double[guarded.length];
        int slower = 0;
        for (int i = 0; i < guarded.length; i++) {
            differences[i] = guarded[i] - bare[i];
            slower += differences[i] > 0 ? 1 : 0;
        }
        System.out.printf(Locale.ROOT, "%n%s, ns a round trip of four calls%n", where);
        line("guarded", guarded);
        line("unguarded", bare);
        line("paired difference", differences);
        System.out.printf(
                Locale.ROOT,
                "  a call, by the median of the difference: %.1f ns; the guard was slower in %d of %d pairs%n",
                at(differences, 0.5) / SocketPair.CALLS,
                slower,
                guarded.length);
    }

    private static void line(String what, double[] values) {
        System.out.printf(
                Locale.ROOT,
                "  %-18s median %8.0f   p95 %8.0f   mean %8.0f%n",
                what,
                at(values, 0.5),
                at(values, 0.95),
                Arrays.stream(values).average().orElse(Double.NaN));
    }

    private static double at(double[] values, double quantile) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
    }

    /** A line of its own: who opens a guard for each request pays this, and nothing of the above. */
    private void openingAndClosing(EventLoop loop) throws Exception {
        var opening = new ArrayList<Double>();
        var closing = new ArrayList<Double>();
        var nested = new ArrayList<Double>();
        for (int i = 0; i < 11; i++) {
            long start = System.nanoTime();
            var guard = BlockingGuard.forAllLoops();
            opening.add((System.nanoTime() - start) / 1e6);
            long inside = System.nanoTime();
            onLoop(loop, () -> {
                BlockingGuard.forThisLoop().close();
                return null;
            });
            nested.add((System.nanoTime() - inside) / 1e6);
            long end = System.nanoTime();
            guard.close();
            closing.add((System.nanoTime() - end) / 1e6);
        }
        System.out.printf(
                Locale.ROOT,
                "%nentering and leaving, ms: the first time %.1f and %.1f; then the first guard %.1f and the last %.1f,"
                        + " one inside another %.3f for both (medians of 10)%n",
                opening.getFirst(),
                closing.getFirst(),
                median(opening),
                median(closing),
                median(nested));
    }

    private static double median(List<Double> values) {
        return at(values.stream().skip(1).mapToDouble(Double::doubleValue).toArray(), 0.5);
    }

    /** The cheapest call that has a hook, on a thread that is no loop: it has a permit, so that it does not wait. */
    private void parking() throws Exception {
        int rounds = 15;
        var guarded = new double[rounds];
        var bare = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            boolean guardFirst = random.nextBoolean();
            for (boolean on : new boolean[] {guardFirst, !guardFirst}) {
                if (!on) {
                    BlockingGuard.forAllLoops().close();
                }
                try (var _ = on ? BlockingGuard.forAllLoops() : null) {
                    int calls = 1_000_000;
                    park(calls);
                    long start = CPU.getCurrentThreadCpuTime();
                    park(calls);
                    (on ? guarded : bare)[round] = (CPU.getCurrentThreadCpuTime() - start) / (double) calls;
                }
            }
        }
        var differences = new double[rounds];
        Arrays.setAll(differences, i -> guarded[i] - bare[i]);
        System.out.printf(
                Locale.ROOT,
                "%nunpark and park on another thread, ns of CPU: with hooks %.1f, without %.1f, paired difference %.1f"
                        + " (medians of %d)%n",
                at(guarded, 0.5),
                at(bare, 0.5),
                at(differences, 0.5),
                rounds);
    }

    private static void park(int times) {
        for (int i = 0; i < times; i += PARKS) {
            parkSome(Thread.currentThread());
        }
    }

    /** Often called and short, so that it is compiled as a whole. */
    private static void parkSome(Thread self) {
        for (int i = 0; i < PARKS; i++) {
            LockSupport.unpark(self);
            LockSupport.park();
        }
    }

    /** From a call to its error in a handler. It says how soon one knows, and nothing about speed. */
    private static void detection(EventLoop loop) throws Exception {
        var times = new double[200];
        try (var _ = BlockingGuard.forAllLoops()) {
            onLoop(loop, () -> {
                for (int i = 0; i < times.length; i++) {
                    long start = System.nanoTime();
                    try {
                        Thread.sleep(1);
                    } catch (BlockingCallError expected) {
                        times[i] = (System.nanoTime() - start) / 1e3;
                    }
                }
                return null;
            });
        }
        System.out.printf(
                Locale.ROOT,
                "%ntime to detection, which is no measure of speed, µs: the first %.0f, median %.0f, p95 %.0f%n",
                times[0],
                at(times, 0.5),
                at(times, 0.95));
    }
}
