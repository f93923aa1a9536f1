package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZI_Result;

/** Who closes a sleeping queue knows whether a producer is on its way to wake it: it must wait for that one. */
@JCStressTest
@Outcome(id = "WAKE, true, 1", expect = ACCEPTABLE, desc = "a producer wakes, and the closing one knows")
@Outcome(id = "CLOSED, false, 0", expect = ACCEPTABLE, desc = "refused: nobody wakes")
@State
public class QueueWakeClose {
    private final MpscQueue queue = new MpscQueue();
    private final ReadyRing ready = new ReadyRing();
    private final boolean asleep = queue.sleep();

    @Actor
    public void producer(LZI_Result result) {
        result.r1 = queue.offer(() -> {});
    }

    @Actor
    public void consumer(LZI_Result result) {
        result.r2 = queue.close(ready, asleep);
        result.r3 = ready.size();
    }
}
