package io.github.uvloop4j.uv;

import io.github.uvloop4j.testing.Descriptors;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives each test a libuv loop of its own, closes it, and fails the test for requests and descriptors that are left. */
final class UvExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(UvExtension.class);

    private record State(UvLoop loop, Descriptors before) {}

    private static final class WarmUp {
        static {
            try (var loop = UvLoop.create();
                    var marker = new ServerSocket(0)) {
                new UvTcp(loop, false);
                marker.setReuseAddress(true);
            } catch (IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private WarmUp() {}

        static void once() {
            // Loading the class does it: the first loop and the first socket of a JVM open descriptors that stay.
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        WarmUp.once();
        var before = Descriptors.now();
        context.getStore(SPACE).put(State.class, new State(UvLoop.create(), before));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var state = context.getStore(SPACE).get(State.class, State.class);
        state.loop.close();
        var left = new ArrayList<String>();
        if (state.loop.pendingRequests() > 0) {
            left.add("pending requests: " + state.loop.pendingRequests());
        }
        if (!state.loop.openHandles().isEmpty()) {
            left.add("open handles: " + state.loop.openHandles());
        }
        left.addAll(Descriptors.leakedSince(state.before));
        if (!left.isEmpty() && context.getExecutionException().isEmpty()) {
            throw new AssertionError("the test left something behind:\n  " + String.join("\n  ", left));
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == UvLoop.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(SPACE).get(State.class, State.class).loop;
    }
}
