package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.work.WorkPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What belongs to the loop thread throws elsewhere, in every mode, and what any thread may call works. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class WrongThreadTest {
    private interface Call {
        Object on(EventLoop loop) throws Exception;
    }

    private static final Map<String, Call> LOOP_ONLY = new TreeMap<>(Map.of(
            "callSoon", loop -> loop.callSoon(() -> {}),
            "callLater", loop -> loop.callLater(Duration.ofHours(1), () -> {}),
            "callLater without delay", loop -> loop.callLater(Duration.ZERO, () -> {}),
            "callAt", loop -> loop.callAt(0, () -> {}),
            "spawn", loop -> loop.spawn(() -> 1),
            "spawn without result", loop -> loop.spawn(() -> {}),
            "spawn with a name", loop -> loop.spawn("x", () -> 1),
            "spawn with a name, without result", loop -> loop.spawn("x", () -> {}),
            "backendFd", EventLoop::backendFd,
            "backendTimeout", EventLoop::backendTimeout));

    private static final Map<String, Call> RUNNING = new TreeMap<>(Map.of(
            "run", loop -> loop.run(() -> 1),
            "run without result",
                    loop -> {
                        loop.run(() -> {});
                        return null;
                    },
            "runForever",
                    loop -> {
                        loop.runForever();
                        return null;
                    },
            "runOnce",
                    loop -> {
                        loop.runOnce();
                        return null;
                    },
            "runUntilComplete", loop -> loop.runUntilComplete(loop.createFuture()),
            "start", EventLoop::start));

    private static final Map<String, Call> BELOW = new TreeMap<>(Map.of(
            "uv().now", loop -> loop.uv().now(),
            "uv().backendFd", loop -> loop.uv().backendFd(),
            "uv().isAlive", loop -> loop.uv().isAlive(),
            "new UvTimer", loop -> new io.github.uvloop4j.uv.UvTimer(loop.uv()),
            "net().startServer", loop -> loop.net().startServer(connection -> {}, "127.0.0.1", 0),
            "net().listen", loop -> loop.net().listen("127.0.0.1", 0),
            "net().openConnection", loop -> loop.net().openConnection("127.0.0.1", 1)));

    private static final Set<String> ANY_THREAD = Set.of(
            "stop",
            "close",
            "isRunning",
            "isClosed",
            "inLoop",
            "time",
            "post",
            "callSoonThreadsafe",
            "execute",
            "createFuture",
            "submit",
            "call",
            "executorService",
            "threadFactory",
            "currentTask",
            "tasks",
            "dumpTasks",
            "taskCount",
            "tasksRideOnLoop",
            "runInExecutor",
            "runOnCpu",
            "adaptive",
            "net",
            "sockets",
            "uv",
            "exceptionHandler",
            "callExceptionHandler",
            "statistics",
            "stallHandler",
            "isDebug",
            "debug",
            "options",
            "toString");

    /** A place that is not the loop's: it runs an action there and waits. */
    private interface Elsewhere {
        void run(Runnable action) throws Exception;
    }

    private static void everythingThrows(EventLoop loop, Elsewhere elsewhere) throws Exception {
        var all = new TreeMap<String, Call>(LOOP_ONLY);
        all.putAll(RUNNING);
        all.putAll(BELOW);
        var wrong = new ArrayList<String>();
        elsewhere.run(() -> all.forEach((name, call) -> {
            try {
                wrong.add(name + " returned " + call.on(loop));
            } catch (IllegalStateException expected) {
                // As it must be.
            } catch (Throwable error) {
                wrong.add(name + " threw " + error);
            }
        }));
        assertThat(wrong).isEmpty();
        assertThat(loop.submit(() -> "fine").get()).isEqualTo("fine");
    }

    @Test
    @Tag("cells")
    void onAPlatformThread(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(loop, action -> Thread.ofPlatform().start(action).join());
        }
    }

    @Test
    void onTheThreadThatMadeTheLoop(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(loop, Runnable::run);
        }
    }

    @Test
    void onAVirtualThread(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(loop, action -> Thread.ofVirtual().start(action).join());
        }
    }

    @Test
    void onAWorkerOfTheLoop(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(
                    loop,
                    action -> loop.runInExecutor(() -> {
                                action.run();
                                return null;
                            })
                            .get());
        }
    }

    @Test
    void inACallbackOfAnotherLoop(EventLoop other) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(loop, action -> {
                other.callSoon(action);
                other.runOnce();
            });
        }
    }

    @Test
    @Tag("cells")
    void inATaskOfAnotherLoop(EventLoop other) throws Exception {
        try (var loop = EventLoop.create().start()) {
            everythingThrows(loop, action -> other.run(action::run));
        }
    }

    @Test
    void whileTheLoopRestsWithAnotherThread(EventLoop loop) throws Exception {
        var wrong = new ArrayList<String>();
        Thread.ofPlatform()
                .start(() -> LOOP_ONLY.forEach((name, call) -> {
                    try {
                        wrong.add(name + " returned " + call.on(loop));
                    } catch (IllegalStateException expected) {
                        // As it must be.
                    } catch (Exception error) {
                        wrong.add(name + " threw " + error);
                    }
                }))
                .join();
        assertThat(wrong).isEmpty();
    }

    @Test
    void theMessageSaysWhatToDo(EventLoop loop) throws Exception {
        var messages = new ArrayList<String>();
        Thread.ofPlatform()
                .name("stranger")
                .start(() -> {
                    try {
                        loop.callSoon(() -> {});
                    } catch (IllegalStateException error) {
                        messages.add(error.getMessage());
                    }
                })
                .join();
        assertThat(messages).singleElement().asString().contains("stranger").contains("post");
    }

    @Test
    void handlesAreCancelledOnTheLoopThreadOnly(EventLoop loop) throws Exception {
        var handles = List.of(loop.callSoon(() -> {}), loop.callLater(Duration.ofHours(1), () -> {}));
        var thrown = new ArrayList<Throwable>();
        Thread.ofPlatform()
                .start(() -> handles.forEach(handle -> {
                    try {
                        handle.cancel();
                    } catch (IllegalStateException error) {
                        thrown.add(error);
                    }
                }))
                .join();
        assertThat(thrown).hasSize(2);
        assertThat(handles).noneMatch(handle -> handle.isCancelled());
    }

    @Test
    void whatAnyThreadMayCallWorksThere(EventLoop unused) throws Exception {
        try (var loop = EventLoop.create().start()) {
            List<Callable<?>> calls = List.of(
                    loop::isRunning,
                    loop::isClosed,
                    loop::inLoop,
                    loop::time,
                    loop::createFuture,
                    loop::currentTask,
                    loop::tasks,
                    loop::dumpTasks,
                    loop::taskCount,
                    loop::tasksRideOnLoop,
                    loop::net,
                    loop::sockets,
                    loop::uv,
                    loop::exceptionHandler,
                    loop::isDebug,
                    loop::options,
                    loop::toString,
                    () -> loop.submit(() -> 1).get(),
                    () -> loop.call(() -> 1),
                    () -> loop.executorService().submit(() -> 1).get(),
                    () -> loop.runInExecutor(() -> 1).get(),
                    () -> loop.runOnCpu(() -> 1).get(),
                    () -> loop.adaptive("x", WorkPolicy.cpuBound()));
            var failed = new ArrayList<Throwable>();
            Thread.ofPlatform()
                    .start(() -> calls.forEach(call -> {
                        try {
                            call.call();
                        } catch (Exception error) {
                            failed.add(error);
                        }
                    }))
                    .join();
            assertThat(failed).isEmpty();
        }
    }

    /** A new method has to be put into one of the lists above. */
    @Test
    void everyMethodHasItsRule(EventLoop unused) {
        var known = new TreeSet<String>(ANY_THREAD);
        LOOP_ONLY.keySet().forEach(name -> known.add(name.split(" ")[0]));
        RUNNING.keySet().forEach(name -> known.add(name.split(" ")[0]));
        var methods = new TreeSet<String>();
        Arrays.stream(EventLoop.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .forEach(methods::add);
        assertThat(methods).isEqualTo(known);
    }
}
