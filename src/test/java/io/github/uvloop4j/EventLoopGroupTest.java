package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.testing.Until;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventLoopGroupTest {
    private static EventLoopGroup group(int loops) {
        return EventLoopGroup.create(GroupOptions.defaults().loops(loops));
    }

    @Test
    @Tag("cells")
    void eachLoopRunsOnAThreadOfItsOwn() throws Exception {
        try (var group = group(3)) {
            Set<Thread> threads = ConcurrentHashMap.newKeySet();
            for (var loop : group.loops()) {
                var ran = new CompletableFuture<Thread>();
                loop.post(() -> ran.complete(Thread.currentThread()));
                threads.add(ran.get());
            }
            assertThat(group.size()).isEqualTo(3);
            assertThat(threads.stream().map(Thread::getName))
                    .containsExactlyInAnyOrder("uvloop4j-loop-0", "uvloop4j-loop-1", "uvloop4j-loop-2");
        }
    }

    @Test
    void isAsLargeAsTheProcessHasCpusUnlessToldOtherwise() {
        try (var group = EventLoopGroup.create()) {
            assertThat(group.size()).isBetween(1, Runtime.getRuntime().availableProcessors());
        }
    }

    @Test
    void nextGivesTheLoopsInTurn() {
        try (var group = group(2)) {
            var first = group.next();
            var second = group.next();
            assertThat(List.of(first, second)).containsExactlyElementsOf(group.loops());
            assertThat(group.next()).isSameAs(first);
        }
    }

    @Test
    void equalKeysHaveTheSameLoopAndManyKeysUseAllLoops() {
        try (var group = group(3)) {
            assertThat(group.forKey(new String("user-1"))).isSameAs(group.forKey("user-1"));
            assertThat(IntStream.range(0, 100).mapToObj(group::forKey).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(group.loops());
        }
    }

    @Test
    void knowsTheIndexOfItsLoops() {
        try (var group = group(2);
                var other = EventLoop.create()) {
            assertThat(group.indexOf(group.loop(1))).isEqualTo(1);
            assertThat(group.indexOf(other)).isEqualTo(-1);
        }
    }

    @Test
    @Tag("cells")
    void closingEndsTheLoopsAndTheirThreads() {
        var group = group(2);
        var loops = group.loops();
        group.close();
        assertThat(loops).allMatch(EventLoop::isClosed);
        assertThat(group.isTerminated()).isTrue();
        assertThat(group.toString()).contains("closed");
        assertThatThrownBy(() -> loops.getFirst().post(() -> {})).isInstanceOf(RejectedExecutionException.class);
        group.close();
    }

    @Test
    void closingCancelsTasks() throws Exception {
        var group = group(1);
        var ended = new CompletableFuture<String>();
        var started = new CountDownLatch(1);
        group.loop(0).submit(() -> {
            try {
                started.countDown();
                group.loop(0).createFuture().await();
            } finally {
                ended.complete("cleaned up");
            }
        });
        started.await();
        group.close();
        assertThat(ended).isCompletedWithValue("cleaned up");
    }

    @Test
    void aLoopThatIsStoppedEndsTheGroup() throws Exception {
        var group = group(2);
        group.loop(1).stop();
        assertThat(group.awaitShutdown()).isTrue();
        assertThat(group.loops()).allMatch(EventLoop::isClosed);
    }

    @Test
    void aFatalErrorOfOneLoopEndsTheGroupAndLeavesClose() {
        var options = GroupOptions.defaults()
                .loops(2)
                .loop(LoopOptions.defaults().fatal(error -> error instanceof OutOfMemoryError));
        var group = EventLoopGroup.create(options);
        group.loop(1).post(() -> {
            throw new OutOfMemoryError("made up");
        });
        assertThatThrownBy(group::awaitShutdown)
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("made up");
        assertThatThrownBy(group::close).isInstanceOf(OutOfMemoryError.class);
        assertThat(group.loops()).allMatch(EventLoop::isClosed);
    }

    @Test
    void oneHandlerIsToldTheErrorsOfAllLoops() {
        var seen = new ConcurrentLinkedQueue<String>();
        var options = GroupOptions.defaults()
                .loops(2)
                .exceptionHandler((loop, context) -> seen.add(
                        loop.options().name() + ' ' + context.exception().getMessage() + ' ' + loop.inLoop()));
        try (var group = EventLoopGroup.create(options)) {
            for (var loop : group.loops()) {
                loop.post(() -> {
                    throw new IllegalStateException("lost");
                });
            }
            Until.holds("both errors", () -> seen.size() == 2);
        }
        assertThat(seen).containsExactlyInAnyOrder("uvloop4j-loop-0 lost true", "uvloop4j-loop-1 lost true");
    }

    @Test
    void shutdownOnAnOwnLoopIsRefusedAndShutdownAsyncIsNot() throws Exception {
        var group = group(1);
        var refused = new CompletableFuture<Throwable>();
        group.loop(0).post(() -> {
            try {
                group.shutdown(Duration.ZERO);
            } catch (IllegalStateException e) {
                refused.complete(e);
            }
        });
        assertThat(refused.get()).hasMessageContaining("shutdownAsync");
        group.loop(0).post(() -> group.shutdownAsync(Duration.ZERO));
        assertThat(group.awaitShutdown()).isTrue();
    }

    @Test
    void awaitShutdownOnTheBareThreadOfALoopIsRefused() throws Exception {
        try (var group = group(1)) {
            var refused = new CompletableFuture<Throwable>();
            group.loop(0).post(() -> {
                try {
                    group.awaitShutdown();
                } catch (IllegalStateException | InterruptedException e) {
                    refused.complete(e);
                }
            });
            assertThat(refused.get()).hasMessageContaining("deadlock");
        }
    }

    @Test
    void aBlockedLoopIsReportedAndInterruptedWhenTheGroupEnds() throws Exception {
        var loop = LoopOptions.defaults().closeTimeout(Duration.ofMillis(10));
        var group = EventLoopGroup.create(GroupOptions.defaults().loops(1).loop(loop));
        var interrupted = new CompletableFuture<Boolean>();
        var blocked = new CountDownLatch(1);
        group.loop(0).post(() -> {
            blocked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(true);
            }
        });
        blocked.await();
        assertThat(group.shutdown(Duration.ZERO)).isFalse();
        assertThat(interrupted).isCompletedWithValue(true);
        assertThat(group.loop(0).isClosed()).isTrue();
    }

    @Test
    void aNegativeLimitIsRefused() {
        try (var group = group(1)) {
            assertThatThrownBy(() -> group.shutdown(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
            assertThat(group.isShutdown()).isFalse();
        }
    }

    @Test
    void theLayoutNamesEachLoopAndItsThread() {
        try (var group = group(2)) {
            var layout = group.layout();
            assertThat(layout.loops()).extracting(GroupLayout.Place::loop).containsExactly(0, 1);
            assertThat(layout.loops()).extracting(GroupLayout.Place::cpus).containsOnly(CpuSet.empty());
            assertThat(layout.loops())
                    .extracting(GroupLayout.Place::threadId)
                    .allMatch(id -> id > 0)
                    .doesNotHaveDuplicates();
            assertThat(layout.toString()).startsWith("loop").hasLineCount(3);
            assertThat(layout.toJson()).startsWith("{\"loops\":[{\"loop\":0,\"name\":\"uvloop4j-loop-0\"");
        }
    }

    @Test
    void isShutDownByTheHookWhenTheJvmEnds() throws Exception {
        var result = new io.github.uvloop4j.testing.ChildJvm()
                .flag("-Duvloop4j.shutdownHook=true")
                .run(GroupExitMain.class);
        assertThat(result.output()).contains("cleaned up");
        assertThat(result.exitCode()).isEqualTo(3);
    }
}
