package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that nobody holds: they go on, and what they fail with is not lost. */
@Timeout(60)
class TaskFailureTest {
    private final LinkedBlockingQueue<ExceptionContext> reports = new LinkedBlockingQueue<>();
    private EventLoop loop;

    @BeforeEach
    void start() {
        loop = EventLoop.create();
        loop.exceptionHandler(reports::add);
        loop.start();
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static TaskBody failing(String message) {
        return () -> {
            throw new IOException(message);
        };
    }

    /** Collects garbage until something is reported. */
    private ExceptionContext report() throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            System.gc();
            var report = reports.poll(20, TimeUnit.MILLISECONDS);
            if (report != null) {
                return report;
            }
        }
        return null;
    }

    @Test
    void aFailureThatNobodyLooksAtIsReported() throws Exception {
        loop.submit(() -> {
                    loop.spawn("lonely", failing("lost"));
                })
                .get();
        var report = report();
        assertThat(report).isNotNull();
        assertThat(report.message()).contains("lonely");
        assertThat(report.exception()).hasMessage("lost");
    }

    @Test
    void aFailureOfASubmittedTaskThatNobodyLooksAtIsReported() throws Exception {
        loop.submit(failing("lost"));
        var report = report();
        assertThat(report).isNotNull();
        assertThat(report.exception()).hasMessage("lost");
    }

    @Test
    void aFailureThatSomebodySawIsNotReported() throws Exception {
        loop.submit(() -> {
                    try {
                        loop.spawn(failing("awaited")).await();
                    } catch (IOException expected) {
                        // Seen.
                    }
                    loop.spawn(failing("callback")).whenDone((value, error) -> {});
                })
                .get();
        loop.submit(failing("get")).handle((value, error) -> error).get();
        loop.submit(() -> {
                    loop.spawn(failing("the last one"));
                })
                .get();
        assertThat(report().exception()).hasMessage("the last one");
        assertThat(reports).isEmpty();
    }

    @Test
    void aCancelIsNotReported() throws Exception {
        loop.submit(() -> {
                    loop.spawn(() -> {
                                loop.createFuture().await();
                            })
                            .cancel();
                    loop.spawn(failing("the last one"));
                })
                .get();
        assertThat(report().exception()).hasMessage("the last one");
        assertThat(reports).isEmpty();
    }

    @Test
    void aTaskThatNobodyHoldsGoesOn() throws Exception {
        var ended = new LinkedBlockingQueue<String>();
        var gates = new LinkedBlockingQueue<LoopFuture<String>>();
        loop.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        loop.spawn(() -> {
                            var gate = loop.<String>createFuture();
                            gates.add(gate);
                            ended.add(gate.await());
                        });
                    }
                })
                .get();
        for (int i = 0; i < 10; i++) {
            var gate = gates.poll(30, TimeUnit.SECONDS);
            System.gc();
            gate.complete("x");
            assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("x");
        }
    }

    @Test
    void anEndedTaskIsForgotten() throws Exception {
        var task = new WeakReference<LoopFuture<?>>(
                loop.submit(() -> loop.<Integer>spawn(() -> 1)).get());
        loop.submit(() -> 0).get();
        for (int i = 0; i < 500 && task.get() != null; i++) {
            System.gc();
        }
        assertThat(task.get()).isNull();
        assertThat(loop.taskCount()).isZero();
    }
}
