package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.concurrent.LoopFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Of a cancel and a completion one wins, and the future ends as that one says. */
@JCStressTest
@Outcome(id = "true, false, true", expect = ACCEPTABLE, desc = "cancelled")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "completed")
@State
public class FutureCancelComplete {
    private final LoopFuture<String> future = new LoopFuture<>();

    @Actor
    public void canceller(ZZZ_Result result) {
        result.r1 = future.cancel();
    }

    @Actor
    public void completer(ZZZ_Result result) {
        result.r2 = future.complete("x");
    }

    @Arbiter
    public void outcome(ZZZ_Result result) {
        result.r3 = future.isCancelled();
    }
}
