package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What is accepted is in the last batch; what is refused is not. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "accepted and taken")
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "refused")
@State
public class QueueOfferClose {
    private final MpscQueue queue = new MpscQueue();
    private final ReadyRing ready = new ReadyRing();

    @Actor
    public void producer(ZZ_Result result) {
        result.r1 = queue.offer(() -> {}) != MpscQueue.Offer.CLOSED;
    }

    @Actor
    public void consumer(ZZ_Result result) {
        queue.close(ready, false);
        result.r2 = ready.size() == 1;
    }
}
