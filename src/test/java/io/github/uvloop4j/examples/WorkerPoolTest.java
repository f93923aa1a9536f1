package io.github.uvloop4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Combine;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.concurrent.TaskGroup;
import io.github.uvloop4j.sync.QueueShutdownException;
import io.github.uvloop4j.testing.ChildJvm;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker pool: on a loop of the test's, and as a program. */
@Timeout(120)
@ExtendWith(LoopExtension.class)
class WorkerPoolTest {
    private final ArrayList<Integer> done = new ArrayList<>();
    private int busy;
    private int mostBusy;

    private int work(int input) throws Exception {
        mostBusy = Math.max(mostBusy, ++busy);
        try {
            Task.sleep(Duration.ZERO);
            if (input % 5 == 3) {
                throw new IOException("bad job " + input);
            }
            done.add(input);
            return -input;
        } finally {
            busy--;
        }
    }

    @Test
    void doesAllThatWasQueuedBeforeTheDrain(EventLoop loop) throws Exception {
        loop.run(() -> {
            var results = new ArrayList<LoopFuture<Integer>>();
            TaskGroup.run(group -> {
                var pool = new WorkerPool<Integer, Integer>(loop, group, 3, this::work);
                for (int i = 10; i < 13; i++) {
                    results.add(pool.submit(i));
                }
                pool.drain();
                assertThatThrownBy(() -> pool.submit(14)).isInstanceOf(QueueShutdownException.class);
            });
            assertThat(Combine.gather(results).result()).containsExactly(-10, -11, -12);
        });
        assertThat(done).containsExactly(10, 11, 12);
    }

    @Test
    @Tag("cells")
    void aFailureIsItsJobsAlone(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            var pool = new WorkerPool<Integer, Integer>(loop, group, 2, this::work);
            var results = new ArrayList<LoopFuture<Integer>>();
            for (int i = 0; i < 100; i++) {
                results.add(pool.submit(i));
            }
            pool.drain();
            var outcomes = Combine.gatherOutcomes(results).await();
            assertThat(outcomes.get(4).value()).isEqualTo(-4);
            assertThat(outcomes.get(3).error()).isInstanceOf(IOException.class).hasMessage("bad job 3");
            assertThat(outcomes.stream().filter(outcome -> !outcome.isSuccess()))
                    .hasSize(20);
        }));
        assertThat(mostBusy).isEqualTo(2);
    }

    @Test
    void whoSubmitsWaitsWhileTooManyJobsWait(EventLoop loop) throws Exception {
        loop.run(() -> TaskGroup.run(group -> {
            var gate = loop.<Integer>createFuture();
            var pool = new WorkerPool<Integer, Integer>(loop, group, 1, input -> gate.await());
            var submitted = new ArrayList<Integer>();
            var submitting = group.spawn(() -> {
                for (int i = 0; i < 9; i++) {
                    pool.submit(i);
                    submitted.add(i);
                }
                pool.drain();
            });
            for (int i = 0; i < 20; i++) {
                Task.sleep(Duration.ZERO);
            }
            assertThat(submitted).as("one at work, two wait").hasSize(3);
            assertThat(submitting.isDone()).isFalse();
            gate.complete(1);
        }));
    }

    @Test
    void theProgramFactorises() throws Exception {
        var result = new ChildJvm().run(WorkerPool.class, "97", "360", "many", "1", "1000036000099");
        assertThat(result.output().lines())
                .containsExactly(
                        "97 = [97]",
                        "360 = [2, 2, 2, 3, 3, 5]",
                        "many failed: java.lang.NumberFormatException: For input string: \"many\"",
                        "1 failed: java.lang.IllegalArgumentException: has no factors",
                        "1000036000099 = [1000003, 1000033]");
        assertThat(result.exitCode()).isZero();
    }
}
