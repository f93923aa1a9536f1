package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DebugModeTest {
    private static EventLoop loop(boolean debug) {
        return EventLoop.create(LoopOptions.defaults().debug(debug));
    }

    private static void isHere(Throwable creation) {
        assertThat(creation).isNotNull();
        assertThat(creation.getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(DebugModeTest.class.getName()));
    }

    @Test
    void placesOfCreationAreRecorded() throws Exception {
        try (var loop = loop(true)) {
            isHere(loop.callSoon(() -> {}).creation());
            isHere(loop.callLater(Duration.ofHours(1), () -> {}).creation());
            isHere(loop.callLater(Duration.ZERO, () -> {}).creation());
            isHere(loop.callAt(loop.time(), () -> {}).creation());
            var task = loop.spawn(() -> 1);
            isHere(task.creation());
            loop.runUntilComplete(task);
        }
    }

    @Test
    void placesOfCreationAreNotRecordedOtherwise() throws Exception {
        try (var loop = loop(false)) {
            assertThat(loop.callSoon(() -> {}).creation()).isNull();
            assertThat(loop.callLater(Duration.ofHours(1), () -> {}).creation()).isNull();
            var task = loop.spawn(() -> 1);
            assertThat(task.creation()).isNull();
            loop.runUntilComplete(task);
        }
    }

    @Test
    void theExceptionHandlerIsToldThePlaceInDebugModeOnly() {
        for (boolean debug : new boolean[] {true, false}) {
            try (var loop = loop(debug)) {
                var seen = new ArrayList<ExceptionContext>();
                loop.exceptionHandler(seen::add);
                Runnable broken = () -> {
                    throw new IllegalStateException("x");
                };
                loop.callSoon(broken);
                loop.callLater(Duration.ZERO, broken);
                loop.runOnce();
                assertThat(seen).hasSize(2).allSatisfy(context -> {
                    if (debug) {
                        isHere(context.creation());
                    } else {
                        assertThat(context.creation()).isNull();
                    }
                });
            }
        }
    }

    @Test
    void theLogHasThePlaceOfCreation() {
        try (var log = new CapturedLog();
                var loop = loop(true)) {
            loop.callSoon(() -> {
                throw new IllegalStateException("x");
            });
            loop.runOnce();
            assertThat(log.await("a callback failed").getThrown()).hasMessage("x");
            isHere(log.await("created here").getThrown());
        }
    }

    @Test
    void canBeSwitchedWhileTheLoopLives() {
        try (var loop = loop(false)) {
            assertThat(loop.isDebug()).isFalse();
            loop.debug(true);
            assertThat(loop.isDebug()).isTrue();
            isHere(loop.callSoon(() -> {}).creation());
            loop.debug(false);
            assertThat(loop.callSoon(() -> {}).creation()).isNull();
        }
    }

    @Test
    void aPostThatFailsIsToldWithThePlaceOfThePost() {
        for (boolean ahead : new boolean[] {true, false}) {
            try (var loop = loop(true)) {
                var seen = new ArrayList<ExceptionContext>();
                loop.exceptionHandler(seen::add);
                Runnable broken = () -> {
                    throw new IllegalStateException("x");
                };
                if (ahead) {
                    loop.post(broken);
                } else {
                    loop.execute(broken);
                }
                loop.runOnce();
                assertThat(seen).hasSize(1);
                isHere(seen.getFirst().creation());
            }
        }
    }

    private interface Failing {
        void begin(EventLoop loop) throws Exception;
    }

    /** What is told of something that failed once the garbage collector has found that nobody holds it. */
    private static ExceptionContext dropped(Failing failing) throws Exception {
        var seen = new LinkedBlockingQueue<ExceptionContext>();
        try (var loop = loop(true)) {
            loop.exceptionHandler(seen::add);
            loop.start();
            failing.begin(loop);
            for (int i = 0; i < 1_000 && seen.isEmpty(); i++) {
                System.gc();
                loop.submit(() -> 1).get();
                new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
            }
        }
        assertThat(seen).hasSize(1);
        return seen.take();
    }

    private static Integer fail() {
        throw new IllegalStateException("x");
    }

    @Test
    void aTaskThatFailedUnobservedIsToldWithItsPlace() throws Exception {
        var told = dropped(loop -> loop.submit(() -> {
                    loop.spawn("loser", DebugModeTest::fail);
                })
                .get());
        assertThat(told.message()).isEqualTo("task loser failed and nobody asked for its result");
        assertThat(told.source()).hasToString("task loser");
        isHere(told.creation());
    }

    @Test
    void aSubmissionThatFailedUnobservedIsToldWithItsPlace() throws Exception {
        var told = dropped(loop -> loop.submit(DebugModeTest::fail));
        assertThat(told.message()).startsWith("task ").endsWith(" failed and nobody asked for its result");
        isHere(told.creation());
    }

    @Test
    void aCallInAnExecutorThatFailedUnobservedIsToldWithItsPlace() throws Exception {
        var told = dropped(loop -> loop.runInExecutor(DebugModeTest::fail));
        assertThat(told.message()).isEqualTo("a call in an executor failed and nobody asked for its result");
        assertThat(told.exception()).hasMessage("x");
        isHere(told.creation());
    }

    @Test
    void workOfAnExecutorServiceThatFailedUnobservedIsToldWithItsPlace() throws Exception {
        var told = dropped(loop -> loop.executorService().submit((Callable<Integer>) DebugModeTest::fail));
        assertThat(told.message()).startsWith("task executor-");
        isHere(told.creation());
    }
}
