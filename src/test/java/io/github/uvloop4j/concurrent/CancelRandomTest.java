package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random programs of nested groups, limits, shields, failures and cancels: each ends, no failure is lost, no child
 * outlives its group, requests are balanced, and a cancel from outside is never swallowed.
 */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class CancelRandomTest {
    private static final int DEPTH = 4;
    private static final int PROGRAMS = 500;

    /** A failure that must be found again. */
    private static final class Planned extends Exception {
        private static final long serialVersionUID = 1;

        Planned(int number) {
            super("failure " + number, null, true, false);
        }
    }

    /** One program: what it does is drawn while it runs. */
    private static final class Program {
        private final EventLoop loop;
        private final Random random;
        private final List<Throwable> thrown = new ArrayList<>();
        private final Set<Throwable> found = Collections.newSetFromMap(new IdentityHashMap<>());
        private final List<String> broken = new ArrayList<>();
        private final Set<Task<?>> inScope = Collections.newSetFromMap(new IdentityHashMap<>());

        /** What was asked of a task by others than its own scopes: the program counts along. */
        private final IdentityHashMap<Task<?>, Integer> outside = new IdentityHashMap<>();

        Program(EventLoop loop, long seed) {
            this.loop = loop;
            this.random = new Random(seed);
        }

        /**
         * One part.
         *
         * @param mayWait whether something will cut off a part that waits for ever
         */
        void part(int depth, boolean mayWait) throws Exception {
            int steps = 1 + random.nextInt(3);
            for (int i = 0; i < steps; i++) {
                step(depth, mayWait);
            }
        }

        private void step(int depth, boolean mayWait) throws Exception {
            switch (random.nextInt(depth == 0 ? 4 : 13)) {
                case 0, 1 -> Turns.wait(random.nextInt(4));
                case 2 -> {
                    if (mayWait) {
                        Turns.forever();
                    }
                }
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        var failure = new Planned(thrown.size());
                        thrown.add(failure);
                        throw failure;
                    }
                }
                case 4, 5 -> balanced("run", () -> runGroup(depth, mayWait));
                case 6, 7 -> balanced("open", () -> openGroup(depth, mayWait));
                case 8, 9 -> balanced("timeout", () -> limited(depth));
                case 10 -> balanced("shield", () -> Task.shielded(() -> part(depth - 1, false)));
                case 11 -> cleanUp(depth, mayWait);
                default -> {
                    try {
                        part(depth - 1, mayWait);
                    } catch (TaskGroupException | TimeoutException | Planned e) {
                        collect(e);
                    }
                }
            }
        }

        /** The outermost scope of a task leaves as many requests as it found, but for those from outside. */
        private void balanced(String what, TaskBody scope) throws Exception {
            var task = Task.current();
            boolean outermost = inScope.add(task);
            int before = task.cancelling() - outsideRequests(task);
            try {
                scope.run();
            } finally {
                int more = task.cancelling() - outsideRequests(task) - before;
                // The group of a child may have cancelled it meanwhile.
                int most = !outermost ? Integer.MAX_VALUE : task.name().equals("root") ? 0 : 1;
                if (more < 0 || more > most) {
                    broken.add(what + " left " + more + " more requests than it found");
                }
                if (outermost) {
                    inScope.remove(task);
                }
            }
        }

        private int outsideRequests(Task<?> task) {
            return outside.getOrDefault(task, 0);
        }

        private void cleanUp(int depth, boolean mayWait) throws Exception {
            try {
                part(depth - 1, mayWait);
            } catch (Throwable error) {
                try {
                    part(depth - 1, false);
                } catch (CancellationException cancel) {
                    if (error instanceof CancellationException) {
                        error.addSuppressed(cancel);
                    } else {
                        cancel.addSuppressed(error);
                        throw cancel;
                    }
                } catch (Throwable later) {
                    error.addSuppressed(later);
                }
                throw error;
            }
        }

        private void runGroup(int depth, boolean mayWait) throws Exception {
            var children = new ArrayList<Task<?>>();
            try {
                TaskGroup.run(group -> {
                    spawn(group, children, depth, mayWait);
                    part(depth - 1, mayWait);
                    spawn(group, children, depth, mayWait);
                });
            } finally {
                ended(children);
            }
        }

        private void openGroup(int depth, boolean mayWait) throws Exception {
            var children = new ArrayList<Task<?>>();
            try (var group = TaskGroup.open()) {
                spawn(group, children, depth, mayWait);
                part(depth - 1, mayWait);
                group.join();
            } finally {
                ended(children);
            }
        }

        private void ended(List<Task<?>> children) {
            for (var child : children) {
                if (!child.isDone()) {
                    broken.add(child + " outlived its group");
                }
            }
        }

        private void spawn(TaskGroup group, List<Task<?>> children, int depth, boolean mayWait) {
            for (int i = random.nextInt(3); i > 0; i--) {
                var child = group.spawn(() -> {
                    if (random.nextInt(12) == 0) {
                        group.cancel();
                    }
                    part(depth - 1, mayWait);
                });
                children.add(child);
                if (random.nextInt(10) == 0) {
                    Turns.later(loop, 1 + random.nextInt(5), () -> cancel(child));
                }
            }
        }

        private void cancel(Task<?> task) {
            if (task.cancel()) {
                outside.merge(task, 1, Integer::sum);
            }
        }

        private void limited(int depth) throws Exception {
            Timeout.never().run(limit -> {
                Turns.later(loop, 1 + random.nextInt(6), () -> {
                    if (limit.toString().contains("active")) {
                        limit.reschedule(Duration.ZERO);
                    }
                });
                part(depth - 1, true);
            });
        }

        /** Finds all failures in a tree of exceptions. */
        void collect(Throwable error) {
            if (error == null || !found.add(error)) {
                return;
            }
            collect(error.getCause());
            for (var other : error.getSuppressed()) {
                collect(other);
            }
        }

        List<Throwable> lost() {
            return thrown.stream().filter(failure -> !found.contains(failure)).toList();
        }
    }

    @ParameterizedTest
    @Tag("cells")
    @ValueSource(longs = {1, 2, 3, 4})
    void programsKeepTheirPromises(long seed, EventLoop loop, LoopExtension.Errors errors) {
        var seeds = new Random(seed);
        for (int i = 0; i < PROGRAMS; i++) {
            long number = seeds.nextLong();
            check(loop, errors, number);
        }
    }

    private static void check(EventLoop loop, LoopExtension.Errors errors, long seed) {
        var what = "the program of seed " + seed;
        var program = new Program(loop, seed);
        var seen = new ArrayList<String>();
        var root = loop.spawn("root", () -> {
            var task = Task.current();
            try {
                program.part(DEPTH, true);
                seen.add("returned");
            } catch (CancellationException e) {
                program.collect(e);
                seen.add("cancelled");
                throw e;
            } catch (Throwable e) {
                program.collect(e);
                seen.add("failed");
            }
            return task.cancelling();
        });
        int cancelAfter = 1 + new Random(~seed).nextInt(30);
        int turns = 0;
        while (!root.isDone() && turns < 3_000) {
            loop.runOnce();
            if (++turns == cancelAfter) {
                program.cancel(root);
            }
        }
        assertThat(root.isDone()).as("%s ends: %s", what, seen).isTrue();
        for (int i = 0; i < 20; i++) {
            loop.runOnce();
        }
        assertThat(loop.taskCount()).as("%s leaves no task", what).isZero();
        assertThat(program.broken).as(what).isEmpty();
        for (var report : errors.take()) {
            program.collect(report.exception());
        }
        assertThat(program.lost()).as("%s loses no failure: %s", what, seen).isEmpty();
        int asked = program.outsideRequests(root);
        assertThat(root.cancelling()).as("%s balances its requests", what).isEqualTo(asked);
        assertThat(root.isCancelled())
                .as("%s, asked %d times, is cancelled: %s", what, asked, seen)
                .isEqualTo(asked > 0);
    }
}
