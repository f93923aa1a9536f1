package io.github.uvloop4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.concurrent.LoopContext;
import io.github.uvloop4j.concurrent.LoopRegistry;
import io.github.uvloop4j.concurrent.LoopView;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.observe.ConnectionLife;
import io.github.uvloop4j.observe.LongTurn;
import io.github.uvloop4j.observe.Lookup;
import io.github.uvloop4j.observe.LoopObserver;
import io.github.uvloop4j.observe.StallInfo;
import io.github.uvloop4j.testing.Peers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ObserverTest {
    /** Writes down what it is told. */
    private static class Diary implements LoopObserver {
        final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void loopOpened(LoopContext loop) {
            lines.add("opened");
        }

        @Override
        public void loopClosed(LoopContext loop) {
            lines.add("closed");
        }

        @Override
        public void taskMade(Task<?> task) {
            lines.add(task.name() + " made in " + name(Task.current()));
        }

        @Override
        public void taskBegins(Task<?> task) {
            lines.add(task.name() + " begins in " + name(Task.current()));
        }

        @Override
        public void taskEnded(Task<?> task) {
            lines.add(task.name() + " ended in " + name(Task.current()) + ' ' + task.isDone());
        }

        private static String name(@Nullable Task<?> task) {
            return task == null ? "none" : task.name();
        }

        @Override
        public void connectionOpened(ConnectionLife connection) {
            lines.add("opened " + connection.kind() + (connection.isAccepted() ? " accepted" : ""));
        }

        @Override
        public void connectionClosed(ConnectionLife connection, @Nullable Throwable cause) {
            lines.add("closed " + connection.bytesReceived() + ' ' + connection.bytesSent() + ' ' + cause);
        }

        @Override
        public void turnWasLong(LoopContext loop, LongTurn turn) {
            lines.add("long turn " + (turn.busy().toMillis() >= 10) + ' ' + turn.calls());
        }

        @Override
        public void stalled(LoopContext loop, StallInfo stall) {
            lines.add("stalled");
        }

        @Override
        public void lookupBegins(LoopContext loop, Lookup lookup) {
            lines.add("look up " + lookup.host());
        }

        @Override
        public void lookupEnded(LoopContext loop, Lookup lookup, @Nullable Throwable failure) {
            lines.add("looked up " + lookup.host() + (failure == null ? "" : " in vain"));
        }
    }

    private static LoopOptions with(LoopObserver... observers) {
        return LoopOptions.defaults().observe(observers);
    }

    @Test
    @Tag("cells")
    void tasksAreToldFromTheirMakingToTheirEnd() throws Exception {
        var diary = new Diary();
        try (var loop = EventLoop.create(with(diary))) {
            loop.run(() -> {
                loop.spawn("child", () -> {}).await();
                var left = loop.spawn("left", () -> Task.sleep(Duration.ofDays(1)));
                left.cancel();
            });
        }
        assertThat(diary.lines.getFirst()).isEqualTo("opened");
        assertThat(diary.lines.getLast()).isEqualTo("closed");
        assertThat(diary.lines)
                .containsSubsequence(
                        "main made in none",
                        "main begins in main",
                        "child made in main",
                        "child begins in child",
                        "child ended in child true",
                        "left made in main",
                        "main ended in main true")
                .contains("left ended in left true");
    }

    @Test
    void connectionsAreTold() throws Exception {
        var diary = new Diary();
        try (var loop = EventLoop.create(with(diary))) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0);
                        var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                    try (var accepted = listener.accept()) {
                        accepted.write("abc");
                    }
                    connection.readAll();
                    connection.write("x");
                }
            });
        }
        assertThat(diary.lines).contains("opened tcp", "opened tcp accepted", "closed 0 3 null", "closed 3 1 null");
    }

    @Test
    void theCauseOfAnEndIsTold() throws Exception {
        var diary = new Diary();
        try (var loop = EventLoop.create(with(diary))) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    var peer = Peers.client(listener.address(), socket -> {
                        socket.setSoLinger(true, 0);
                        return null;
                    });
                    try (var connection = listener.accept()) {
                        loop.runInExecutor(peer::get).await();
                        connection.read(java.nio.ByteBuffer.allocate(1));
                    } catch (java.net.SocketException reset) {
                        diary.lines.add("seen");
                    }
                }
            });
        }
        assertThat(diary.lines).contains("seen").anyMatch(line -> line.contains("closed 0 0 java.net.SocketException"));
    }

    @Test
    void longTurnsAreTold() throws Exception {
        var diary = new Diary();
        try (var loop = EventLoop.create(with(diary))) {
            loop.run(() -> {
                long end = System.nanoTime() + 15_000_000;
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            });
        }
        assertThat(diary.lines).contains("long turn true 1");
    }

    @Test
    void lookUpsAreTold() throws Exception {
        var diary = new Diary();
        try (var loop = EventLoop.create(with(diary))) {
            loop.run(() -> {
                try (var connection = loop.net().openConnection("no-such-host.invalid", 1)) {
                    throw new AssertionError("connected to " + connection);
                } catch (java.net.UnknownHostException expected) {
                    diary.lines.add("unknown");
                }
            });
        }
        assertThat(diary.lines)
                .containsSubsequence(
                        "look up no-such-host.invalid", "looked up no-such-host.invalid in vain", "unknown");
    }

    @Test
    void tasksThatTheLoopCutsShortAreToldToo() throws Exception {
        var diary = new Diary();
        var options = with(diary).closeTimeout(Duration.ofMillis(20));
        try (var loop = EventLoop.create(options)) {
            loop.exceptionHandler(context -> {});
            loop.spawn("stubborn", () -> {
                while (true) {
                    LockSupport.parkNanos(1);
                    try {
                        Task.sleep(Duration.ofMillis(1));
                    } catch (java.util.concurrent.CancellationException again) {
                        // It does not listen.
                    }
                }
            });
            loop.run(() -> Task.sleep(Duration.ofMillis(5)));
        }
        assertThat(diary.lines).contains("stubborn ended in none true");
    }

    @Test
    @Tag("cells")
    void whatObserversThrowHarmsNobody() throws Exception {
        var broken = new Diary() {
            @Override
            public void taskBegins(Task<?> task) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void connectionOpened(ConnectionLife connection) {
                throw new StackOverflowError("broken too");
            }
        };
        var other = new Diary();
        var errors = new CopyOnWriteArrayList<Throwable>();
        try (var loop = EventLoop.create(with(broken, other))) {
            loop.exceptionHandler(context -> errors.add(context.exception()));
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0);
                        var connection = loop.net().openConnection("127.0.0.1", listener.port())) {
                    assertThat(connection.isClosing()).isFalse();
                }
            });
        }
        assertThat(errors).extracting(Throwable::getMessage).contains("broken", "broken too");
        assertThat(other.lines).contains("main begins in main", "opened tcp");
    }

    @Test
    void aLoopCanBeLookedAtOnceItIsToldOf() {
        var seen = new CopyOnWriteArrayList<String>();
        var observer = new LoopObserver() {
            @Override
            public void loopOpened(LoopContext loop) {
                var view = loop.view();
                seen.add(view.name()
                        + ' '
                        + view.isRunning()
                        + ' '
                        + view.thread()
                        + ' '
                        + view.threadId()
                        + ' '
                        + view.statistics().turns().count());
            }
        };
        try (var loop = EventLoop.create(with(observer).name("looked at"));
                var next = EventLoop.create(with(observer).name("next"))) {
            assertThat(seen).containsExactly("looked at false null 0 0", "next false null 0 0");
            assertThat(LoopRegistry.all())
                    .extracting(LoopContext::view)
                    .filteredOn(view -> List.of("looked at", "next").contains(view.name()))
                    .extracting(LoopView::id)
                    .hasSize(2)
                    .doesNotHaveDuplicates();
            assertThat(loop.isClosed() || next.isClosed()).isFalse();
        }
    }
}
