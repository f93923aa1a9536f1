package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.affinity.Affinity;
import io.github.uvloop4j.affinity.AffinityException;
import io.github.uvloop4j.affinity.CpuSet;
import io.github.uvloop4j.affinity.MemoryPolicy;
import io.github.uvloop4j.affinity.Pinning;
import io.github.uvloop4j.concurrent.LoopContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loops whose options have CPUs. */
@Tag("cells")
@Timeout(60)
class PinnedLoopTest {
    private static final CpuSet INITIAL = Affinity.initial();
    private static final CpuSet LAST = CpuSet.of(INITIAL.last());
    private static final CpuSet NOWHERE = CpuSet.of(9_000);

    private static EventLoop create(Pinning pinning) {
        return EventLoop.create(LoopOptions.defaults().pin(pinning));
    }

    private static CpuSet postedTo(EventLoop loop) throws Exception {
        var cpus = new CompletableFuture<CpuSet>();
        loop.post(() -> cpus.complete(Affinity.current()));
        return cpus.get();
    }

    interface Body {
        void run() throws Exception;
    }

    /** Runs on a platform thread that no other test uses. */
    private static void onThread(Body body) throws Exception {
        var task = new FutureTask<>(() -> {
            body.run();
            return true;
        });
        Thread.ofPlatform().start(task);
        try {
            task.get();
        } catch (ExecutionException e) {
            throw new AssertionError("failed on the thread", e.getCause());
        }
    }

    @Test
    void aStartedLoopIsPinnedBeforeItsFirstTurn() throws Exception {
        try (var loop = EventLoop.create(LoopOptions.defaults().pin(LAST))) {
            var first = new CompletableFuture<CpuSet>();
            loop.callSoon(() -> first.complete(Affinity.current()));
            loop.start();
            assertThat(first.get()).isEqualTo(LAST);
            assertThat(postedTo(loop)).isEqualTo(LAST);
        }
        assertThat(Affinity.current()).isEqualTo(INITIAL);
    }

    @Test
    void aLoopThatRunsOnTheCallersThreadPinsItMeanwhile() throws Exception {
        onThread(() -> {
            try (var loop = create(Pinning.to(LAST))) {
                var inside = new CompletableFuture<CpuSet>();
                loop.callSoon(() -> inside.complete(Affinity.current()));
                loop.run(() -> {});
                assertThat(inside.get()).isEqualTo(LAST);
                assertThat(Affinity.current()).isEqualTo(INITIAL);
                assertThatThrownBy(() -> loop.run(() -> {
                            throw new IllegalStateException("thrown by the body");
                        }))
                        .hasMessage("thrown by the body");
                assertThat(Affinity.current()).isEqualTo(INITIAL);
            }
        });
    }

    @Test
    void aFatalErrorUnpinsTheCallersThread() throws Exception {
        onThread(() -> {
            var options = LoopOptions.defaults().pin(LAST).fatal(error -> true);
            try (var loop = EventLoop.create(options)) {
                loop.callSoon(() -> {
                    throw new IllegalStateException("fatal");
                });
                assertThatThrownBy(loop::runForever).hasMessage("fatal");
                assertThat(Affinity.current()).isEqualTo(INITIAL);
            }
        });
    }

    @Test
    void aLoopUnpinsTheCallersThreadFromWhatItsCallbacksPinnedItTo() throws Exception {
        onThread(() -> {
            try (var loop = create(Pinning.to(LAST))) {
                loop.callSoon(() -> Affinity.pin(CpuSet.of(INITIAL.first())));
                loop.run(() -> {});
                assertThat(Affinity.current()).isEqualTo(INITIAL);
            }
        });
    }

    @Test
    void aTurnThatAForeignLoopDrivesPinsNobody() throws Exception {
        onThread(() -> {
            try (var loop = create(Pinning.to(LAST))) {
                var inside = new CompletableFuture<CpuSet>();
                loop.callSoon(() -> inside.complete(Affinity.current()));
                loop.runOnce();
                assertThat(inside.get()).isEqualTo(INITIAL);
            }
        });
    }

    @Test
    void startFailsWhenARequiredPinFailsAndTheLoopStaysUsable() throws Exception {
        onThread(() -> {
            try (var loop = create(Pinning.to(NOWHERE))) {
                for (int i = 0; i < 2; i++) {
                    assertThatThrownBy(loop::start)
                            .isInstanceOf(AffinityException.class)
                            .hasMessageContaining("dropped: 9000");
                }
                assertThat(loop.isRunning()).isFalse();
                var ran = new CompletableFuture<Boolean>();
                loop.callSoon(() -> ran.complete(true));
                loop.runOnce();
                assertThat(ran).isDone();
            }
        });
    }

    @Test
    void runFailsWhenARequiredPinFails() throws Exception {
        onThread(() -> {
            try (var loop = create(Pinning.to(NOWHERE))) {
                assertThatThrownBy(() -> loop.run(() -> {})).isInstanceOf(AffinityException.class);
                assertThat(loop.isRunning()).isFalse();
            }
        });
    }

    @Test
    void anOptionalPinThatFailsLeavesTheLoopUnpinned() throws Exception {
        try (var loop = create(Pinning.to(NOWHERE).optional()).start()) {
            assertThat(postedTo(loop)).isEqualTo(INITIAL);
        }
    }

    @Test
    void aStartedLoopIsNotPinnedByThePinnedThreadThatStartsIt() throws Exception {
        onThread(() -> {
            try (var _ = Affinity.pinned(LAST);
                    var loop = create(Pinning.NONE).start()) {
                assertThat(postedTo(loop)).isEqualTo(INITIAL);
            }
        });
    }

    @Test
    void memoryOfTheNodeIsPreferredWhileTheLoopRuns() throws Exception {
        onThread(() -> {
            var before = MemoryPolicy.preferred();
            try (var loop = create(Pinning.to(LAST).localMemory(true))) {
                loop.run(() -> {});
            }
            assertThat(MemoryPolicy.preferred()).isEqualTo(before);
        });
    }

    @Test
    void theReceiveBufferIsAllocatedWhenTheLoopReceives() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var loop = create(Pinning.to(LAST))) {
            Thread.ofPlatform().start(() -> {
                try (var peer = server.accept()) {
                    peer.getOutputStream().write("hello\n".getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            loop.run(() -> {
                var io = ((Scheduler) LoopContext.current()).io();
                assertThat(io.receiveAddress()).isZero();
                try (var connection = loop.net().openConnection("127.0.0.1", server.getLocalPort())) {
                    assertThat(connection.readLine()).isEqualTo("hello");
                }
                assertThat(io.receiveAddress()).isNotZero();
            });
        }
    }
}
