package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A consumer that went to sleep is woken; one that saw an item instead is not. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "slept and was woken")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "saw an item first")
@State
public class QueueSleepWake {
    private final MpscQueue queue = new MpscQueue();

    @Actor
    public void consumer(ZZ_Result result) {
        result.r1 = queue.sleep();
    }

    @Actor
    public void producer(ZZ_Result result) {
        result.r2 = queue.offer(() -> {}) == MpscQueue.Offer.WAKE;
    }
}
