package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.uvloop4j.util.MpscQueue;
import io.github.uvloop4j.util.ReadyRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Who takes an item sees what its producer wrote before it. */
@JCStressTest
@Outcome(id = "-1", expect = ACCEPTABLE, desc = "nothing there yet")
@Outcome(id = "42", expect = ACCEPTABLE, desc = "taken with what was written")
@State
public class QueuePublication {
    private final MpscQueue queue = new MpscQueue();
    private final ReadyRing ready = new ReadyRing();
    private int plain;

    @Actor
    public void producer() {
        plain = 42;
        queue.offer(() -> {});
    }

    @Actor
    public void consumer(I_Result result) {
        queue.drainTo(ready, false);
        result.r1 = ready.poll() == null ? -1 : plain;
    }
}
