package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** Of two producers that find the consumer asleep, one wakes it; both items arrive. */
@JCStressTest
@Outcome(id = "WAKE, QUEUED, 2", expect = ACCEPTABLE, desc = "the first one wakes")
@Outcome(id = "QUEUED, WAKE, 2", expect = ACCEPTABLE, desc = "the second one wakes")
@State
public class QueueTwoWakers {
    private final MpscQueue queue = new MpscQueue();
    private final ReadyRing ready = new ReadyRing();
    private final boolean asleep = queue.sleep();

    @Actor
    public void first(LLI_Result result) {
        result.r1 = queue.offer(() -> {});
    }

    @Actor
    public void second(LLI_Result result) {
        result.r2 = queue.offer(() -> {});
    }

    @Arbiter
    public void consumer(LLI_Result result) {
        boolean told = queue.drainTo(ready, asleep);
        result.r3 = told ? ready.size() : -1;
    }
}
