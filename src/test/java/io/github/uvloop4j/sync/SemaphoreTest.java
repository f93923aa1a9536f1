package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Permits: taken, given back, handed over, conserved. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class SemaphoreTest {
    private final ArrayList<String> order = new ArrayList<>();

    private Task<?> taker(EventLoop loop, Semaphore semaphore, String name, int permits) {
        return loop.spawn(name, () -> {
            semaphore.acquire(permits);
            order.add(name);
        });
    }

    @Test
    void hasAsManyPermitsAsItIsGiven(EventLoop loop) {
        var semaphore = new Semaphore(2);
        assertThat(semaphore.available()).isEqualTo(2);
        assertThat(semaphore.tryAcquire()).isTrue();
        assertThat(semaphore.tryAcquire()).isTrue();
        assertThat(semaphore.tryAcquire()).isFalse();
        semaphore.release(2);
        assertThat(semaphore.tryAcquire(2)).isTrue();
        assertThat(semaphore.available()).isZero();
    }

    @Test
    @Tag("cells")
    void aReleaseGoesToTheOneWhoWaitsLongest(EventLoop loop) {
        var semaphore = new Semaphore(0);
        taker(loop, semaphore, "a", 1);
        taker(loop, semaphore, "b", 1);
        taker(loop, semaphore, "c", 1);
        Turns.of(loop);
        semaphore.release();
        assertThat(semaphore.tryAcquire()).as("it was handed over").isFalse();
        Turns.of(loop);
        assertThat(order).containsExactly("a");
        semaphore.release(2);
        Turns.of(loop);
        assertThat(order).containsExactly("a", "b", "c");
        assertThat(semaphore.available()).isZero();
    }

    @Test
    void whoWantsFewDoesNotPassWhoWantsMany(EventLoop loop) {
        var semaphore = new Semaphore(2);
        taker(loop, semaphore, "many", 3);
        taker(loop, semaphore, "few", 1);
        Turns.of(loop);
        assertThat(order).isEmpty();
        assertThat(semaphore.tryAcquire()).isFalse();
        semaphore.release();
        Turns.of(loop);
        assertThat(order).containsExactly("many");
        semaphore.release();
        Turns.of(loop);
        assertThat(order).containsExactly("many", "few");
    }

    @Test
    void whoWantsManyAndLeavesLetsTheOthersGoOn(EventLoop loop) {
        var semaphore = new Semaphore(2);
        var many = taker(loop, semaphore, "many", 3);
        taker(loop, semaphore, "few", 1);
        taker(loop, semaphore, "few more", 1);
        Turns.of(loop);
        many.cancel();
        Turns.of(loop);
        assertThat(many.isCancelled()).isTrue();
        assertThat(order).containsExactly("few", "few more");
        assertThat(semaphore.available()).isZero();
    }

    @Test
    void whoWantsManyAndRunsOutOfTimeLetsTheOthersGoOn(EventLoop loop) {
        var semaphore = new Semaphore(2);
        var many = loop.spawn(() -> semaphore.acquire(3, Duration.ofMillis(1)));
        var few = taker(loop, semaphore, "few", 1);
        while (!few.isDone()) {
            loop.runOnce();
        }
        assertThat(many.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("PT0.001S");
        assertThat(semaphore.available()).isEqualTo(1);
    }

    @Test
    @Tag("cells")
    void aPermitHandedToACancelledTaskGoesToTheNext(EventLoop loop) {
        var semaphore = new Semaphore(0);
        var first = taker(loop, semaphore, "first", 1);
        taker(loop, semaphore, "second", 1);
        taker(loop, semaphore, "third", 1);
        Turns.of(loop);
        semaphore.release();
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("second");
        semaphore.release();
        Turns.of(loop);
        assertThat(order).containsExactly("second", "third");
        assertThat(semaphore.available()).isZero();
    }

    @Test
    void severalPermitsHandedToACancelledTaskServeSeveral(EventLoop loop) {
        var semaphore = new Semaphore(0);
        var first = taker(loop, semaphore, "first", 3);
        taker(loop, semaphore, "second", 1);
        taker(loop, semaphore, "third", 1);
        Turns.of(loop);
        semaphore.release(3);
        first.cancel();
        Turns.of(loop);
        assertThat(order).containsExactly("second", "third");
        assertThat(semaphore.available()).isEqualTo(1);
    }

    @Test
    void aPermitHandedOverInTheTurnInWhichTheTimeIsOverIsTaken(EventLoop loop) {
        var semaphore = new Semaphore(0);
        var timed = loop.spawn(() -> semaphore.acquire(Turns.LIMIT));
        loop.runOnce();
        Turns.pastLimit();
        semaphore.release();
        Turns.of(loop);
        assertThat(timed.isDone()).isTrue();
        assertThat(timed.failureOrNull()).isNull();
        assertThat(semaphore.available()).isZero();
    }

    @Test
    void aHoldGivesItsPermitBackOnce(EventLoop loop) throws Exception {
        var semaphore = new Semaphore(1);
        loop.run(() -> {
            assertThatThrownBy(() -> {
                        try (var _ = semaphore.hold()) {
                            throw new IllegalArgumentException("from the block");
                        }
                    })
                    .hasMessage("from the block");
            assertThat(semaphore.available()).isEqualTo(1);
            var held = semaphore.hold(Duration.ofSeconds(5));
            assertThat(semaphore.available()).isZero();
            held.close();
            held.close();
            assertThat(semaphore.available()).isEqualTo(1);
        });
    }

    @Test
    void aBoundedOneRefusesAReleaseTooMany(EventLoop loop) {
        var semaphore = new BoundedSemaphore(2);
        assertThatThrownBy(semaphore::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more than 2 permits");
        assertThat(semaphore.tryAcquire()).isTrue();
        assertThatThrownBy(() -> semaphore.release(2)).isInstanceOf(IllegalStateException.class);
        assertThat(semaphore.available()).isEqualTo(1);
        semaphore.release();
        assertThat(semaphore.available()).isEqualTo(2);
        assertThat(semaphore.permits()).isEqualTo(2);
    }

    @Test
    void anUnboundedOneGrowsUpToTheLargestInt(EventLoop loop) {
        var semaphore = new Semaphore(Integer.MAX_VALUE - 1);
        semaphore.release();
        assertThatThrownBy(semaphore::release).isInstanceOf(IllegalStateException.class);
        assertThat(semaphore.available()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void numbersThatMakeNoSenseAreRefused(EventLoop loop) {
        assertThatThrownBy(() -> new Semaphore(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BoundedSemaphore(0)).isInstanceOf(IllegalArgumentException.class);
        var semaphore = new BoundedSemaphore(1);
        for (int permits : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> semaphore.tryAcquire(permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("permits");
            assertThatThrownBy(() -> semaphore.acquire(permits)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> semaphore.release(permits)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> semaphore.acquire(2))
                .as("it could never be served")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than there are: 1");
    }

    @Test
    void statisticsTellWhatIsFreeAndHowManyWait(EventLoop loop) {
        var semaphore = new BoundedSemaphore(2);
        semaphore.tryAcquire();
        var task = taker(loop, semaphore, "a", 2);
        Turns.of(loop);
        assertThat(semaphore.statistics()).isEqualTo(new Semaphore.Statistics(1, 1));
        assertThat(semaphore).hasToString("BoundedSemaphore[1 available, 1 waiting]");
        semaphore.release();
        Turns.of(loop);
        assertThat(task.isDone()).isTrue();
        assertThat(semaphore.statistics()).isEqualTo(new Semaphore.Statistics(0, 0));
    }
}
