package io.github.uvloop4j.sync;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A hundred thousand random schedules: nothing is lost, nothing doubled, nobody passed over, and nobody hangs. */
@Timeout(300)
@ExtendWith(LoopExtension.class)
class SchedulesTest {
    private static final int SCHEDULES = 25_000;

    private static void runAll(EventLoop loop, BiFunction<EventLoop, Random, Schedule> maker) {
        // On the baton each step changes threads twice; debug mode takes a stack trace of every task and timer.
        int count = loop.tasksRideOnLoop() && !loop.isDebug() ? SCHEDULES : SCHEDULES / 50;
        for (int seed = 0; seed < count; seed++) {
            try {
                maker.apply(loop, new Random(seed)).run();
            } catch (Throwable error) {
                throw new AssertionError("seed " + seed, error);
            }
        }
    }

    private static final class LockSchedule extends Schedule {
        private final Lock lock = new Lock();
        private int arrived;
        private int lastServed;
        private int inside;

        LockSchedule(EventLoop loop, Random random) {
            super(loop, random);
        }

        @Override
        void use() {
            spawn(() -> {
                int place = ++arrived;
                var limit = limit();
                if (isUntimed(limit)) {
                    lock.acquire();
                } else {
                    lock.acquire(limit);
                }
                require(place > lastServed, "first come, first served");
                lastServed = place;
                require(++inside == 1, "one at a time");
                try {
                    hold(2);
                } finally {
                    inside--;
                    lock.release();
                }
            });
        }

        @Override
        void testAtRest() {
            require(lock.isLocked() == (inside == 1), "locked while one is inside");
            require(lock.isLocked() || lock.waiting() == 0, "nobody waits for a free lock");
        }

        @Override
        void letGo() {}

        @Override
        void testAtEnd() {
            require(lock.statistics().equals(new Lock.Statistics(false, null, 0)), "the lock is free");
        }
    }

    private static final class SemaphoreSchedule extends Schedule {
        private final int permits = 1 + random.nextInt(3);
        private final Semaphore semaphore = new BoundedSemaphore(permits);
        private int arrived;
        private int lastServed;
        private int held;

        SemaphoreSchedule(EventLoop loop, Random random) {
            super(loop, random);
        }

        @Override
        void use() {
            int wanted = 1 + random.nextInt(permits);
            if (random.nextInt(8) == 0) {
                boolean barred = semaphore.waiting() > 0 || semaphore.available() < wanted;
                require(semaphore.tryAcquire(wanted) == !barred, "no barging");
                if (!barred) {
                    semaphore.release(wanted);
                }
                return;
            }
            spawn(() -> {
                var limit = limit();
                int place = ++arrived;
                boolean waits = semaphore.waiting() > 0 || semaphore.available() < wanted;
                if (isUntimed(limit)) {
                    semaphore.acquire(wanted);
                    if (waits) {
                        require(place > lastServed, "first come, first served");
                        lastServed = place;
                    }
                } else {
                    semaphore.acquire(wanted, limit);
                }
                held += wanted;
                require(semaphore.available() + held <= permits, "no permit is made");
                try {
                    hold(2);
                } finally {
                    held -= wanted;
                    semaphore.release(wanted);
                }
            });
        }

        @Override
        void testAtRest() {
            require(semaphore.available() + held == permits, "no permit is lost");
            require(semaphore.available() < permits || semaphore.waiting() == 0, "nobody waits for nothing");
        }

        @Override
        void letGo() {}

        @Override
        void testAtEnd() {
            require(semaphore.statistics().equals(new Semaphore.Statistics(permits, 0)), "all permits are back");
        }
    }

    private static final class ConditionSchedule extends Schedule {
        private final Lock lock = new Lock();
        private final Condition condition = new Condition(lock);
        private int tokens;
        private int made;
        private int taken;

        ConditionSchedule(EventLoop loop, Random random) {
            super(loop, random);
        }

        @Override
        void use() {
            if (random.nextInt(5) < 2) {
                make(1 + random.nextInt(2));
                return;
            }
            spawn(() -> {
                var limit = limit();
                try (var _ = lock.hold()) {
                    boolean there = true;
                    try {
                        if (isUntimed(limit)) {
                            condition.awaitUntil(() -> tokens > 0);
                        } else {
                            there = condition.awaitUntil(() -> tokens > 0, limit);
                        }
                    } finally {
                        require(lock.owner() == loop.currentTask(), "the lock is held however it ends");
                    }
                    if (there) {
                        tokens--;
                        taken++;
                        hold(4);
                    }
                }
            });
        }

        private void make(int count) {
            spawn(() -> {
                try (var _ = lock.hold()) {
                    tokens += count;
                    made += count;
                    condition.signal(count);
                    hold(4);
                }
            });
        }

        @Override
        void testAtRest() {
            require(lock.isLocked() || tokens == 0 || condition.waiting() == 0, "no wake-up is lost");
        }

        @Override
        void letGo() {
            if (condition.waiting() > 0 && !lock.isLocked() && tokens == 0) {
                make(1);
            }
        }

        @Override
        void testAtEnd() {
            require(tokens == made - taken, "each token is taken once");
            require(lock.statistics().equals(new Lock.Statistics(false, null, 0)), "the lock is free");
            require(condition.waiting() == 0, "nobody waits");
        }
    }

    private static final class QueueSchedule extends Schedule {
        private final int kind = random.nextInt(3);
        private final AsyncQueue<Integer> queue = queue(kind, 1 + random.nextInt(3));
        private final TreeSet<Integer> in = new TreeSet<>();
        private final ArrayList<Integer> out = new ArrayList<>();
        private int next;

        QueueSchedule(EventLoop loop, Random random) {
            super(loop, random);
        }

        private static AsyncQueue<Integer> queue(int kind, int maxSize) {
            return switch (kind) {
                case 0 -> AsyncQueue.fifo(maxSize);
                case 1 -> AsyncQueue.lifo(maxSize);
                default -> AsyncQueue.priority(maxSize, Comparator.comparing(item -> item % 3));
            };
        }

        @Override
        void use() {
            switch (random.nextInt(6)) {
                case 0 -> {
                    int item = ++next;
                    if (queue.offer(item)) {
                        in.add(item);
                    }
                }
                case 1 -> {
                    var item = queue.poll();
                    if (item != null) {
                        out.add(item);
                    }
                }
                case 2, 3 -> spawn(this::put);
                default -> spawn(this::get);
            }
        }

        private void put() throws Exception {
            int item = ++next;
            var limit = limit();
            if (isUntimed(limit)) {
                queue.put(item);
            } else {
                queue.put(item, limit);
            }
            in.add(item);
        }

        private void get() throws Exception {
            var limit = limit();
            out.add(isUntimed(limit) ? queue.get() : queue.get(limit));
        }

        @Override
        void testAtRest() {
            var now = queue.statistics();
            require(now.size() == 0 || now.getting() == 0, "nobody waits for what is there");
            require(now.size() >= now.maxSize() || now.putting() == 0, "nobody waits for room that is there");
            require(in.size() == now.size() + out.size(), "what went in is in or came out");
        }

        @Override
        void letGo() {
            for (var item = queue.poll(); item != null; item = queue.poll()) {
                out.add(item);
            }
            for (int i = queue.statistics().getting(); i > 0; i--) {
                in.add(++next);
                require(queue.offer(next), "there is room for who waits");
            }
        }

        @Override
        void testAtEnd() {
            letGo();
            require(out.size() == in.size() && in.equals(new TreeSet<>(out)), "each comes out once");
            if (kind == 0) {
                require(out.equals(List.copyOf(in)), "first in, first out");
            }
        }
    }

    @Test
    @Tag("cells")
    void aLockHasOneOwnerAndServesInOrder(EventLoop loop) {
        runAll(loop, LockSchedule::new);
    }

    @Test
    @Tag("cells")
    void aSemaphoreConservesItsPermitsAndServesInOrder(EventLoop loop) {
        runAll(loop, SemaphoreSchedule::new);
    }

    @Test
    @Tag("cells")
    void aConditionLosesNoWakeUp(EventLoop loop) {
        runAll(loop, ConditionSchedule::new);
    }

    @Test
    @Tag("cells")
    void aQueueLosesNoItemAndGivesOutNoneTwice(EventLoop loop) {
        runAll(loop, QueueSchedule::new);
    }
}
