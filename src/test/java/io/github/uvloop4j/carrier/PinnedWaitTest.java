package io.github.uvloop4j.carrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.Until;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits in class initialisers and below native frames, where a task cannot leave the loop thread. */
@Tag("carrier")
@Timeout(60)
class PinnedWaitTest {
    private final Logged logged = new Logged();
    private final RunningLoop running = RunningLoop.onCarrier();

    @AfterEach
    void close() {
        running.close();
        logged.close();
    }

    private static <T> T unchecked(LoopFuture<T> future) {
        try {
            return future.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the classes below wait for; set before they are used. */
    private static final class Given {
        static final Callable<String> WORK = () -> "worked";
        static volatile LoopFuture<String> future = new LoopFuture<>();
        static volatile CountDownLatch gate = new CountDownLatch(1);
        static volatile CountDownLatch inside = new CountDownLatch(1);
    }

    private static final class NeverTold {
        static final String VALUE = unchecked(Given.future);
    }

    @Test
    void awaitInAClassInitialiserThatNobodyEndsFailsAndIsNamed() throws Exception {
        Given.future = running.loop().createFuture();
        var task = running.loop()
                .submit(() ->
                        running.loop().spawn("unlucky", () -> NeverTold.VALUE).await());
        assertThatThrownBy(() -> RunningLoop.result(task))
                .cause()
                .isInstanceOf(ExceptionInInitializerError.class)
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("task unlucky awaits in the class initialiser of " + NeverTold.class.getName());
        assertThat(logged.await("task unlucky awaits in the class initialiser")
                        .getThrown()
                        .getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("<clinit>");
        assertThat(RunningLoop.result(running.loop().submit(() -> "lives on"))).isEqualTo("lives on");
    }

    private static final class TriesAgain {
        static final int FAILED;

        static {
            int failed = 0;
            for (int i = 0; i < 2; i++) {
                try {
                    Given.future.await();
                } catch (IllegalStateException pinned) {
                    failed++;
                } catch (Exception other) {
                    throw new AssertionError(other);
                }
            }
            FAILED = failed;
        }
    }

    @Test
    void eachAwaitOfAClassInitialiserFails() throws Exception {
        Given.future = running.loop().createFuture();
        assertThat(RunningLoop.result(running.loop().submit(() -> TriesAgain.FAILED)))
                .isEqualTo(2);
    }

    private static final class ToldInTime {
        static final String VALUE;

        static {
            Given.inside.countDown();
            VALUE = unchecked(Given.future);
        }
    }

    @Test
    void awaitInAClassInitialiserThatAnotherThreadEndsInTimeGoesOn() throws Exception {
        Given.future = running.loop().createFuture();
        Given.inside = new CountDownLatch(1);
        var task = running.loop().submit(() -> ToldInTime.VALUE);
        Given.inside.await();
        Given.future.complete("told");
        assertThat(RunningLoop.result(task)).isEqualTo("told");
    }

    private static final class Worker {
        static final String VALUE;

        static {
            VALUE = unchecked(EventLoop.current().runInExecutor(Given.WORK));
        }
    }

    @Test
    void resultOfAWorkerReachesAClassInitialiser() throws Exception {
        assertThat(RunningLoop.result(running.loop().submit(() -> Worker.VALUE)))
                .isEqualTo("worked");
    }

    private static final class WaitsForItself {
        static final String VALUE = unchecked(EventLoop.current().runInExecutor(() -> "needs the class"));
    }

    @Test
    void classInitialiserThatWaitsForCodeOfItsOwnClassFails() {
        assertThatThrownBy(() -> RunningLoop.result(running.loop().submit(() -> WaitsForItself.VALUE)))
                .hasRootCauseInstanceOf(IllegalStateException.class);
    }

    private static final class Parked {
        static final boolean DONE;

        static {
            Objects.requireNonNull(Task.current()).park();
            DONE = true;
        }
    }

    @Test
    void parkInAClassInitialiserEndsAsByACancelSoThatItsCallersHandBack() {
        assertThatThrownBy(() -> RunningLoop.result(running.loop().submit(() -> Parked.DONE)))
                .hasRootCauseInstanceOf(CancellationException.class)
                .rootCause()
                .hasMessageContaining("in the class initialiser of " + Parked.class.getName());
    }

    private static final class Latched {
        static final boolean DONE;

        static {
            try {
                Given.gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            DONE = true;
        }
    }

    @Test
    void callOfTheJdkThatBlocksTheLoopInAClassInitialiserIsNamed() throws Exception {
        Given.gate = new CountDownLatch(1);
        var task = running.loop()
                .submit(() ->
                        running.loop().spawn("latched", () -> Latched.DONE).await());
        var entry = logged.await(
                "task latched has been blocked for a second in the class initialiser of " + Latched.class.getName());
        assertThat(entry.getThrown().getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("<clinit>");
        Given.gate.countDown();
        assertThat(RunningLoop.result(task)).isTrue();
    }

    /** Calls an action from C, below the task's frames. */
    private static void belowNative(Runnable action) throws Throwable {
        var linker = Linker.nativeLinker();
        var sort = linker.downcallHandle(
                linker.defaultLookup().find("qsort").orElseThrow(),
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        var compare = MethodHandles.lookup()
                .findStatic(
                        PinnedWaitTest.class,
                        "compare",
                        MethodType.methodType(int.class, Runnable.class, MemorySegment.class, MemorySegment.class))
                .bindTo(action);
        try (var arena = Arena.ofShared()) {
            var stub = linker.upcallStub(
                    compare,
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                    arena);
            sort.invokeExact(arena.allocate(16), 2L, 8L, stub);
        }
    }

    @SuppressWarnings("unused") // through the stub
    private static int compare(Runnable action, MemorySegment left, MemorySegment right) {
        action.run();
        return 0;
    }

    private static <T> T belowNative(Supplier<T> body) {
        var result = new AtomicReference<T>();
        try {
            belowNative(() -> result.set(body.get()));
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return result.get();
    }

    @Test
    void awaitBelowANativeFrameIsNamedButNotFailed() throws Exception {
        LoopFuture<String> future = running.loop().createFuture();
        var task = running.loop()
                .submit(() -> running.loop()
                        .spawn("sorter", () -> belowNative(() -> unchecked(future)))
                        .await());
        var entry = logged.await("task sorter awaits below a native frame");
        assertThat(entry.getThrown().getStackTrace())
                .extracting(StackTraceElement::getMethodName)
                .contains("compare");
        future.complete("sorted");
        assertThat(RunningLoop.result(task)).isEqualTo("sorted");
    }

    private static final class Sorter {
        static final String VALUE = belowNative(() -> unchecked(Given.future));
    }

    @Test
    void awaitBelowANativeFrameInAClassInitialiserIsNotFailed() throws Exception {
        LoopFuture<String> future = running.loop().createFuture();
        Given.future = future;
        var task = running.loop()
                .submit(() -> running.loop().spawn("both", () -> Sorter.VALUE).await());
        logged.await("task both awaits below a native frame");
        future.complete("sorted");
        assertThat(RunningLoop.result(task)).isEqualTo("sorted");
    }

    @Test
    void awaitBelowANativeFrameIsEndedByAnotherTask() throws Exception {
        LoopFuture<String> future = running.loop().createFuture();
        var other = running.spawn(() -> {
            LockSupport.park();
            return future.complete("sorted");
        });
        Until.holds("the other is parked", () -> Until.waits(other.thread()));
        var task = running.loop()
                .submit(() -> belowNative(() -> {
                    LockSupport.unpark(other.thread());
                    return unchecked(future);
                }));
        assertThat(RunningLoop.result(task)).isEqualTo("sorted");
        assertThat(RunningLoop.result(other)).isTrue();
    }

    @Test
    void awaitThatIsNotPinnedIsNotGivenUp() throws Exception {
        LoopFuture<String> future = running.loop().createFuture();
        running.loop().post(() -> running.loop().callLater(Duration.ofMillis(1_500), () -> future.complete("late")));
        assertThat(RunningLoop.result(running.loop().submit(() -> future.await())))
                .isEqualTo("late");
    }
}
