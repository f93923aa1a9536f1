package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Retry;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.concurrent.TaskGroupException;
import io.github.uvloop4j.concurrent.TaskLocal;
import io.github.uvloop4j.concurrent.Timeout;
import io.github.uvloop4j.pool.ConnectionPool;
import io.github.uvloop4j.pool.PoolOptions;
import io.github.uvloop4j.sync.AsyncQueue;
import io.github.uvloop4j.sync.Lock;
import io.github.uvloop4j.work.WorkPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What the guide "Tasks" shows, as a program that runs. */
public final class TaskGuide {
    private static final TaskLocal<String> REQUEST = TaskLocal.of("request", "none");

    private final EventLoop loop;

    private TaskGuide(EventLoop loop) {
        this.loop = loop;
    }

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        EventLoop.run(loop -> {
            var guide = new TaskGuide(loop);
            guide.start();
            guide.groups();
            guide.resource();
            guide.timeouts();
            guide.cancels();
            guide.combining();
            guide.locks();
            guide.queues();
            guide.pools();
            guide.work();
            guide.bridges();
            guide.context();
        });
    }

    private String fetch(String name) throws Exception {
        Task.sleep(Duration.ofMillis(5));
        if (name.isEmpty()) {
            throw new IOException("nothing to fetch");
        }
        return "page " + name;
    }

    private void start() throws Exception {
        var task = loop.spawn(() -> fetch("a"));
        System.out.println(task.await());
    }

    private void groups() throws Exception {
        try {
            TaskGroup.run(group -> {
                group.spawn(() -> fetch("a"));
                group.spawn(() -> fetch("b"));
                group.spawn(() -> fetch("")); // fails: the others are cancelled
            });
        } catch (TaskGroupException e) {
            System.out.println(e.first().getMessage());
        }
    }

    private void resource() throws Exception {
        try (var group = TaskGroup.open("pages")) {
            group.onFailure((task, error) -> System.out.println(task.name() + " failed"));
            var a = group.spawn("first page", () -> fetch("a"));
            group.join();
            System.out.println(a.resultNow());
        }
    }

    private void timeouts() throws Exception {
        try {
            var page = Timeout.after(Duration.ofSeconds(3)).call(limit -> {
                var head = fetch("head");
                limit.reschedule(Duration.ofSeconds(10));
                return head + fetch("body");
            });
            System.out.println(page);
        } catch (TimeoutException e) {
            System.out.println("too slow");
        }
    }

    private void cancels() throws Exception {
        var task = loop.spawn(() -> {
            try {
                Task.sleep(Duration.ofMinutes(1));
            } finally {
                Task.sleep(Duration.ofMillis(1)); // clean-up may await
                Task.shielded(() -> fetch("farewell")); // this part no second cancel cuts short
            }
        });
        Task.sleep(Duration.ZERO);
        task.cancel();
        try {
            task.await();
        } catch (CancellationException expected) {
            System.out.println(task + " after " + task.cancelling() + " request");
        }
    }

    private void combining() throws Exception {
        var tasks = List.of(loop.spawn(() -> fetch("a")), loop.spawn(() -> fetch("b")));
        System.out.println(Combine.gather(tasks).await());

        var more = List.of(loop.spawn(() -> fetch("c")), loop.spawn(() -> fetch("d")));
        for (var done : Combine.asCompleted(more)) {
            System.out.println(done.await());
        }

        var names = List.of("a", "b", "c", "d", "e");
        System.out.println(Combine.mapConcurrently(2, names, this::fetch));

        String fastest = Combine.race(() -> fetch("mirror 1"), () -> fetch("mirror 2"));
        System.out.println(fastest);

        var retry = Retry.times(5).attemptLimit(Duration.ofSeconds(2));
        System.out.println(retry.call(() -> fetch("flaky")));
    }

    private void locks() throws Exception {
        var lock = new Lock();
        TaskGroup.run(group -> {
            for (var name : List.of("a", "b")) {
                group.spawn(() -> {
                    try (var _ = lock.hold()) {
                        System.out.println(fetch(name)); // one after the other
                    }
                });
            }
        });
    }

    private void queues() throws Exception {
        var jobs = AsyncQueue.<String>fifo(100); // put parks when 100 wait
        TaskGroup.run(group -> {
            for (int i = 0; i < 2; i++) {
                group.spawn(() -> {
                    while (true) {
                        System.out.println(fetch(jobs.get()));
                        jobs.taskDone();
                    }
                });
            }
            for (var name : List.of("a", "b", "c")) {
                jobs.put(name);
            }
            jobs.join();
            group.cancel();
        });
    }

    private void pools() throws Exception {
        try (var listener = loop.net().listen("127.0.0.1", 0)) {
            var greeter = loop.spawn(() -> {
                try (var peer = listener.accept()) {
                    for (var line = peer.readLine(); line != null; line = peer.readLine()) {
                        peer.write("hello " + line + '\n');
                    }
                }
            });
            int port = listener.port();
            var options = PoolOptions.defaults().maxSize(4);
            try (var pool = new ConnectionPool<>(() -> loop.net().openConnection("127.0.0.1", port), options)) {
                for (var name : List.of("ann", "bob")) {
                    var reply = pool.call(connection -> {
                        connection.write(name + '\n');
                        return connection.readLine();
                    });
                    System.out.println(reply);
                }
                System.out.println(pool.statistics());
            }
            greeter.await();
        }
    }

    private void work() throws Exception {
        int read = loop.runInExecutor(() -> System.in.available()).await(); // may block
        long sum = loop.runOnCpu(() -> sumTo(1_000_000)).await(); // computes

        var sums = loop.adaptive("sums", WorkPolicy.cpuBound());
        for (int i = 0; i < 100; i++) {
            sum += sums.call(() -> sumTo(1_000)); // goes to the loop once it is known to be short
        }
        System.out.println(read + " " + sum + " " + sums.statistics().decision());
    }

    private static long sumTo(int last) {
        long sum = 0;
        for (int i = 0; i <= last; i++) {
            sum += i;
        }
        return sum;
    }

    private void bridges() throws Exception {
        try (var executor = loop.executorService()) { // its work runs as tasks; close waits for it, the loop goes on
            executor.scheduleAtFixedRate(() -> System.out.println("tick"), 0, 10, TimeUnit.MILLISECONDS);
            System.out.println(executor.submit(() -> fetch("a")).get());
        }
        var later = CompletableFuture.supplyAsync(() -> "from elsewhere");
        System.out.println(LoopFuture.from(later).await()); // any CompletionStage
    }

    private void context() throws Exception {
        REQUEST.set("42");
        LoopFuture<String> seen = loop.spawn(() -> REQUEST.get());
        System.out.println(seen.await());
    }
}
