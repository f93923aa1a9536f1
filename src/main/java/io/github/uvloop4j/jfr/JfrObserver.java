package io.github.uvloop4j.jfr;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopView;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.observe.Handshake;
import io.github.uvloop4j.observe.LongTurn;
import io.github.uvloop4j.observe.Lookup;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.observe.StallInfo;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes events of what it is told. Those with a duration are begun only if somebody records them then, and are kept
 * until their end, whoever records by then.
 */
final class JfrObserver implements LoopObserver {
    private final Map<Task<?>, TaskEvent> tasks = new ConcurrentHashMap<>();
    private final Map<ConnectionLife, ConnectionEvent> connections = new ConcurrentHashMap<>();
    private final Map<Lookup, LookupEvent> lookups = new ConcurrentHashMap<>();
    private final Map<Handshake, HandshakeEvent> handshakes = new ConcurrentHashMap<>();

    /** How many events are begun. */
    int pending() {
        return tasks.size() + connections.size() + lookups.size() + handshakes.size();
    }

    @Override
    public void loopOpened(LoopContext loop) {
        if (Recorder.isStarted()) {
            var event = new LoopOpenedEvent();
            event.of(loop.view());
            event.commitAboard();
        }
    }

    @Override
    public void loopClosed(LoopContext loop) {
        if (Recorder.isStarted()) {
            LoopStates.emit(loop.view());
            var event = new LoopClosedEvent();
            event.of(loop.view());
            event.commitAboard();
        }
    }

    @Override
    public void taskMade(Task<?> task) {
        if (!Recorder.isStarted()) {
            return;
        }
        var event = new TaskEvent();
        if (event.isEnabled()) {
            event.of(task.view());
            event.name = task.name();
            event.taskId = task.id();
            event.parentId = task.parentId();
            event.madeAt = System.nanoTime();
            event.begin();
            tasks.put(task, event);
        }
    }

    @Override
    public void taskBegins(Task<?> task) {
        var event = tasks.isEmpty() ? null : tasks.get(task);
        if (event != null) {
            event.waited = System.nanoTime() - event.madeAt;
            event.hasBegun = true;
        }
    }

    @Override
    public void taskEnded(Task<?> task) {
        var event = tasks.isEmpty() ? null : tasks.remove(task);
        if (event == null) {
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            if (!event.hasBegun) {
                event.waited = System.nanoTime() - event.madeAt;
            }
            var failure = task.peekFailure();
            event.outcome = failure == null ? "completed" : task.isCancelled() ? "cancelled" : "failed";
            event.error = task.isCancelled() ? null : Texts.of(failure);
            event.commitAboard();
        }
    }

    @Override
    public void connectionOpened(ConnectionLife connection) {
        if (!Recorder.isStarted()) {
            return;
        }
        if (connection.isAccepted()) {
            accepted(connection);
        }
        var event = new ConnectionEvent();
        if (event.isEnabled()) {
            event.of(connection.loop().view());
            event.connectionId = ConnectionEvent.nextId();
            event.kind = connection.kind();
            event.accepted = connection.isAccepted();
            event.local = Texts.of(connection.local());
            event.peer = Texts.of(connection.peer());
            event.begin();
            connections.put(connection, event);
        }
    }

    private static void accepted(ConnectionLife connection) {
        var event = new AcceptEvent();
        if (event.shouldCommit()) {
            event.of(connection.loop().view());
            event.kind = connection.kind();
            event.local = Texts.of(connection.local());
            event.peer = Texts.of(connection.peer());
            event.commitAboard();
        }
    }

    @Override
    public void connectionClosed(ConnectionLife connection, @Nullable Throwable cause) {
        var event = connections.isEmpty() ? null : connections.remove(connection);
        if (event == null) {
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            event.bytesReceived = connection.bytesReceived();
            event.bytesSent = connection.bytesSent();
            event.cause = Texts.of(cause);
            event.commitAboard();
        }
    }

    @Override
    public void turnWasLong(LoopContext loop, LongTurn turn) {
        if (Recorder.isStarted()) {
            var event = new TurnEvent();
            event.of(loop.view());
            event.busy = turn.busy().toNanos();
            event.ready = turn.ready().toNanos();
            event.callbacks = turn.callbacks().toNanos();
            event.calls = turn.calls();
            event.events = turn.events();
            event.commitAboard();
        }
    }

    @Override
    public void overslept(LoopContext loop, Duration limit, Duration took) {
        if (Recorder.isStarted()) {
            var event = new OversleepEvent();
            event.of(loop.view());
            event.limit = limit.toNanos();
            event.took = took.toNanos();
            event.commitAboard();
        }
    }

    @Override
    public void stalled(LoopContext loop, StallInfo stall) {
        if (!Recorder.isStarted()) {
            return;
        }
        var event = new StallEvent();
        if (event.isEnabled()) {
            event.of(loop.view());
            event.what = stall.what();
            event.lasted = stall.lasted().toNanos();
            event.stack = Texts.stack(stall.where());
            var created = stall.where().getCause();
            event.created = created == null ? null : Texts.stack(created);
            event.commitAboard();
        }
    }

    @Override
    public void stallOver(LoopContext loop, StallInfo stall, Duration lasted) {
        if (Recorder.isStarted()) {
            var event = new StallOverEvent();
            event.of(loop.view());
            event.what = stall.what();
            event.lasted = lasted.toNanos();
            event.commitAboard();
        }
    }

    @Override
    public void lookupBegins(LoopContext loop, Lookup lookup) {
        if (!Recorder.isStarted()) {
            return;
        }
        var event = new LookupEvent();
        if (event.isEnabled()) {
            event.of(loop.view());
            event.host = lookup.host();
            event.begin();
            lookups.put(lookup, event);
        }
    }

    @Override
    public void lookupEnded(LoopContext loop, Lookup lookup, @Nullable Throwable failure) {
        var event = lookups.isEmpty() ? null : lookups.remove(lookup);
        if (event != null) {
            event.end();
            event.failure = Texts.of(failure);
            event.commitAboard();
        }
    }

    @Override
    public void handshakeBegins(LoopContext loop, Handshake handshake) {
        if (!Recorder.isStarted()) {
            return;
        }
        var event = new HandshakeEvent();
        if (event.isEnabled()) {
            event.of(loop.view());
            event.server = handshake.isServer();
            event.peer = Texts.of(handshake.peer());
            event.begin();
            handshakes.put(handshake, event);
        }
    }

    @Override
    public void handshakeEnded(LoopContext loop, Handshake handshake, @Nullable Throwable failure) {
        var event = handshakes.isEmpty() ? null : handshakes.remove(handshake);
        if (event == null) {
            return;
        }
        event.end();
        var agreed = handshake.agreed();
        if (agreed != null) {
            event.protocol = agreed.protocol();
            event.cipher = agreed.cipher();
            event.resumed = agreed.resumed();
        }
        event.failure = Texts.of(failure);
        event.commitAboard();
    }

    /** A guard has seen a call that would block. On the thread that makes it. */
    void blockingCall(LoopView loop, String call, String caller, @Nullable Task<?> task) {
        if (Recorder.isStarted()) {
            var event = new BlockingCallEvent();
            event.of(loop);
            event.call = call;
            event.caller = caller;
            event.thread = loop.thread();
            event.taskName = task == null ? null : task.name();
            event.commitAboard();
        }
    }
}
