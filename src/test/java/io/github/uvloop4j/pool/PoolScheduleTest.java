package io.github.uvloop4j.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random schedules of acquire, cancel, fail, release and time-out: no slot and no connection is lost or doubled. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class PoolScheduleTest {
    /** Randomness that starts anew for each schedule, so that a seed names a failure. */
    private static final class Schedule {
        final EventLoop loop;
        final long seed;
        final Random random;
        final Fakes fakes = new Fakes();
        final ConnectionPool<Fakes.Fake> pool;
        final ArrayList<Task<?>> tasks = new ArrayList<>();
        final ArrayList<LoopFuture<String>> gates = new ArrayList<>();
        final int maxSize;
        int served;

        Schedule(EventLoop loop, long seed) {
            this.loop = loop;
            this.seed = seed;
            this.random = new Random(seed);
            this.maxSize = 1 + random.nextInt(3);
            fakes.onConnect = this::connects;
            fakes.clean = fake -> random.nextInt(10) > 0;
            fakes.alive = () -> {
                pause();
                return random.nextInt(10) > 0;
            };
            var options = PoolOptions.defaults()
                    .maxSize(maxSize)
                    .maxWaiting(random.nextBoolean() ? Integer.MAX_VALUE : 2)
                    .validateAfterIdle(random.nextBoolean() ? Duration.ZERO : Duration.ofHours(1))
                    .order(random.nextBoolean() ? PoolOptions.Order.LIFO : PoolOptions.Order.FIFO);
            this.pool = new ConnectionPool<>(fakes, options);
        }

        @Nullable
        Object connects() throws Exception {
            pause();
            if (random.nextInt(6) == 0) {
                throw new IOException("refused");
            }
            return null;
        }

        /** Waits for a moment that the schedule chooses. */
        void pause() throws Exception {
            if (random.nextBoolean()) {
                var gate = loop.<String>createFuture();
                gates.add(gate);
                gate.await();
            }
        }

        void use() throws Exception {
            if (random.nextBoolean()) {
                pool.run(this::serve);
                return;
            }
            try (var lease = random.nextInt(8) == 0 ? pool.acquire(Duration.ofNanos(1)) : pool.acquire()) {
                serve(lease.connection());
                if (random.nextInt(4) > 0) {
                    lease.release();
                }
            }
        }

        void serve(Fakes.Fake fake) throws Exception {
            served++;
            assertThat(fake.closed).isFalse();
            pause();
            assertThat(fake.closed).isFalse();
            if (random.nextInt(6) == 0) {
                throw new IOException("half a reply");
            }
        }

        void play() throws Exception {
            int count = 2 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                tasks.add(loop.spawn(this::use));
            }
            while (tasks.stream().anyMatch(task -> !task.isDone())) {
                step();
            }
            check();
            pool.close();
            assertThat(fakes.open).as("open after close, seed %d", seed).isZero();
        }

        private void step() throws Exception {
            int events = 1 + random.nextInt(3);
            for (int i = 0; i < events; i++) {
                if (random.nextInt(5) == 0) {
                    tasks.get(random.nextInt(tasks.size())).cancel();
                } else if (!gates.isEmpty()) {
                    gates.remove(random.nextInt(gates.size())).complete("go on");
                }
            }
            Fakes.turn(loop);
        }

        private void check() {
            for (var task : tasks) {
                var failure = task.failureOrNull();
                assertThat(failure instanceof AssertionError)
                        .as("seed %d: %s", seed, failure)
                        .isFalse();
            }
            var now = pool.statistics();
            assertThat(now.size()).as("seed %d: %s", seed, now).isEqualTo(now.idle());
            assertThat(now.waiting()).as("seed %d: %s", seed, now).isZero();
            assertThat(fakes.open).as("seed %d: %s", seed, now).isEqualTo(now.idle());
            assertThat(fakes.mostOpen).as("seed %d: %s", seed, now).isLessThanOrEqualTo(maxSize);
            long ended =
                    now.discarded().values().stream().mapToLong(Long::longValue).sum();
            assertThat(now.created()).as("seed %d: %s", seed, now).isEqualTo(now.idle() + ended);
        }
    }

    private static void play(EventLoop loop, int schedules) throws Exception {
        int served = 0;
        int cancelled = 0;
        for (int seed = 0; seed < schedules; seed++) {
            var schedule = new Schedule(loop, seed);
            loop.run(schedule::play);
            served += schedule.served;
            cancelled += (int) schedule.tasks.stream()
                    .filter(task -> task.failureOrNull() instanceof CancellationException)
                    .count();
        }
        assertThat(served).isGreaterThan(schedules);
        assertThat(cancelled).isGreaterThan(schedules / 4);
    }

    @Test
    @Tag("carrier")
    void tenThousandSchedulesConserveSlots(EventLoop loop) throws Exception {
        play(loop, 10_000);
    }

    @Test
    @Tag("cells")
    void soDoAFewHundredOnEveryKindOfTask(EventLoop loop) throws Exception {
        play(loop, 300);
    }
}
