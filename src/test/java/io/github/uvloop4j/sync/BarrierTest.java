package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that wait for each other. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class BarrierTest {
    private final ArrayList<String> order = new ArrayList<>();

    private Task<?> party(EventLoop loop, Barrier barrier, String name) {
        return loop.spawn(name, () -> order.add(name + barrier.await()));
    }

    @Test
    @Tag("cells")
    void lastToArriveLetsAllGoOn(EventLoop loop) {
        var barrier = new Barrier(3);
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        Turns.of(loop);
        assertThat(order).isEmpty();
        assertThat(barrier.waiting()).isEqualTo(2);
        party(loop, barrier, "c");
        Turns.of(loop);
        assertThat(order).containsExactly("c2", "a0", "b1");
        assertThat(barrier.waiting()).isZero();
    }

    @Test
    void goesRoundAgainAndAgain(EventLoop loop) throws Exception {
        var barrier = new Barrier(2);
        var rounds = new ArrayList<Integer>();
        loop.run(() -> {
            var other = loop.spawn(() -> {
                for (int i = 0; i < 100; i++) {
                    barrier.await();
                }
            });
            for (int i = 0; i < 100; i++) {
                rounds.add(barrier.await());
            }
            other.await();
        });
        assertThat(rounds).hasSize(100);
        assertThat(barrier.waiting()).isZero();
    }

    @Test
    void ofOneNeverWaits(EventLoop loop) throws Exception {
        var barrier = new Barrier(1);
        assertThat(loop.<Integer>run(() -> barrier.await())).isZero();
        assertThat(loop.<Integer>run(() -> barrier.await(Duration.ZERO))).isZero();
    }

    @Test
    void whoComesWhileARoundGoesOnIsOfTheNext(EventLoop loop) {
        var barrier = new Barrier(2);
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        party(loop, barrier, "c");
        Turns.of(loop);
        assertThat(order).containsExactly("b1", "a0");
        party(loop, barrier, "d");
        Turns.of(loop);
        assertThat(order).containsExactly("b1", "a0", "d1", "c0");
    }

    @Test
    @Tag("cells")
    void aCancelledPartyLeavesItsPlaceToAnother(EventLoop loop) {
        var barrier = new Barrier(3);
        var gone = party(loop, barrier, "gone");
        party(loop, barrier, "b");
        Turns.of(loop);
        gone.cancel();
        Turns.of(loop);
        assertThat(gone.isCancelled()).isTrue();
        assertThat(barrier.isBroken()).isFalse();
        assertThat(barrier.waiting()).isEqualTo(1);
        party(loop, barrier, "c");
        Turns.of(loop);
        assertThat(order).isEmpty();
        party(loop, barrier, "d");
        Turns.of(loop);
        assertThat(order).containsExactly("d2", "b0", "c1");
    }

    @Test
    @Tag("cells")
    void aPartyCancelledWhenAllAreThereDoesNotHoldUpTheOthers(EventLoop loop) {
        var barrier = new Barrier(3);
        var first = party(loop, barrier, "first");
        party(loop, barrier, "second");
        Turns.of(loop);
        party(loop, barrier, "last");
        loop.runOnce();
        assertThat(order).containsExactly("last2");
        first.cancel();
        Turns.of(loop);
        assertThat(first.isCancelled()).isTrue();
        assertThat(order).containsExactly("last2", "second1");
        assertThat(barrier.waiting()).isZero();
        assertThat(barrier.isBroken()).isFalse();
    }

    @Test
    void aLimitEndsTheWait(EventLoop loop) {
        var barrier = new Barrier(2);
        var timed = loop.spawn(() -> barrier.await(Duration.ofMillis(1)));
        var zero = loop.spawn(() -> new Barrier(2).await(Duration.ZERO));
        while (!timed.isDone() || !zero.isDone()) {
            loop.runOnce();
        }
        assertThat(timed.failureOrNull()).isInstanceOf(TimeoutException.class).hasMessageContaining("PT0.001S");
        assertThat(zero.failureOrNull()).isInstanceOf(TimeoutException.class);
        assertThat(barrier.waiting()).isZero();
        assertThat(barrier.isBroken()).isFalse();
    }

    @Test
    void theLastArrivalOfTheTurnInWhichTheTimeIsOverWins(EventLoop loop) throws Exception {
        var barrier = new Barrier(2);
        var timed = loop.spawn(() -> barrier.await(Turns.LIMIT));
        loop.runOnce();
        party(loop, barrier, "last");
        Turns.pastLimit();
        Turns.of(loop);
        assertThat(timed.result()).isZero();
    }

    @Test
    void resetSendsAwayThoseWhoWait(EventLoop loop) {
        var barrier = new Barrier(3);
        var first = party(loop, barrier, "first");
        Turns.of(loop);
        barrier.reset();
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        party(loop, barrier, "c");
        Turns.of(loop);
        assertThat(first.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
        assertThat(order).containsExactly("c2", "a0", "b1");
    }

    @Test
    void abortBreaksItUntilAReset(EventLoop loop) {
        var barrier = new Barrier(2);
        var first = party(loop, barrier, "first");
        Turns.of(loop);
        barrier.abort();
        var late = party(loop, barrier, "late");
        Turns.of(loop);
        assertThat(first.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
        assertThat(late.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
        assertThat(barrier.isBroken()).isTrue();
        barrier.reset();
        assertThat(barrier.isBroken()).isFalse();
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        Turns.of(loop);
        assertThat(order).containsExactly("b1", "a0");
    }

    @Test
    void anAbortAfterAllWereThereComesTooLate(EventLoop loop) {
        var barrier = new Barrier(2);
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        loop.runOnce();
        barrier.abort();
        Turns.of(loop);
        assertThat(order).containsExactly("b1", "a0");
    }

    @Test
    void theActionRunsInTheLastBeforeAnyGoesOn(EventLoop loop) {
        var barrier =
                new Barrier(2, () -> order.add("action of " + Task.current().name()));
        party(loop, barrier, "a");
        party(loop, barrier, "b");
        Turns.of(loop);
        assertThat(order).containsExactly("action of b", "b1", "a0");
    }

    @Test
    void anActionThatThrowsBreaksIt(EventLoop loop) {
        var barrier = new Barrier(2, () -> {
            throw new IllegalArgumentException("action");
        });
        var first = party(loop, barrier, "a");
        var last = party(loop, barrier, "b");
        Turns.of(loop);
        assertThat(first.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
        assertThat(last.failureOrNull()).hasMessage("action");
        assertThat(barrier.isBroken()).isTrue();
    }

    @Test
    void anActionMayAwaitWhileTheNextRoundGathers(EventLoop loop) {
        var gate = new Event();
        var barrier = new Barrier(2, gate::await);
        party(loop, barrier, "a");
        var last = party(loop, barrier, "b");
        Turns.of(loop);
        party(loop, barrier, "c");
        Turns.of(loop);
        assertThat(order).isEmpty();
        assertThat(barrier.waiting()).isEqualTo(1);
        gate.set();
        Turns.of(loop);
        assertThat(last.isDone()).isTrue();
        assertThat(order).containsExactly("b1", "a0");
        party(loop, barrier, "d");
        Turns.of(loop);
        assertThat(order).containsExactly("b1", "a0", "d1", "c0");
    }

    @Test
    void aCancelledActionDoesNotLeaveTheOthersHanging(EventLoop loop) {
        var barrier = new Barrier(2, new Event()::await);
        var first = party(loop, barrier, "a");
        var last = party(loop, barrier, "b");
        Turns.of(loop);
        last.cancel();
        Turns.of(loop);
        assertThat(last.isCancelled()).isTrue();
        assertThat(first.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
    }

    @Test
    void aNumberThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> new Barrier(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Barrier(-1)).hasMessageContaining("parties");
    }

    @Test
    void statisticsTellHowManyAreThere(EventLoop loop) {
        var barrier = new Barrier(2);
        var task = party(loop, barrier, "a");
        Turns.of(loop);
        assertThat(barrier.statistics()).isEqualTo(new Barrier.Statistics(2, 1, false));
        assertThat(barrier).hasToString("Barrier[1 of 2]");
        assertThat(barrier.parties()).isEqualTo(2);
        barrier.abort();
        Turns.of(loop);
        assertThat(task.failureOrNull()).isInstanceOf(BrokenBarrierException.class);
        assertThat(barrier).hasToString("Barrier[0 of 2, broken]");
    }
}
