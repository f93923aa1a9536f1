package io.github.uvloop4j.pool;

import io.github.uvloop4j.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** A connector of things that only count; what happens at each step is the test's. */
final class Fakes implements Connector<Fakes.Fake> {
    /** What is pooled. */
    final class Fake implements AutoCloseable {
        final int number = ++made;
        boolean closed;

        @Override
        public void close() {
            if (closed) {
                throw new AssertionError("closed twice: " + this);
            }
            closed = true;
            open--;
        }

        @Override
        public String toString() {
            return "fake " + number;
        }
    }

    int made;
    int open;
    int mostOpen;
    final List<DiscardReason> reasons = new ArrayList<>();
    Callable<?> onConnect = () -> "connects at once";
    Predicate<Fake> clean = fake -> true;
    Callable<Boolean> alive = () -> true;
    Predicate<Throwable> reusableAfter = error -> false;
    Runnable onDiscard = () -> {};

    @Override
    public Fake connect() throws Exception {
        onConnect.call();
        open++;
        mostOpen = Math.max(mostOpen, open);
        return new Fake();
    }

    @Override
    public boolean isClean(Fake connection) {
        return !connection.closed && clean.test(connection);
    }

    @Override
    public boolean isAlive(Fake connection) throws Exception {
        return alive.call();
    }

    @Override
    public boolean reusableAfter(Throwable failure) {
        return reusableAfter.test(failure);
    }

    @Override
    public void discard(Fake connection, DiscardReason reason) {
        reasons.add(reason);
        connection.close();
        onDiscard.run();
    }

    /** A turn of the loop, for a task. */
    static void turn(EventLoop loop) throws Exception {
        var turn = loop.<String>createFuture();
        loop.callSoon(() -> turn.complete("over"));
        turn.await();
    }

    /** Turns until a condition holds; the test's limit bounds it. */
    static void turnUntil(EventLoop loop, Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            turn(loop);
        }
    }
}
