package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.net.Server;
import io.github.uvloop4j.util.Durations;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server on all loops of an {@link EventLoopGroup}, one listening socket each or one for all. Any thread. */
public final class GroupServer implements AutoCloseable {
    private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final EventLoopGroup group;
    private final Steering steering;
    private final List<SocketAddress> addresses;
    private final List<Server> servers;
    private final AtomicBoolean closed = new AtomicBoolean();

    GroupServer(EventLoopGroup group, Steering steering, List<SocketAddress> addresses, List<Server> servers) {
        this.group = group;
        this.steering = steering;
        this.addresses = addresses;
        this.servers = servers;
    }

    /** The addresses it listens, or listened, on. */
    public List<SocketAddress> addresses() {
        return addresses;
    }

    /** The first address. */
    public SocketAddress address() {
        return addresses.getFirst();
    }

    /** The port of the first address. Throws IllegalStateException when it is not an internet address. */
    public int port() {
        if (address() instanceof InetSocketAddress internet) {
            return internet.getPort();
        }
        throw new IllegalStateException("a Unix socket has no port: " + address());
    }

    /** How connections come to its loops; never {@link Steering#CPU}, but what that turned out to be. */
    public Steering steering() {
        return steering;
    }

    /** Whether it accepts connections. */
    public boolean isServing() {
        return !closed.get();
    }

    /** How many connections a loop has got from it so far. */
    public long acceptedCount(int loop) {
        return servers.get(loop).acceptedCount();
    }

    /** How many connections it has got so far. */
    public long acceptedCount() {
        return servers.stream().mapToLong(Server::acceptedCount).sum();
    }

    /** How many of its connections are open on a loop. */
    public int clientCount(int loop) {
        return servers.get(loop).clientCount();
    }

    /** How many of its connections are open. */
    public int clientCount() {
        return servers.stream().mapToInt(Server::clientCount).sum();
    }

    /** Stops listening; connections live on. Waits for it, but on the bare thread of a loop. A second call does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        group.forget(this);
        var ends = onEach(Server::close);
        if (!onBareLoop()) {
            ends.forEach(end -> end.await(Durations.deadline(SLACK_NANOS)));
        }
    }

    /** Closes the connections at once. Does not wait for it. */
    public void abortClients() {
        var _ = onEach(Server::abortClients);
    }

    /**
     * Stops listening, lets the connections go on until the limit, then closes them. Waits for it: a task is parked.
     *
     * @param limit how long connections may go on; zero closes them at once
     * @return whether all connections ended by themselves
     * @throws IllegalStateException on the bare thread of a loop
     */
    public boolean shutdown(Duration limit) {
        long deadline = Durations.deadline(Durations.notNegative(limit, "limit"));
        if (onBareLoop()) {
            throw new IllegalStateException(
                    "deadlock: shutdown would stop the loop that it waits for: call it in a task");
        }
        return begin(deadline).await(Durations.deadline(Math.max(0, deadline - System.nanoTime()) + SLACK_NANOS));
    }

    static boolean onBareLoop() {
        var here = LoopContext.current();
        return here != null && here.isRunning() && here.currentTask() == null;
    }

    /** Begins {@link #shutdown}. */
    End begin(long deadline) {
        closed.set(true);
        var limit = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        var ends = new ArrayList<End>();
        for (int i = 0; i < servers.size(); i++) {
            var server = servers.get(i);
            ends.add(on(i, () -> server.shutdown(limit).await() == 0));
        }
        return waitDeadline -> {
            boolean clean = true;
            for (var end : ends) {
                clean &= end.await(waitDeadline);
            }
            group.forget(this);
            return clean;
        };
    }

    /** Something under way on a loop. */
    interface End {
        /** Waits until a deadline; whether it ended well by then. */
        boolean await(long deadlineNanos);
    }

    private interface Act {
        void on(Server server);
    }

    private List<End> onEach(Act act) {
        var ends = new ArrayList<End>();
        for (int i = 0; i < servers.size(); i++) {
            var server = servers.get(i);
            ends.add(on(i, () -> {
                act.on(server);
                return true;
            }));
        }
        return ends;
    }

    private End on(int loop, Callable<Boolean> body) {
        LoopFuture<Boolean> future;
        try {
            future = group.loop(loop).submit(body);
        } catch (RejectedExecutionException ended) {
            return deadline -> true;
        }
        return deadline -> await(future, deadline);
    }

    private static boolean await(LoopFuture<Boolean> future, long deadline) {
        try {
            return future.await(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception failed) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "GroupServer " + addresses + '[' + servers.size() + " loops, " + steering
                + (closed.get() ? ", closed]" : "]");
    }
}
