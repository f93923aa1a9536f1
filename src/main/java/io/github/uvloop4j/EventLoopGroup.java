package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.Throwables;
import io.github.uvloop4j.net.BaseProtocol;
import io.github.uvloop4j.net.ConnectionHandler;
import io.github.uvloop4j.net.ServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Loops on threads of their own, placed on the CPUs of the machine, which live and end together.
 *
 * {@snippet :
 * var options = GroupOptions.defaults().placement(Placement.perCore());
 * try (var group = EventLoopGroup.create(options)) {
 *     group.createServer(EchoProtocol::new, "127.0.0.1", 7000);
 *     group.awaitShutdown();
 * }
 * }
 *
 * <p>Its loops cannot be closed alone. A loop that is stopped, or ends by an error that {@link LoopOptions#fatal} lets
 * out, ends the group; {@link #shutdown} then throws that error. Any thread.
 */
public final class EventLoopGroup implements AutoCloseable {
    private final GroupOptions options;
    private final GroupPlan plan;
    private final List<GroupLoop> members = new ArrayList<>();
    private final List<EventLoop> loops;
    private final Set<GroupServer> servers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger turn = new AtomicInteger();
    private final GroupShutdown shutdown;
    private final @Nullable Thread hook;

    private EventLoopGroup(GroupOptions options, GroupPlan plan) {
        this.options = options;
        this.plan = plan;
        this.shutdown = new GroupShutdown(options, members, servers);
        for (int i = 0; i < plan.pinnings().size(); i++) {
            members.add(new GroupLoop(i, plan.pinnings().get(i), options, this::ended));
        }
        this.loops = startAll();
        this.hook = options.shutdownHook() ? addHook() : null;
    }

    /** A group with the default options. */
    public static EventLoopGroup create() {
        return create(GroupOptions.defaults());
    }

    /**
     * A group whose loops run.
     *
     * @throws IllegalArgumentException when there are more loops than the placement has room for
     * @throws io.github.uvloop4j.affinity.AffinityException when a loop cannot be pinned, and pinning is required
     * @throws UnsatisfiedLinkError when libuv cannot be loaded
     */
    public static EventLoopGroup create(GroupOptions options) {
        Objects.requireNonNull(options, "options");
        var group = new EventLoopGroup(options, GroupPlan.of(options));
        LayoutPrinter.print(group);
        return group;
    }

    private List<EventLoop> startAll() {
        members.forEach(GroupLoop::start);
        try {
            return members.stream().map(GroupLoop::await).toList();
        } catch (Throwable error) {
            shutdown.begin(Duration.ZERO).handle((clean, failure) -> clean).join();
            throw Throwables.<RuntimeException>sneak(error);
        }
    }

    private Thread addHook() {
        var thread = new Thread(this::close, options.loop().name() + "-exit");
        Runtime.getRuntime().addShutdownHook(thread);
        return thread;
    }

    private void ended(GroupLoop member, @Nullable Throwable failure) {
        if (failure != null) {
            shutdown.failed(failure);
        }
        var _ = shutdownAsync(Duration.ZERO);
    }

    // Its loops

    /** How many loops it has, 1 or more. */
    public int size() {
        return loops.size();
    }

    /** The loops, in their order. */
    public List<EventLoop> loops() {
        return loops;
    }

    /** A loop by its index. */
    public EventLoop loop(int index) {
        return loops.get(index);
    }

    /** The loops in turn. */
    public EventLoop next() {
        return loops.get(Math.floorMod(turn.getAndIncrement(), loops.size()));
    }

    /** The loop of a key, always the same for equal keys: so that what belongs together needs no locks. */
    public EventLoop forKey(Object key) {
        int hash = Objects.requireNonNull(key, "key").hashCode();
        // Spreads keys that differ in few bits, as small numbers do.
        hash ^= hash >>> 16;
        hash *= 0x9E3779B9;
        return loops.get((int) ((hash & 0xffff_ffffL) * loops.size() >>> 32));
    }

    /** The index of one of its loops; -1 for another loop. */
    public int indexOf(EventLoop loop) {
        return loops.indexOf(Objects.requireNonNull(loop, "loop"));
    }

    /** The options it was made with. */
    public GroupOptions options() {
        return options;
    }

    GroupPlan plan() {
        return plan;
    }

    List<GroupLoop> members() {
        return members;
    }

    // Servers

    /**
     * Serves an address on all loops; each connection gets a protocol, on the loop that serves it. Blocks until the
     * server listens: a task is parked, the bare thread of a loop is refused.
     *
     * @param protocol called on the loops' threads, on several at the same time
     * @param host an address, a name (all its addresses are listened on), or null for all interfaces
     * @param port 0 to 65535; 0 for one that the kernel chooses
     * @throws IOException when it cannot listen, as of {@link io.github.uvloop4j.net.Network#createServer}
     * @throws IllegalArgumentException when the group's steering asks for what its loops or this kernel cannot do
     * @throws RejectedExecutionException when the group is being shut down
     */
    public GroupServer createServer(
            Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port, ServerOptions serverOptions)
            throws IOException {
        Objects.requireNonNull(protocol, "protocol");
        return serve(ServerKind.of(protocol), named(host, port), serverOptions);
    }

    /** {@link #createServer(Supplier, String, int, ServerOptions)} with the default options of servers. */
    public GroupServer createServer(Supplier<? extends BaseProtocol> protocol, @Nullable String host, int port)
            throws IOException {
        return createServer(protocol, host, port, ServerOptions.defaults());
    }

    /**
     * Serves an address on all loops; each connection gets a task that runs the handler, on the loop that serves it.
     * Otherwise as {@link #createServer(Supplier, String, int, ServerOptions)}.
     */
    public GroupServer startServer(
            ConnectionHandler handler, @Nullable String host, int port, ServerOptions serverOptions)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        return serve(ServerKind.of(handler), named(host, port), serverOptions);
    }

    /** {@link #startServer(ConnectionHandler, String, int, ServerOptions)} with the default options of servers. */
    public GroupServer startServer(ConnectionHandler handler, @Nullable String host, int port) throws IOException {
        return startServer(handler, host, port, ServerOptions.defaults());
    }

    /**
     * Serves an internet or Unix address on all loops; each connection gets a protocol, on the loop that serves it. A Unix
     * socket listens on the first loop, which shares its connections out.
     */
    public GroupServer createServer(
            Supplier<? extends BaseProtocol> protocol, SocketAddress address, ServerOptions serverOptions)
            throws IOException {
        Objects.requireNonNull(protocol, "protocol");
        return serve(ServerKind.of(protocol), address, serverOptions);
    }

    /** As {@link #createServer(Supplier, SocketAddress, ServerOptions)}, with a task for each connection. */
    public GroupServer startServer(ConnectionHandler handler, SocketAddress address, ServerOptions serverOptions)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        return serve(ServerKind.of(handler), address, serverOptions);
    }

    /** Not looked up before the loop does. */
    private static SocketAddress named(@Nullable String host, int port) {
        return InetSocketAddress.createUnresolved(host == null ? "" : host, port);
    }

    private GroupServer serve(ServerKind kind, SocketAddress address, ServerOptions serverOptions) throws IOException {
        Objects.requireNonNull(address, "address");
        checkOpen();
        var server = GroupListening.listen(this, kind, address, serverOptions);
        servers.add(server);
        if (shutdown.hasBegun()) {
            server.close();
            checkOpen();
        }
        return server;
    }

    void forget(GroupServer server) {
        servers.remove(server);
    }

    private void checkOpen() {
        if (shutdown.hasBegun()) {
            throw new RejectedExecutionException(this + " is shut down");
        }
    }

    // What it is and does

    /** Where its loops run. */
    public GroupLayout layout() {
        return GroupLayout.of(this);
    }

    /** What its loops have done so far, and do. */
    public GroupStatistics statistics() {
        return GroupStatistics.of(this, servers);
    }

    // Its end

    /** Whether it is being shut down, or was. */
    public boolean isShutdown() {
        return shutdown.hasBegun();
    }

    /** Whether all its loops have been closed. */
    public boolean isTerminated() {
        return shutdown.ended().isDone();
    }

    /**
     * Ends the group: its servers stop accepting; their connections may go on until the limit, then they are closed;
     * then the loops stop and close, which cancels their tasks. Waits for all of it. Later calls wait for the first.
     *
     * @param limit how long connections may go on; zero closes them at once
     * @return whether everything ended by itself
     * @throws IllegalStateException on one of its own loops, which would wait for itself: use {@link #shutdownAsync}
     */
    public boolean shutdown(Duration limit) {
        for (var loop : loops) {
            if (loop.inLoop()) {
                throw new IllegalStateException(
                        "deadlock: shutdown would wait for " + loop + " on that loop: use shutdownAsync");
            }
        }
        return result(shutdownAsync(limit));
    }

    /** Begins {@link #shutdown}, and does not wait. */
    public CompletableFuture<Boolean> shutdownAsync(Duration limit) {
        var end = shutdown.begin(limit).copy();
        removeHook();
        return end;
    }

    private void removeHook() {
        var thread = hook;
        if (thread != null && Thread.currentThread() != thread) {
            try {
                Runtime.getRuntime().removeShutdownHook(thread);
            } catch (IllegalStateException ending) {
                // The JVM is going down: the hook runs, and waits for this shutdown.
            }
        }
    }

    private static boolean result(CompletableFuture<Boolean> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw unwrapped(e);
        }
    }

    private static RuntimeException unwrapped(Exception wrapper) {
        var cause = wrapper.getCause();
        throw Throwables.<RuntimeException>sneak(cause == null ? wrapper : cause);
    }

    /**
     * Waits until somebody has shut the group down; returns and throws as {@link #shutdown} does. A task is parked; the
     * bare thread of a loop is refused with IllegalStateException.
     */
    public boolean awaitShutdown() throws InterruptedException {
        if (GroupServer.onBareLoop()) {
            throw new IllegalStateException("deadlock: awaitShutdown would stop the loop that it is called on");
        }
        try {
            return shutdown.ended().get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** {@link #shutdown} with the options' limit. */
    @Override
    public void close() {
        shutdown(options.shutdownTimeout());
    }

    @Override
    public String toString() {
        var state = isTerminated() ? "closed" : isShutdown() ? "shutting down" : "running";
        return "EventLoopGroup " + options.loop().name() + '[' + members.size() + " loops, " + state + ']';
    }
}
