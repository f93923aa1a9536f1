package io.github.uvloop4j.examples;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.sync.AsyncQueue;
import io.github.uvloop4j.sync.QueueShutdownException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * A few workers that take jobs from a queue. A job that fails is no reason to stop; after {@link #drain} the workers
 * finish what is queued and end, and the group that they belong to ends with them.
 *
 * @param <J> what a job is given
 * @param <R> what comes of it
 */
public final class WorkerPool<J, R> {
    private record Job<J, R>(J input, LoopFuture<R> result) {}

    private final EventLoop loop;
    private final Combine.Step<J, R> step;
    private final AsyncQueue<Job<J, R>> jobs;

    /** Starts so many workers in a group; at most twice as many jobs wait. */
    public WorkerPool(EventLoop loop, TaskGroup group, int workers, Combine.Step<J, R> step) {
        this.loop = loop;
        this.step = step;
        this.jobs = AsyncQueue.fifo(2 * workers);
        for (int i = 0; i < workers; i++) {
            group.spawn("worker-" + i, this::work);
        }
    }

    /** Queues a job; parks the calling task while too many wait. */
    public LoopFuture<R> submit(J input) {
        var job = new Job<J, R>(input, loop.createFuture());
        jobs.put(job);
        return job.result;
    }

    /** Takes no more jobs. */
    public void drain() {
        jobs.shutdown();
    }

    private void work() throws Exception {
        try {
            while (true) {
                run(jobs.get());
            }
        } catch (QueueShutdownException drained) {
            // All jobs are done.
        }
    }

    private void run(Job<J, R> job) {
        try {
            job.result.complete(step.apply(job.input));
        } catch (CancellationException stopped) {
            job.result.cancel();
            throw stopped;
        } catch (Exception failure) {
            job.result.completeExceptionally(failure);
        }
    }

    /** Factorises the numbers in its arguments with as many workers as there are CPUs. */
    public static void main(String[] args) throws Exception {
        int cpus = Runtime.getRuntime().availableProcessors();
        EventLoop.run(loop -> TaskGroup.run(group -> {
            var pool = new WorkerPool<String, List<Long>>(loop, group, cpus, text -> {
                long number = Long.parseLong(text);
                return loop.runOnCpu(() -> factors(number)).await(); // the loop goes on meanwhile
            });
            var results = new ArrayList<LoopFuture<List<Long>>>();
            for (var text : args) {
                results.add(pool.submit(text));
            }
            pool.drain();
            var outcomes = Combine.gatherOutcomes(results).await();
            for (int i = 0; i < args.length; i++) {
                var outcome = outcomes.get(i);
                System.out.println(
                        args[i] + (outcome.isSuccess() ? " = " + outcome.value() : " failed: " + outcome.error()));
            }
        }));
    }

    private static List<Long> factors(long number) {
        if (number < 2) {
            throw new IllegalArgumentException("has no factors");
        }
        var factors = new ArrayList<Long>();
        long rest = number;
        for (long factor = 2; factor <= rest / factor; factor++) {
            while (rest % factor == 0) {
                factors.add(factor);
                rest /= factor;
            }
        }
        if (rest > 1) {
            factors.add(rest);
        }
        return factors;
    }
}
