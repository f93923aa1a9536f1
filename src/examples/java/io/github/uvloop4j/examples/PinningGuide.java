package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.EventLoopGroup;
import io.github.uvloop4j.GroupOptions;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.Steering;
import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.CpuTopology;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.affinity.Placement;
import java.io.IOException;
import java.time.Duration;

/** What the guide "Pinning" shows, as a program that runs; on the CPUs that it may use. */
public final class PinningGuide {
    private PinningGuide() {}

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        one();
        group();
        steered();
        states();
        threads();
        child();
    }

    private static void one() {
        var cpu = CpuSet.of(Affinity.allowed().first());
        var options = LoopOptions.defaults().pin(Pinning.to(cpu).optional());
        try (var loop = EventLoop.create(options).start()) {
            loop.submit(() -> System.out.println("on CPU " + Affinity.current()))
                    .toCompletableFuture()
                    .join();
        }
    }

    private static void group() throws IOException {
        var options = GroupOptions.defaults().placement(Placement.perCore());
        try (var group = EventLoopGroup.create(options)) {
            var server = group.createServer(EchoProtocol::new, "127.0.0.1", 0);
            System.out.println(group.layout());
            System.out.println(server.address() + " is served by " + group.size() + " loops");
            group.shutdown(Duration.ofSeconds(5)); // connections may end by themselves until then
        }
    }

    private static void steered() throws IOException {
        var options = GroupOptions.defaults().placement(Placement.fixed()).steering(Steering.CPU);
        try (var group = EventLoopGroup.create(options)) {
            var server = group.startServer(
                    connection -> connection.transferTo(connection), // a task of the connection's loop
                    "127.0.0.1",
                    0);
            System.out.println("connections are steered by " + server.steering());
        }
    }

    private static void states() throws Exception {
        try (var group = EventLoopGroup.create()) {
            var loop = group.forKey("user-17"); // always the same: what belongs to the key needs no locks
            loop.call(() -> System.out.println("served by " + loop));

            var statistics = group.statistics();
            for (var each : statistics.loops()) {
                System.out.println(each.name() + ": " + each.accepted() + " connections, " + each.usage());
            }
            System.out.println("imbalance " + statistics.imbalance());
        }
    }

    private static void threads() {
        System.out.println(CpuTopology.read());
        var cpus = Affinity.allowed();
        try (var _ = Affinity.pinned(CpuSet.of(cpus.last()))) {
            System.out.println("this thread: " + Affinity.current());
        }
        System.out.println("and again: " + Affinity.current());
    }

    private static void child() throws Exception {
        EventLoop.run(loop -> {
            var child =
                    loop.runInExecutor(() -> new ProcessBuilder("true").start()).await();
            System.out.println(
                    "ended with status " + loop.runInExecutor(child::waitFor).await());
        });
    }
}
