package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A callback that is added while the future is completed runs once and sees the value. */
@JCStressTest
@Outcome(id = "11", expect = ACCEPTABLE, desc = "once")
@State
public class FutureCallbackComplete {
    private final LoopFuture<Integer> future = new LoopFuture<>();
    private final AtomicInteger calls = new AtomicInteger();

    @Actor
    public void adder() {
        future.whenDone((value, error) -> calls.addAndGet(value));
    }

    @Actor
    public void completer() {
        future.complete(11);
    }

    @Arbiter
    public void count(I_Result result) {
        result.r1 = calls.get();
    }
}
