package io.github.uvloop4j.examples.redis;

import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Protocol;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/** One connection. Commands of a turn leave together; replies come in their order. */
final class RedisLink implements Protocol {
    private final Consumer<Reply.Push> pushes;
    private final Runnable lost;
    private final Queue<LoopFuture<Reply>> asked = new ArrayDeque<>();
    private final Set<LoopFuture<Reply>> subscribing = new HashSet<>();
    private final List<ByteBuffer> unsent = new ArrayList<>();
    private final RespParser parser = new RespParser();
    private Transport transport;
    private boolean ended;

    RedisLink(Consumer<Reply.Push> pushes, Runnable lost) {
        this.pushes = pushes;
        this.lost = lost;
    }

    @Override
    public void connectionMade(Transport made) {
        transport = made;
    }

    /** Queues a command. Its future gets the next reply that has no owner; {@code flush} sends. */
    void ask(ByteBuffer command, LoopFuture<Reply> future) {
        unsent.add(command);
        asked.add(future);
    }

    /** Queues a subscription: a push confirms it in its place among the replies, or a reply refuses it. */
    void askToSubscribe(ByteBuffer command, LoopFuture<Reply> future) {
        subscribing.add(future);
        ask(command, future);
    }

    void flush() {
        transport.writeLines(unsent);
        unsent.clear();
    }

    boolean hasUnsent() {
        return !unsent.isEmpty();
    }

    /** How many commands have no reply yet. */
    int underWay() {
        return asked.size();
    }

    @Override
    public void dataReceived(ByteBuffer data) {
        parser.feed(data);
        try {
            for (var reply = parser.next(); reply != null; reply = parser.next()) {
                take(reply);
            }
        } catch (RedisException garbage) {
            transport.abort();
            end(garbage);
        }
    }

    private void take(Reply reply) throws RedisException {
        if (reply instanceof Reply.Push push) {
            confirm(push);
            pushes.accept(push);
            return;
        }
        var future = asked.poll();
        subscribing.remove(future);
        if (future == null) {
            throw new RedisException("a reply that nobody has asked for");
        }
        // Who has cancelled it meanwhile does not get it; its place in the row stays.
        if (reply instanceof Reply.Failure failure) {
            future.completeExceptionally(new RedisException(failure.message()));
        } else {
            future.complete(reply);
        }
    }

    private void confirm(Reply.Push push) {
        var next = asked.peek();
        if (next != null
                && subscribing.contains(next)
                && "subscribe".equals(push.values().getFirst().text())) {
            subscribing.remove(next);
            asked.remove();
            next.complete(push);
        }
    }

    @Override
    public void connectionLost(Throwable cause) {
        end(cause);
    }

    private void end(Throwable cause) {
        if (ended) {
            return;
        }
        ended = true;
        var error = cause instanceof RedisException garbage
                ? garbage
                : new IOException("the connection is lost; whether the command was executed is unknown", cause);
        for (var future = asked.poll(); future != null; future = asked.poll()) {
            future.completeExceptionally(error);
        }
        unsent.clear();
        lost.run();
    }

    void close() {
        transport.close();
    }
}
