package io.github.uvloop4j.observe;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.Task;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All observers of one loop, none of which can harm it. For the loop itself. */
public final class Observers {
    private final LoopContext loop;
    private final LoopObserver[] all;

    /** The observers of a loop. */
    public Observers(LoopContext loop, List<LoopObserver> all) {
        this.loop = loop;
        this.all = all.toArray(LoopObserver[]::new);
    }

    private void tell(Consumer<LoopObserver> news) {
        for (var observer : all) {
            try {
                news.accept(observer);
            } catch (Throwable broken) {
                loop.report("an observer failed", broken, observer);
            }
        }
    }

    /** {@link LoopObserver#loopOpened}. */
    public void loopOpened() {
        tell(observer -> observer.loopOpened(loop));
    }

    /** {@link LoopObserver#loopClosed}. */
    public void loopClosed() {
        tell(observer -> observer.loopClosed(loop));
    }

    /** {@link LoopObserver#taskMade}. */
    public void taskMade(Task<?> task) {
        tell(observer -> observer.taskMade(task));
    }

    /** {@link LoopObserver#taskBegins}. */
    public void taskBegins(Task<?> task) {
        tell(observer -> observer.taskBegins(task));
    }

    /** {@link LoopObserver#taskEnded}. */
    public void taskEnded(Task<?> task) {
        tell(observer -> observer.taskEnded(task));
    }

    /** {@link LoopObserver#connectionOpened}. */
    public void connectionOpened(ConnectionLife connection) {
        tell(observer -> observer.connectionOpened(connection));
    }

    /** {@link LoopObserver#connectionClosed}. */
    public void connectionClosed(ConnectionLife connection, @Nullable Throwable cause) {
        tell(observer -> observer.connectionClosed(connection, cause));
    }

    /** {@link LoopObserver#turnWasLong}. */
    public void turnWasLong(LongTurn turn) {
        tell(observer -> observer.turnWasLong(loop, turn));
    }

    /** {@link LoopObserver#overslept}. */
    public void overslept(Duration limit, Duration took) {
        tell(observer -> observer.overslept(loop, limit, took));
    }

    /** {@link LoopObserver#stalled}. */
    public void stalled(StallInfo stall) {
        tell(observer -> observer.stalled(loop, stall));
    }

    /** {@link LoopObserver#stallOver}. */
    public void stallOver(StallInfo stall, Duration lasted) {
        tell(observer -> observer.stallOver(loop, stall, lasted));
    }

    /** {@link LoopObserver#handshakeBegins}. */
    public void handshakeBegins(Handshake handshake) {
        tell(observer -> observer.handshakeBegins(loop, handshake));
    }

    /** {@link LoopObserver#handshakeEnded}. */
    public void handshakeEnded(Handshake handshake, @Nullable Throwable failure) {
        tell(observer -> observer.handshakeEnded(loop, handshake, failure));
    }

    /** {@link LoopObserver#lookupBegins}. */
    public void lookupBegins(Lookup lookup) {
        tell(observer -> observer.lookupBegins(loop, lookup));
    }

    /** {@link LoopObserver#lookupEnded}. */
    public void lookupEnded(Lookup lookup, @Nullable Throwable failure) {
        tell(observer -> observer.lookupEnded(loop, lookup, failure));
    }
}
