package io.github.uvloop4j.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.LoopExtension.Errors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where and when the callbacks of a loop's futures run. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class LoopFutureOnLoopTest {
    @Test
    void aCallbackNeverRunsInsideComplete(EventLoop loop) {
        var order = new ArrayList<String>();
        var future = loop.<String>createFuture();
        future.onDone(() -> order.add("callback"));
        loop.callSoon(() -> {
            future.complete("x");
            order.add("completed");
        });
        loop.runOnce();
        assertThat(order).containsExactly("completed");
        loop.runOnce();
        assertThat(order).containsExactly("completed", "callback");
    }

    @Test
    void aCallbackOfADoneFutureWaitsForTheNextTurn(EventLoop loop) {
        var order = new ArrayList<String>();
        var future = loop.<String>createFuture();
        future.complete("x");
        future.onDone(() -> order.add("callback"));
        assertThat(order).isEmpty();
        loop.runOnce();
        assertThat(order).containsExactly("callback");
    }

    @Test
    void callbacksKeepTheirOrderAmongOtherCallbacks(EventLoop loop) {
        var order = new ArrayList<String>();
        var future = loop.<String>createFuture();
        future.onDone(() -> order.add("first"));
        future.onDone(() -> order.add("second"));
        loop.callSoon(() -> order.add("before"));
        future.complete("x");
        loop.callSoon(() -> order.add("after"));
        loop.runOnce();
        assertThat(order).containsExactly("before", "first", "second", "after");
    }

    @Test
    @Tag("cells")
    void foreignCompletionsCallBackOnTheLoop(EventLoop loop) throws Exception {
        int count = 1_000;
        Set<Thread> where = ConcurrentHashMap.newKeySet();
        var values = Collections.synchronizedList(new ArrayList<Integer>());
        var futures = new ArrayList<LoopFuture<Integer>>();
        for (int i = 0; i < count; i++) {
            var future = loop.<Integer>createFuture();
            futures.add(future);
            future.whenDone((value, error) -> {
                where.add(Thread.currentThread());
                values.add(value);
                if (values.size() == count) {
                    loop.stop();
                }
            });
        }
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < 4; t++) {
            int first = t;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = first; i < count; i += 4) {
                    futures.get(i).complete(i);
                }
            }));
        }
        loop.runForever();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(where).containsExactly(Thread.currentThread());
        assertThat(values).doesNotHaveDuplicates().hasSize(count);
    }

    @Test
    void callbacksAddedElsewhereRunOnTheLoop(EventLoop loop) throws Exception {
        var where = new ArrayList<Thread>();
        var future = loop.<String>createFuture();
        Thread.ofPlatform()
                .start(() -> future.onDone(() -> where.add(Thread.currentThread())))
                .join();
        future.complete("x");
        Thread.ofPlatform()
                .start(() -> future.onDone(() -> {
                    where.add(Thread.currentThread());
                    loop.stop();
                }))
                .join();
        loop.runForever();
        assertThat(where).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @Test
    void aFailingCallbackIsReportedAndHarmsNoOther(EventLoop loop, Errors errors) {
        var broken = new IllegalStateException("callback");
        var order = new ArrayList<String>();
        var future = loop.<String>createFuture();
        future.onDone(() -> order.add("first"));
        future.whenDone((value, error) -> {
            throw broken;
        });
        future.onDone(() -> order.add("last"));
        future.complete("x");
        loop.runOnce();
        assertThat(order).containsExactly("first", "last");
        assertThat(errors.take())
                .singleElement()
                .satisfies(context -> assertThat(context.exception()).isSameAs(broken));
    }

    @Test
    void aLongChainDoesNotDeepenTheStack(EventLoop loop) throws Exception {
        var first = loop.<Integer>createFuture();
        LoopFuture<Integer> last = first;
        for (int i = 0; i < 50_000; i++) {
            last = last.map(value -> value + 1);
        }
        first.complete(0);
        assertThat(loop.runUntilComplete(last)).isEqualTo(50_000);
    }

    @Test
    void aLongRecursionOfCompletionsDoesNotDeepenTheStack(EventLoop loop) throws Exception {
        var end = loop.<Integer>createFuture();
        step(loop, 50_000, end);
        assertThat(loop.runUntilComplete(end)).isEqualTo(0);
    }

    private static void step(EventLoop loop, int left, LoopFuture<Integer> end) {
        if (left == 0) {
            end.complete(0);
            return;
        }
        var future = loop.<Integer>createFuture();
        future.onDone(() -> step(loop, left - 1, end));
        future.complete(left);
    }

    @Test
    void stagesOfALoopsFutureRunOnTheLoop(EventLoop loop) throws Exception {
        var where = Collections.synchronizedList(new ArrayList<Thread>());
        var source = loop.<Integer>createFuture();
        var end = source.map(value -> note(where, value))
                .compose(value -> LoopFuture.completed(null, note(where, value)))
                .handle((value, error) -> note(where, value));
        Thread.ofPlatform().start(() -> source.complete(7));
        assertThat(loop.runUntilComplete(end)).isEqualTo(7);
        assertThat(where).isEqualTo(List.of(Thread.currentThread(), Thread.currentThread(), Thread.currentThread()));
    }

    private static int note(List<Thread> where, int value) {
        where.add(Thread.currentThread());
        return value;
    }

    @Test
    void composeAcrossLoopsComesBackToItsOwn(EventLoop loop) throws Exception {
        try (var other = EventLoop.create().start()) {
            var where = new ArrayList<Thread>();
            var source = loop.<Integer>createFuture();
            var end = source.compose(value -> other.submit(() -> value + 1)).map(value -> {
                where.add(Thread.currentThread());
                return value;
            });
            source.complete(1);
            assertThat(loop.runUntilComplete(end)).isEqualTo(2);
            assertThat(where).containsExactly(Thread.currentThread());
        }
    }

    @Test
    void aCompletionAfterTheLoopsEndIsQuiet(EventLoop loop) throws Exception {
        var calls = new int[1];
        var future = loop.<String>createFuture();
        future.onDone(() -> calls[0]++);
        loop.close();
        var result = new boolean[1];
        var thread = Thread.ofPlatform().start(() -> result[0] = future.complete("x"));
        thread.join();
        assertThat(result[0]).isTrue();
        assertThat(calls[0]).isZero();
        assertThat(future.result()).isEqualTo("x");
    }
}
