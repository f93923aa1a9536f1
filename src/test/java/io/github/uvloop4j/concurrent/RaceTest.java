package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bodies of which the first to succeed wins. */
@org.junit.jupiter.api.Timeout(60)
@ExtendWith(LoopExtension.class)
class RaceTest {
    private final ArrayList<String> order = new ArrayList<>();

    private Callable<String> after(int turns, String value) {
        return () -> {
            Turns.wait(turns);
            return value;
        };
    }

    private Callable<String> failing(int turns, String message) {
        return () -> {
            Turns.wait(turns);
            throw new IOException(message);
        };
    }

    private Callable<String> cleaningUp(String name) {
        return () -> {
            try {
                Turns.forever();
                return name;
            } finally {
                Turns.wait(3);
                order.add(name + " cleaned up");
            }
        };
    }

    /** Does not notice its cancel, and comes too late. */
    private Callable<AutoCloseable> late(AutoCloseable value) {
        return () -> Task.shielded(() -> {
            Turns.wait(8);
            return value;
        });
    }

    @Test
    @Tag("cells")
    void theFirstValueWins(EventLoop loop) throws Exception {
        var winner = loop.run(() -> Combine.race(List.of(after(9, "slow"), failing(1, "x"), after(4, "quick"))));
        assertThat(winner).isEqualTo("quick");
    }

    @Test
    @Tag("cells")
    void theOthersHaveEndedWhenItReturns(EventLoop loop) throws Exception {
        loop.run(() -> {
            order.add(Combine.race(List.of(cleaningUp("one"), after(3, "winner"), cleaningUp("two"))));
            assertThat(loop.taskCount()).isEqualTo(1);
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("one cleaned up", "two cleaned up", "winner");
    }

    @Test
    void nullMayWin(EventLoop loop) throws Exception {
        var winner = loop.run(() -> Combine.<String>race(List.of(after(9, "slow"), () -> null)));
        assertThat(winner).isNull();
    }

    @Test
    void ofTwoInOneTurnTheFirstInTheListWins(EventLoop loop) throws Exception {
        assertThat(loop.run(() -> Combine.race(List.<Callable<String>>of(() -> "one", () -> "two"))))
                .isEqualTo("one");
    }

    @Test
    void allFailuresComeTogether(EventLoop loop) throws Exception {
        loop.run(() -> {
            var thrown = catchThrowableOfType(
                    TaskGroupException.class, () -> Combine.race(List.of(failing(5, "later"), failing(2, "sooner"))));
            assertThat(thrown.failures()).extracting(Throwable::getMessage).containsExactly("sooner", "later");
            Turns.assertBalanced();
        });
    }

    @Test
    void whoIsCancelledAloneIsOut(EventLoop loop) throws Exception {
        loop.run(() -> {
            Callable<String> out = () -> {
                throw new CancellationException("out");
            };
            assertThat(Combine.race(List.of(out, after(3, "winner")))).isEqualTo("winner");
            assertThatThrownBy(() -> Combine.race(List.of(out, failing(1, "failed"))))
                    .isInstanceOfSatisfying(
                            TaskGroupException.class,
                            group -> assertThat(group.failures()).hasSize(1));
            assertThatThrownBy(() -> Combine.race(List.of(out, out))).isInstanceOf(CancellationException.class);
            Turns.assertBalanced();
        });
    }

    @Test
    void anErrorEndsTheRace(EventLoop loop) throws Exception {
        loop.run(() -> {
            Callable<String> broken = () -> {
                Turns.one();
                throw new AssertionError("broken");
            };
            assertThatThrownBy(() -> Combine.race(List.of(broken, cleaningUp("other"))))
                    .isInstanceOf(TaskGroupException.class)
                    .hasCauseInstanceOf(AssertionError.class);
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("other cleaned up");
    }

    @Test
    @Tag("cells")
    void aResourceThatComesTooLateIsClosed(EventLoop loop) throws Exception {
        loop.run(() -> {
            AutoCloseable resource = () -> {
                Turns.wait(2); // a close that awaits is not cut off by the cancel
                order.add("closed");
            };
            AutoCloseable winner = () -> order.add("winner closed");
            assertThat(Combine.race(List.of(late(resource), () -> winner))).isSameAs(winner);
            Turns.assertBalanced();
        });
        assertThat(order).containsExactly("closed");
    }

    @Test
    void aCloseThatFailsIsReportedAndTheWinnerStays(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            AutoCloseable resource = () -> {
                throw new IOException("no close");
            };
            AutoCloseable winner = () -> {};
            assertThat(Combine.race(List.of(late(resource), () -> winner))).isSameAs(winner);
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(error -> assertThat(error.exception()).hasMessage("no close"));
    }

    @Test
    void aLoserThatFailsIsReportedAndTheWinnerStays(EventLoop loop, LoopExtension.Errors errors) throws Exception {
        loop.run(() -> {
            Callable<String> loser = () -> {
                Turns.failingWhenCancelled("clean-up").run();
                return "never";
            };
            assertThat(Combine.race(List.of(loser, after(3, "winner")))).isEqualTo("winner");
        });
        assertThat(errors.take())
                .singleElement()
                .satisfies(error -> assertThat(error.exception()).hasMessage("clean-up"));
    }

    @Test
    @Tag("cells")
    void aCancelFromOutsideEndsAllAndPassesThrough(EventLoop loop) throws Exception {
        loop.run(() -> {
            var race = loop.spawn(() -> Combine.race(List.of(cleaningUp("one"), cleaningUp("two"))));
            Turns.wait(3);
            race.cancel();
            assertThat(Combine.gatherOutcomes(List.of(race)).await().getFirst().error())
                    .isInstanceOf(CancellationException.class);
        });
        assertThat(order).containsExactly("one cleaned up", "two cleaned up");
    }

    @Test
    void aWinnerThatCannotBeReturnedIsClosed(EventLoop loop) throws Exception {
        loop.run(() -> {
            AutoCloseable winner = () -> {
                Turns.wait(2);
                order.add("winner closed");
            };
            AutoCloseable other = () -> order.add("other closed");
            var race = loop.spawn(() -> Combine.race(List.of(late(other), () -> winner)));
            Turns.wait(4);
            race.cancel();
            assertThat(Combine.gatherOutcomes(List.of(race)).await().getFirst().error())
                    .isInstanceOf(CancellationException.class);
        });
        assertThat(order).containsExactlyInAnyOrder("winner closed", "other closed");
    }

    @Test
    void badInputIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> {
            assertThatThrownBy(() -> Combine.race(List.<Callable<String>>of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("nobody to race");
            assertThatThrownBy(() -> Combine.<String>race((List<Callable<String>>) null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("bodies");
            assertThatThrownBy(() -> Combine.race(Arrays.asList(after(1, "x"), null)))
                    .isInstanceOf(NullPointerException.class);
        });
        assertThatThrownBy(() -> Combine.race(List.of(after(1, "x"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a race works in a task only");
    }
}
