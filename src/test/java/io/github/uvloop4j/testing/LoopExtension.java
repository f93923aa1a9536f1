package io.github.uvloop4j.testing;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ExceptionContext;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.uv.UvHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a fresh loop as a parameter, and fails it for what it leaves behind: errors that nobody received,
 * handles that are still open, requests that libuv still works on, tasks, descriptors. A test that expects errors takes
 * them out of {@link Errors}.
 */
public final class LoopExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(LoopExtension.class);

    /** What reached the loop's exception handler; a parameter of the test. */
    public static final class Errors {
        private final List<ExceptionContext> seen = Collections.synchronizedList(new ArrayList<>());

        /** Returns and forgets what was reported so far. */
        public List<ExceptionContext> take() {
            synchronized (seen) {
                var taken = List.copyOf(seen);
                seen.clear();
                return taken;
            }
        }
    }

    private static boolean warm;

    private record State(EventLoop loop, Errors errors, int ownHandles, Descriptors before) {}

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        warmUp();
        var before = Descriptors.now();
        var loop = EventLoop.create(LoopOptions.defaults().closeTimeout(Duration.ofSeconds(5)));
        var errors = new Errors();
        loop.exceptionHandler(errors.seen::add);
        int ownHandles = loop.uv().openHandles().size();
        context.getStore(SPACE).put(State.class, new State(loop, errors, ownHandles, before));
    }

    /** The first loop of a JVM opens descriptors that stay. No class initialiser: a task would wait for it for ever. */
    private static void warmUp() throws Exception {
        if (warm) {
            return;
        }
        EventLoop.run(loop -> {
            try (var listener = loop.net().listen("127.0.0.1", 0);
                    var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                connection.write("x");
                listener.accept().close();
            }
        });
        // So does the first socket of the JDK's that is closed.
        var peer = Peers.server(socket -> socket.getInputStream().read());
        try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), peer.port())) {
            socket.shutdownOutput();
            peer.result().join();
        }
        waitOnAVirtualThread();
        warm = true;
    }

    /** So does the first virtual thread that waits for a socket: the JDK makes its pollers then. */
    private static void waitOnAVirtualThread() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var waiting = Thread.ofVirtual().start(() -> {
                try {
                    server.accept().close();
                } catch (IOException unexpected) {
                    throw new UncheckedIOException(unexpected);
                }
            });
            Until.holds("it waits", () -> Until.waits(waiting));
            new Socket(InetAddress.ofLiteral("127.0.0.1"), server.getLocalPort()).close();
            waiting.join();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var state = context.getStore(SPACE).get(State.class, State.class);
        var left = new ArrayList<String>();
        var loop = state.loop;
        if (!loop.isClosed() && !loop.isRunning()) {
            settle(loop);
            var handles = loop.uv().openHandles();
            if (handles.size() > state.ownHandles) {
                left.add("open handles: "
                        + handles.stream().map(UvHandle::toString).toList());
            }
            if (loop.uv().pendingRequests() > 0) {
                left.add("pending requests: " + loop.uv().pendingRequests());
            }
            if (loop.taskCount() > 0) {
                left.add("live tasks: " + loop.taskCount());
            }
        }
        loop.close();
        for (var error : state.errors.take()) {
            left.add("unhandled: " + error.message() + ": " + error.exception());
        }
        left.addAll(Descriptors.leakedSince(state.before));
        if (!left.isEmpty() && context.getExecutionException().isEmpty()) {
            throw new AssertionError("the test left something behind:\n  " + String.join("\n  ", left));
        }
    }

    private static void settle(EventLoop loop) {
        for (int i = 0; i < 10; i++) {
            loop.runOnce();
        }
        // With TLS a connection that was closed waits for the peer to answer.
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (loop.statistics().io().open() > 0 && System.nanoTime() < limit) {
            loop.runOnce();
            LockSupport.parkNanos(100_000);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return type == EventLoop.class || type == Errors.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var state = context.getStore(SPACE).get(State.class, State.class);
        return parameter.getParameter().getType() == EventLoop.class ? state.loop : state.errors;
    }
}
