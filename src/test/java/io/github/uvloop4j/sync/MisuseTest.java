package io.github.uvloop4j.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each method in each wrong place, and with each argument that makes no sense: one exception that names the mistake. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class MisuseTest {
    private interface Call {
        Object make() throws Exception;
    }

    private interface Action {
        void run() throws Exception;
    }

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Lock lock = new Lock();
    private final Condition condition = new Condition(lock);
    private final Event event = new Event();
    private final Semaphore semaphore = new Semaphore(1_000);
    private final Barrier barrier = new Barrier(1);
    private final AsyncQueue<String> queue = AsyncQueue.fifo();

    /** What waits, and belongs in a task. */
    private final Map<String, Call> waiting = new LinkedHashMap<>();

    /** What does not wait, and belongs on the loop thread. */
    private final Map<String, Call> instant = new LinkedHashMap<>();

    private static void add(Map<String, Call> calls, String name, Action action) {
        calls.put(name, () -> {
            action.run();
            return "nothing";
        });
    }

    MisuseTest() {
        add(waiting, "Lock.acquire()", lock::acquire);
        add(waiting, "Lock.acquire(Duration)", () -> lock.acquire(SECOND));
        waiting.put("Lock.tryAcquire()", lock::tryAcquire);
        add(waiting, "Lock.hold", () -> lock.hold());
        add(waiting, "Event.await()", () -> event.await());
        add(waiting, "Event.await(Duration)", () -> event.await(SECOND));
        add(waiting, "Semaphore.acquire()", () -> semaphore.acquire());
        add(waiting, "Semaphore.acquire(Duration)", () -> semaphore.acquire(2, SECOND));
        add(waiting, "Semaphore.hold", () -> semaphore.hold(SECOND));
        waiting.put("Barrier.await()", () -> barrier.await());
        waiting.put("Barrier.await(Duration)", () -> barrier.await(SECOND));
        add(waiting, "AsyncQueue.put(T)", () -> queue.put("x"));
        add(waiting, "AsyncQueue.put(T, Duration)", () -> queue.put("x", SECOND));
        waiting.put("AsyncQueue.get()", () -> queue.get());
        waiting.put("AsyncQueue.get(Duration)", () -> queue.get(SECOND));
        add(waiting, "AsyncQueue.join()", () -> queue.join());
        add(waiting, "AsyncQueue.join(Duration)", () -> queue.join(SECOND));
        add(instant, "Lock.release()", lock::release);
        add(instant, "Condition.await()", () -> condition.await());
        add(instant, "Condition.signal()", condition::signal);
        add(instant, "Condition.signalAll()", condition::signalAll);
        add(instant, "Event.set()", event::set);
        add(instant, "Event.clear()", event::clear);
        instant.put("Semaphore.tryAcquire()", semaphore::tryAcquire);
        add(instant, "Semaphore.release()", semaphore::release);
        add(instant, "Barrier.reset()", barrier::reset);
        add(instant, "Barrier.abort()", barrier::abort);
        instant.put("AsyncQueue.offer(T)", () -> queue.offer("x"));
        instant.put("AsyncQueue.poll()", queue::poll);
        add(instant, "AsyncQueue.taskDone()", queue::taskDone);
        add(instant, "AsyncQueue.shutdown()", queue::shutdown);
        instant.put("AsyncQueue.shutdownNow()", queue::shutdownNow);
    }

    private final Map<String, Call> looks = Map.ofEntries(
            Map.entry("Lock.isLocked()", lock::isLocked),
            Map.entry("Lock.owner()", lock::owner),
            Map.entry("Lock.waiting()", lock::waiting),
            Map.entry("Lock.statistics()", lock::statistics),
            Map.entry("Condition.waiting()", condition::waiting),
            Map.entry("Condition.statistics()", condition::statistics),
            Map.entry("Event.isSet()", event::isSet),
            Map.entry("Event.waiting()", event::waiting),
            Map.entry("Event.statistics()", event::statistics),
            Map.entry("Semaphore.available()", semaphore::available),
            Map.entry("Semaphore.waiting()", semaphore::waiting),
            Map.entry("Semaphore.statistics()", semaphore::statistics),
            Map.entry("Barrier.isBroken()", barrier::isBroken),
            Map.entry("Barrier.waiting()", barrier::waiting),
            Map.entry("Barrier.statistics()", barrier::statistics),
            Map.entry("AsyncQueue.size()", queue::size),
            Map.entry("AsyncQueue.isEmpty()", queue::isEmpty),
            Map.entry("AsyncQueue.isFull()", queue::isFull),
            Map.entry("AsyncQueue.isShutdown()", queue::isShutdown),
            Map.entry("AsyncQueue.statistics()", queue::statistics));

    /** Makes each object belong to a loop. */
    private void bind(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var _ = lock.hold()) {
                condition.signalAll();
            }
            event.set();
            semaphore.release();
            barrier.reset();
            queue.offer("bound");
        });
    }

    private static void assertRefused(Map<String, Call> calls, String... why) {
        var wrong = new ArrayList<String>();
        calls.forEach((name, call) -> {
            try {
                wrong.add(name + " returned " + call.make());
            } catch (IllegalStateException expected) {
                var message = String.valueOf(expected.getMessage());
                for (var part : why) {
                    if (!message.contains(part)) {
                        wrong.add(name + " says " + message);
                    }
                }
                if (!message.contains(name.substring(0, name.indexOf('.')))) {
                    wrong.add(name + " does not say what: " + message);
                }
            } catch (Throwable error) {
                wrong.add(name + " threw " + error);
            }
        });
        assertThat(wrong).isEmpty();
    }

    private static void elsewhere(Action action) throws Exception {
        var end = new CompletableFuture<Boolean>();
        Thread.ofPlatform().start(() -> {
            try {
                action.run();
                end.complete(true);
            } catch (Throwable error) {
                end.completeExceptionally(error);
            }
        });
        end.get();
    }

    @Test
    @Tag("cells")
    void aBareThreadIsRefused(EventLoop loop) throws Exception {
        elsewhere(() -> {
            assertRefused(waiting, "not the thread of any loop", "submit");
            assertRefused(instant, "not the thread of any loop", "post");
        });
        bind(loop);
        elsewhere(() -> {
            assertRefused(waiting, "not the thread of its loop", "submit");
            assertRefused(instant, "not the thread of its loop", "post");
            assertRefused(looks, "not the thread of its loop");
        });
    }

    @Test
    @Tag("cells")
    void theBareLoopThreadCannotWait(EventLoop loop) throws Exception {
        assertRefused(waiting, "would stop the loop", "loop.spawn");
        loop.run(() -> {
            var end = loop.<Boolean>createFuture();
            loop.callSoon(() -> {
                try {
                    assertRefused(waiting, "would stop the loop", "loop.spawn");
                    end.complete(true);
                } catch (AssertionError error) {
                    end.completeExceptionally(error);
                }
            });
            end.await();
        });
    }

    @Test
    @Tag("cells")
    void anotherLoopIsRefused(EventLoop loop) throws Exception {
        bind(loop);
        elsewhere(() -> EventLoop.run(other -> {
            assertRefused(waiting, "another loop", "give each loop its own");
            assertRefused(instant, "another loop", "give each loop its own");
            assertRefused(looks, "another loop");
        }));
        assertThat(lock.isLocked()).isFalse();
        assertThat(queue.poll()).isEqualTo("bound");
    }

    @Test
    void aLoopAtRestLeavesTheObjectToTheLoopThatRuns(EventLoop loop) throws Exception {
        queue.offer("early");
        semaphore.release();
        elsewhere(() -> EventLoop.run(other -> assertThat(queue.get()).isEqualTo("early")));
        assertThatThrownBy(queue::poll).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anybodyMayLookAtAnObjectWithoutALoop() throws Exception {
        elsewhere(() -> {
            for (var look : looks.values()) {
                look.make();
            }
            assertThat(lock.toString() + condition + event + semaphore + barrier + queue)
                    .isNotEmpty();
        });
    }

    @Test
    void nullIsRefused(EventLoop loop) throws Exception {
        var calls = new LinkedHashMap<String, Action>();
        calls.put("limit of Lock.acquire", () -> lock.acquire(none()));
        calls.put("limit of Lock.hold", () -> lock.hold(none()));
        calls.put("limit of Event.await", () -> event.await(none()));
        calls.put("limit of Condition.await", () -> condition.await(none()));
        calls.put("limit of Condition.awaitUntil", () -> condition.awaitUntil(() -> true, none()));
        calls.put("condition of Condition.awaitUntil", () -> condition.awaitUntil(none()));
        calls.put("lock of Condition", () -> new Condition(none()));
        calls.put("limit of Semaphore.acquire", () -> semaphore.acquire(MisuseTest.<Duration>none()));
        calls.put("limit of Barrier.await", () -> barrier.await(none()));
        calls.put("item of AsyncQueue.put", () -> queue.put(none()));
        calls.put("item of AsyncQueue.offer", () -> queue.offer(none()));
        calls.put("limit of AsyncQueue.put", () -> queue.put("x", none()));
        calls.put("limit of AsyncQueue.get", () -> queue.get(none()));
        calls.put("limit of AsyncQueue.join", () -> queue.join(none()));
        calls.put(
                "comparator of AsyncQueue.priority", () -> AsyncQueue.priority(MisuseTest.<Comparator<String>>none()));
        loop.run(() -> calls.forEach((name, call) -> assertThatThrownBy(call::run)
                .as(name)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(name.substring(0, name.indexOf(' ')))));
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T none() {
        return null;
    }

    @Test
    void negativeLimitsAreRefused(EventLoop loop) throws Exception {
        for (var limit : new Duration[] {Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE)}) {
            loop.run(() -> {
                for (Action call : new Action[] {
                    () -> lock.acquire(limit),
                    () -> event.await(limit),
                    () -> condition.await(limit),
                    () -> condition.awaitUntil(() -> true, limit),
                    () -> semaphore.acquire(limit),
                    () -> barrier.await(limit),
                    () -> queue.put("x", limit),
                    () -> queue.get(limit),
                    () -> queue.join(limit)
                }) {
                    assertThatThrownBy(call::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("limit is negative");
                }
            });
        }
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void limitsBeyondTheClockAreForEver(EventLoop loop) throws Exception {
        var ever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        var none = new Semaphore(0);
        var waits = AsyncQueue.<String>fifo(1);
        var both = new Barrier(2);
        loop.run(() -> {
            var first = loop.spawn(() -> none.acquire(ever));
            var second = loop.spawn(() -> event.await(ever));
            var third = loop.spawn(() -> waits.get(ever));
            var fourth = loop.spawn(() -> both.await(ever));
            var fifth = loop.spawn(() -> {
                try (var _ = lock.hold()) {
                    return condition.awaitUntil(() -> !waits.isEmpty(), ever);
                }
            });
            var sixth = loop.spawn(() -> {
                waits.put("b");
                waits.put("c");
                waits.put("d", ever);
                waits.join(ever);
            });
            both.await();
            none.release();
            event.set();
            first.await();
            second.await();
            assertThat(third.await()).isEqualTo("b");
            fourth.await();
            try (var _ = lock.hold()) {
                condition.signal();
            }
            assertThat(fifth.await()).isTrue();
            for (int i = 0; i < 2; i++) {
                waits.get();
            }
            for (int i = 0; i < 3; i++) {
                waits.taskDone();
            }
            sixth.await();
        });
    }
}
