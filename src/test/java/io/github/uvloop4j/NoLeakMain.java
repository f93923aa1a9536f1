package io.github.uvloop4j;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.uv.UvPool;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pins a thread as the first thing that it does, starts from that thread whatever starts threads and processes, and
 * tells who has which CPUs. The arguments: who is pinned (main, loop), the CPU, and all CPUs.
 */
final class NoLeakMain {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final CpuSet all;
    private final CpuSet cpu;
    private final AtomicLong pinned = new AtomicLong();
    private final List<Process> children = new ArrayList<>();
    private Timer timer;
    private final CountDownLatch end = new CountDownLatch(1);

    private NoLeakMain(CpuSet cpu, CpuSet all) {
        this.cpu = cpu;
        this.all = all;
    }

    public static void main(String[] arguments) throws Exception {
        var main = new NoLeakMain(CpuSet.parse(arguments[1]), CpuSet.parse(arguments[2]));
        try {
            if (arguments[0].equals("main")) {
                main.pinMain();
            } else {
                main.pinLoop();
            }
            main.report();
        } finally {
            main.children.forEach(child -> {
                child.descendants().forEach(ProcessHandle::destroyForcibly);
                child.destroyForcibly();
            });
        }
        System.exit(0);
    }

    private void pinMain() throws Exception {
        Affinity.pin(cpu);
        pinned.set(Affinity.threadId());
        startAll();
        UvPool.start();
        try (var loop = EventLoop.create()) {
            loop.run(() -> startFrom(loop));
            loop.run(() -> {});
        }
    }

    private void pinLoop() throws Exception {
        var loop = EventLoop.create(LoopOptions.defaults().pin(cpu)).start();
        var started = new CompletableFuture<Boolean>();
        loop.post(() -> {
            try {
                pinned.set(Affinity.threadId());
                startAll();
                startFrom(loop);
                started.complete(true);
            } catch (Throwable error) {
                started.completeExceptionally(error);
            }
        });
        started.get();
        loop.call(() -> {});
    }

    /** What the JDK and the system start. */
    private void startAll() throws IOException {
        var executor = Executors.newFixedThreadPool(2);
        executor.execute(this::waitForTheEnd);
        executor.execute(this::waitForTheEnd);
        Executors.newScheduledThreadPool(1).schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
        CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(() -> {});
        for (int i = 0; i < 4; i++) {
            CompletableFuture.runAsync(() -> {});
        }
        timer = new Timer("timer");
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {}
                },
                1);
        var server = AsynchronousServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).accept();
        var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            try {
                socket.accept();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        children.add(new ProcessBuilder("sleep", "60").start());
        children.add(new ProcessBuilder("sh", "-c", "sleep 60 & sleep 60; wait").start());
    }

    /** What a loop starts. On its thread or in a task of it. */
    private void startFrom(EventLoop loop) {
        loop.runInExecutor(() -> 1);
        loop.runOnCpu(() -> {
            waitForTheEnd();
            return 1;
        });
        loop.spawn(() -> {});
        loop.callSoon(() -> {
            throw new IllegalStateException("for the log");
        });
    }

    private void waitForTheEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() throws Exception {
        System.out.println("carriers at once: " + carriersAtOnce());
        long start = System.nanoTime();
        Map<String, CpuSet> wrong = wrong();
        System.out.println("at first: " + wrong);
        while (!wrong.isEmpty() && System.nanoTime() - start < LIMIT_NANOS) {
            Thread.sleep(2);
            wrong = wrong();
        }
        System.out.println("after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        System.out.println("leaked: " + wrong);
        System.out.println("pinned: " + Affinity.of(pinned.get()));
        System.out.println("processors: " + Affinity.availableProcessors());
        System.out.println(
                "descendants: " + ProcessHandle.current().descendants().count());
        System.out.println("threads: " + names());
        timer.cancel();
    }

    /** So many virtual threads run at the same time as there are processors; 0 when they do not. */
    private static int carriersAtOnce() throws InterruptedException {
        int count = Affinity.availableProcessors();
        var arrived = new CountDownLatch(count);
        var together = new CountDownLatch(count);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Thread.ofVirtual().start(() -> {
                arrived.countDown();
                while (arrived.getCount() > 0 && System.nanoTime() - start < LIMIT_NANOS) {
                    Thread.onSpinWait();
                }
                together.countDown();
            });
        }
        together.await();
        return arrived.getCount() == 0 ? count : 0;
    }

    /** The threads and processes that do not have all CPUs, but for the pinned one. */
    private Map<String, CpuSet> wrong() {
        var wrong = new TreeMap<String, CpuSet>();
        addWrong(Path.of("/proc/self/task"), wrong);
        ProcessHandle.current()
                .descendants()
                .forEach(child -> addWrong(Path.of("/proc/" + child.pid() + "/task"), wrong));
        return wrong;
    }

    private void addWrong(Path tasks, Map<String, CpuSet> wrong) {
        var names = tasks.toFile().list();
        for (var tid : names == null ? new String[0] : names) {
            try {
                var lines = Files.readAllLines(tasks.resolve(tid).resolve("status"));
                var cpus = CpuSet.parse(field(lines, "Cpus_allowed_list"));
                if (!cpus.equals(all) && Long.parseLong(tid) != pinned.get()) {
                    wrong.put(tid + " " + field(lines, "Name"), cpus);
                }
            } catch (IOException ended) {
                // It has no CPUs any more.
            }
        }
    }

    private static String field(List<String> lines, String name) throws IOException {
        for (var line : lines) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        throw new IOException("no " + name);
    }

    private static List<String> names() {
        var names = new ArrayList<String>();
        for (var tid : new File("/proc/self/task").list()) {
            try {
                names.add(Files.readString(Path.of("/proc/self/task", tid, "comm"))
                        .strip());
            } catch (IOException ended) {
                // It has no name any more.
            }
        }
        return names.stream().sorted().toList();
    }
}
