package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A consumer that went to sleep is woken by exactly one of two producers; one that did not sleep, by none. */
@JCStressTest
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "slept, woken once")
@Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "saw an item first")
@State
public class QueueSleepWake {
    private final MpscQueue queue = new MpscQueue();
    private boolean slept;
    private MpscQueue.Offer first;
    private MpscQueue.Offer second;

    @Actor
    public void consumer() {
        slept = queue.sleep();
    }

    @Actor
    public void firstProducer() {
        first = queue.offer(() -> {});
    }

    @Actor
    public void secondProducer() {
        second = queue.offer(() -> {});
    }

    @Arbiter
    public void count(ZI_Result result) {
        result.r1 = slept;
        result.r2 = (first == MpscQueue.Offer.WAKE ? 1 : 0) + (second == MpscQueue.Offer.WAKE ? 1 : 0);
    }
}
