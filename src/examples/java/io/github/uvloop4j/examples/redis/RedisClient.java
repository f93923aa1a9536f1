package io.github.uvloop4j.examples.redis;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.concurrent.Retry;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Connected;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sends commands to a Redis server over one connection. Nobody waits for the reply to the command before: that is
 * pipelining. When the connection is lost the commands under way fail, as nobody knows whether they were executed; later
 * ones wait for the next connection, which is tried for with growing delays. Loop thread only.
 */
public final class RedisClient implements AutoCloseable {
    private static final int MOST_PENDING = 100_000;
    private static final Retry PATIENCE = Retry.times(Integer.MAX_VALUE)
            .delays(Duration.ofMillis(20), Duration.ofSeconds(2))
            .attemptLimit(Duration.ofSeconds(5))
            .when(RedisClient::mayPass);

    private record Command(ByteBuffer bytes, LoopFuture<Reply> future) {}

    private final EventLoop loop;
    private final Dial dial;
    private final Queue<Command> waiting = new ArrayDeque<>();
    private final Map<String, Subscription> channels = new LinkedHashMap<>();

    /** Null while there is no connection. */
    private RedisLink link;

    private Task<Void> connecting;
    private boolean closed;
    private int connections;

    /** Makes a connection. */
    private interface Dial {
        LoopFuture<Connected<RedisLink>> call(Supplier<RedisLink> link);
    }

    /** A client that begins to connect. */
    public RedisClient(EventLoop loop, String host, int port) {
        this(loop, link -> loop.net().createConnection(link, host, port));
    }

    /** A client for a server on a Unix socket, or at another address. */
    public RedisClient(EventLoop loop, SocketAddress address) {
        this(loop, link -> loop.net().createConnection(link, address));
    }

    private RedisClient(EventLoop loop, Dial dial) {
        this.loop = loop;
        this.dial = dial;
        connect();
    }

    /** Sends a command; the future has the reply, or fails with a RedisException when the server refuses. */
    public LoopFuture<Reply> send(String... words) {
        var bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(StandardCharsets.UTF_8);
        }
        return send(bytes);
    }

    /**
     * Sends a command of bytes.
     *
     * @throws RejectedExecutionException when a hundred thousand commands have no reply yet
     */
    public LoopFuture<Reply> send(byte[]... words) {
        if (closed) {
            throw new IllegalStateException("the client is closed");
        }
        if (waiting.size() + (link == null ? 0 : link.underWay()) >= MOST_PENDING) {
            throw new RejectedExecutionException(MOST_PENDING + " commands have no reply yet");
        }
        var future = loop.<Reply>createFuture();
        if (link == null) {
            waiting.add(new Command(encode(words), future));
        } else {
            put(encode(words), future);
        }
        return future;
    }

    /**
     * Listens to a channel, also after the connection was replaced; what is said meanwhile is missed. Done when the server
     * has confirmed it; fails when it refuses.
     */
    public LoopFuture<Reply> subscribe(String channel, Consumer<String> listener) {
        var subscription = new Subscription(listener, loop.createFuture());
        channels.put(channel, subscription);
        if (link != null) {
            putSubscription(channel, subscription);
        }
        return subscription.confirmed;
    }

    private record Subscription(Consumer<String> listener, LoopFuture<Reply> confirmed) {}

    /** How many connections there have been. */
    public int connections() {
        return connections;
    }

    private void put(ByteBuffer command, LoopFuture<Reply> future) {
        flushLater();
        link.ask(command, future);
    }

    private void flushLater() {
        if (!link.hasUnsent()) {
            var current = link;
            loop.callSoon(current::flush); // with all that this turn still brings
        }
    }

    private void putSubscription(String channel, Subscription subscription) {
        flushLater();
        var answer = loop.<Reply>createFuture();
        link.askToSubscribe(
                encode("SUBSCRIBE".getBytes(StandardCharsets.UTF_8), channel.getBytes(StandardCharsets.UTF_8)), answer);
        answer.whenDone((reply, failure) -> {
            if (failure == null) {
                subscription.confirmed.complete(reply);
            } else if (failure instanceof RedisException) {
                channels.remove(channel, subscription);
                subscription.confirmed.completeExceptionally(failure);
            }
        });
    }

    private static ByteBuffer encode(byte[]... words) {
        int size = 16;
        for (var word : words) {
            size += word.length + 16;
        }
        var bytes = ByteBuffer.allocate(size);
        size(bytes, '*', words.length);
        for (var word : words) {
            size(bytes, '$', word.length);
            bytes.put(word).put((byte) '\r').put((byte) '\n');
        }
        return bytes.flip();
    }

    private static void size(ByteBuffer bytes, char kind, int size) {
        bytes.put((byte) kind).put(Integer.toString(size).getBytes(StandardCharsets.US_ASCII));
        bytes.put((byte) '\r').put((byte) '\n');
    }

    // The connection

    private void connect() {
        connecting = loop.spawn("redis", () -> {
            try {
                link = PATIENCE.call(this::open);
            } catch (RedisException refused) {
                end(refused);
                return;
            }
            connections++;
            sendWhatWaits();
        });
    }

    /** Whether it may be better next time: not when the server wants a password, or is older than version 6. */
    private static boolean mayPass(Throwable failure) {
        return failure instanceof TimeoutException
                || (failure instanceof IOException
                        && (!(failure instanceof RedisException)
                                || failure.getMessage().startsWith("LOADING")));
    }

    private RedisLink open() throws Exception {
        var made =
                dial.call(() -> new RedisLink(this::pushed, this::lost)).await().protocol();
        try {
            var greeting = loop.<Reply>createFuture();
            made.ask(encode("HELLO".getBytes(StandardCharsets.UTF_8), new byte[] {'3'}), greeting);
            made.flush();
            greeting.await(); // fails as well when the server goes away again
            return made;
        } catch (Exception failure) {
            made.close();
            throw failure;
        }
    }

    private void sendWhatWaits() {
        channels.forEach(this::putSubscription);
        for (var command = waiting.poll(); command != null; command = waiting.poll()) {
            if (!command.future.isCancelled()) {
                put(command.bytes, command.future);
            }
        }
    }

    private void lost() {
        // One that was not yet greeted is retried by the task that opened it.
        if (link != null) {
            link = null;
            if (!closed) {
                connect();
            }
        }
    }

    private void pushed(Reply.Push push) {
        var words = push.values();
        if (words.size() == 3 && words.get(0).text().equals("message")) {
            var subscription = channels.get(words.get(1).text());
            if (subscription != null) {
                subscription.listener.accept(words.get(2).text());
            }
        }
    }

    /** Sends what was given to it, then closes. Commands without a reply fail. */
    @Override
    public void close() {
        connecting.cancel();
        end(new IOException("the client is closed"));
        if (link != null) {
            link.flush();
            link.close();
        }
    }

    private void end(IOException error) {
        closed = true;
        for (var command = waiting.poll(); command != null; command = waiting.poll()) {
            command.future.completeExceptionally(error);
        }
    }
}
