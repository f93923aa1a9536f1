package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.concurrent.LoopFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Who sees that a future is done sees what was written before it was completed. */
@JCStressTest
@Outcome(id = "-1", expect = ACCEPTABLE, desc = "not done yet")
@Outcome(id = "42", expect = ACCEPTABLE, desc = "done, with what was written")
@State
public class FuturePublication {
    private final LoopFuture<int[]> future = new LoopFuture<>();
    private int plain;

    @Actor
    public void completer() {
        plain = 42;
        future.complete(new int[] {42});
    }

    @Actor
    public void reader(I_Result result) {
        result.r1 = future.isDone() ? Math.min(plain, future.resultNow()[0]) : -1;
    }
}
