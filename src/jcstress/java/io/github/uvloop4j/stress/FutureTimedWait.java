package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;

/** A wait that gives up takes only itself out of the list: the callback next to it runs, once. */
@JCStressTest
@Outcome(id = "x, 1", expect = ACCEPTABLE, desc = "completed before the wait was over")
@Outcome(id = "over, 1", expect = ACCEPTABLE, desc = "the wait was over first")
@State
public class FutureTimedWait {
    private static final Duration SHORT = Duration.ofNanos(1);

    private final LoopFuture<String> future = new LoopFuture<>();
    private final AtomicInteger calls = new AtomicInteger();

    @Actor
    public void waiter(LI_Result result) {
        try {
            result.r1 = future.await(SHORT);
        } catch (TimeoutException over) {
            result.r1 = "over";
        } catch (Exception unexpected) {
            result.r1 = unexpected;
        }
    }

    @Actor
    public void completer() {
        future.onDone(calls::incrementAndGet);
        future.complete("x");
    }

    @Arbiter
    public void count(LI_Result result) {
        result.r2 = calls.get();
    }
}
