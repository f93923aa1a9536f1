package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.concurrent.LoopFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Callbacks that two threads add run once each, also when one of the threads cancels right after it. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both ran, once")
@State
public class FutureTwoCallbacks {
    private final LoopFuture<String> future = new LoopFuture<>();
    private final AtomicInteger firstCalls = new AtomicInteger();
    private final AtomicInteger secondCalls = new AtomicInteger();

    @Actor
    public void first() {
        future.onDone(firstCalls::incrementAndGet);
    }

    @Actor
    public void second() {
        future.onDone(secondCalls::incrementAndGet);
        future.cancel();
    }

    @Arbiter
    public void count(II_Result result) {
        result.r1 = firstCalls.get();
        result.r2 = secondCalls.get();
    }
}
