package io.github.uvloop4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.uvloop4j.concurrent.LoopFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** A thread that begins to wait while the future is completed is woken. */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "woken")
@Outcome(id = "STALE", expect = FORBIDDEN, desc = "the wake-up was lost")
@State
public class FutureWaiter {
    private final LoopFuture<String> future = new LoopFuture<>();

    @Actor
    public void waiter() throws Exception {
        future.await();
    }

    @Signal
    public void completer() {
        future.complete("x");
    }
}
