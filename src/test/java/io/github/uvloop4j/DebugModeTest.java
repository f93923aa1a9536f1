package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DebugModeTest {
    private static EventLoop loop(boolean debug) {
        return EventLoop.create(LoopOptions.defaults().debug(debug));
    }

    /** With a limit of zero everything is slow. */
    private static EventLoop impatient() {
        return EventLoop.create(LoopOptions.defaults().debug(true).slowCallback(Duration.ZERO));
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

    private static Runnable named(String name) {
        return new Runnable() {
            @Override
            public void run() {}

            @Override
            public String toString() {
                return name;
            }
        };
    }

    @Test
    void aSlowCallbackIsNamed() {
        try (var log = new CapturedLog();
                var loop = impatient()) {
            loop.callSoon(named("slow greeting"));
            loop.runOnce();
            var entry = log.await("slow greeting");
            assertThat(entry.getLevel()).isEqualTo(Level.WARNING);
            assertThat(entry.getMessage()).contains("callback").contains("ms");
            isHere(entry.getThrown());
        }
    }

    @Test
    void aSlowTimerIsNamed() {
        try (var log = new CapturedLog();
                var loop = impatient()) {
            loop.callLater(Duration.ZERO, named("slow alarm"));
            loop.runOnce();
            assertThat(log.await("slow alarm").getMessage()).contains("timer");
        }
    }

    @Test
    void aSlowTaskIsNamed() throws Exception {
        try (var log = new CapturedLog();
                var loop = impatient()) {
            loop.runUntilComplete(loop.spawn("slow reader", () -> 1));
            var entry = log.await("slow reader");
            assertThat(entry.getMessage()).contains("task");
            isHere(entry.getThrown());
        }
    }

    @Test
    void aSlowPostIsNamed() {
        try (var log = new CapturedLog();
                var loop = impatient()) {
            loop.post(named("slow letter"));
            loop.runOnce();
            assertThat(log.await("slow letter").getLevel()).isEqualTo(Level.WARNING);
        }
    }

    @Test
    void whatIsFastIsNotNamed() {
        try (var log = new CapturedLog();
                var loop = EventLoop.create(LoopOptions.defaults().debug(true).slowCallback(Duration.ofHours(1)))) {
            loop.callSoon(named("fast greeting"));
            loop.runOnce();
            loop.callExceptionHandler(new ExceptionContext("the end", new Exception(), null, null));
            log.await("the end");
            assertThat(log.rest()).isEmpty();
        }
    }

    @Test
    void nothingIsNamedWithoutDebugMode() {
        try (var log = new CapturedLog();
                var loop = EventLoop.create(LoopOptions.defaults().debug(false).slowCallback(Duration.ZERO))) {
            loop.callSoon(named("slow greeting"));
            loop.runOnce();
            loop.callExceptionHandler(new ExceptionContext("the end", new Exception(), null, null));
            var seen = log.await(entry ->
                    entry.getMessage().contains("the end") || entry.getMessage().contains("slow greeting"));
            assertThat(seen.getMessage()).isEqualTo("the end");
        }
    }

    @Test
    void aCallbackThatCannotSayItsNameDoesNotHarm() {
        try (var log = new CapturedLog();
                var loop = impatient()) {
            var ran = new boolean[1];
            loop.callSoon(new Runnable() {
                @Override
                public void run() {
                    ran[0] = true;
                }

                @Override
                public String toString() {
                    throw new IllegalStateException("no name");
                }
            });
            loop.runOnce();
            assertThat(ran[0]).isTrue();
            assertThat(log.await("slow").getMessage()).contains("ScheduledCall");
        }
    }
}
