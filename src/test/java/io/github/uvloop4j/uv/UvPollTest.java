package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.ffi.libc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(30)
@ExtendWith(UvExtension.class)
class UvPollTest {
    /** Two connected descriptors of the kernel, closed in the end. */
    private record Sockets(int first, int second) implements AutoCloseable {
        static Sockets open() {
            try (var arena = Arena.ofConfined()) {
                var pair = arena.allocate(ValueLayout.JAVA_INT, 2);
                assertThat(libc.socketpair(libc.AF_UNIX(), libc.SOCK_STREAM() | libc.SOCK_NONBLOCK(), 0, pair))
                        .isZero();
                return new Sockets(pair.getAtIndex(ValueLayout.JAVA_INT, 0), pair.getAtIndex(ValueLayout.JAVA_INT, 1));
            }
        }

        static void send(int fd, String text) {
            var data = Streams.memory(text);
            assertThat(libc.send(fd, data, data.byteSize(), 0)).isEqualTo(data.byteSize());
        }

        static String receive(int fd) {
            var room = Arena.ofAuto().allocate(64);
            long count = libc.recv(fd, room, room.byteSize(), 0);
            return count < 0 ? "nothing" : room.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE).length + " bytes";
        }

        @Override
        public void close() {
            libc.close(first);
            libc.close(second);
        }
    }

    @Test
    void tellsWhenThereIsSomethingToRead(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var events = new ArrayList<Integer>();
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.READABLE, (status, event) -> {
                events.add(event);
                Sockets.receive(sockets.first);
            });
            loop.run(UvLoop.Mode.NOWAIT);
            assertThat(events).isEmpty();
            Sockets.send(sockets.second, "x");
            Streams.until(loop, () -> !events.isEmpty());
            loop.run(UvLoop.Mode.NOWAIT);
            assertThat(events).containsExactly(UvPoll.READABLE);
            poll.close();
        }
    }

    @Test
    void tellsReadableAndWritableTogether(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            Sockets.send(sockets.second, "x");
            var events = new ArrayList<Integer>();
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.READABLE | UvPoll.WRITABLE, (status, event) -> {
                events.add(event);
                poll.stop();
            });
            Streams.until(loop, () -> !events.isEmpty());
            assertThat(events).containsExactly(UvPoll.READABLE | UvPoll.WRITABLE);
            poll.close();
        }
    }

    @Test
    void tellsThatThePeerHasGone(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var events = new ArrayList<Integer>();
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.DISCONNECT, (status, event) -> {
                events.add(event);
                poll.stop();
            });
            libc.shutdown(sockets.second, 1);
            Streams.until(loop, () -> !events.isEmpty());
            assertThat(events.getFirst() & UvPoll.DISCONNECT).isNotZero();
            poll.close();
        }
    }

    @Test
    void aSecondStartChangesEventsAndCallback(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var calls = new ArrayList<String>();
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.READABLE, (status, event) -> calls.add("first"));
            poll.start(UvPoll.WRITABLE, (status, event) -> {
                calls.add("second " + event);
                poll.stop();
            });
            Streams.until(loop, () -> !calls.isEmpty());
            assertThat(calls).containsExactly("second " + UvPoll.WRITABLE);
            poll.close();
        }
    }

    @Test
    void startWithoutEventsStops(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.WRITABLE, (status, event) -> {});
            poll.start(0, (status, event) -> {});
            assertThat(poll.isActive()).isFalse();
            assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
            poll.close();
        }
    }

    @Test
    void stopEndsTheCallsAndStartBeginsThemAgain(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var calls = new int[1];
            var poll = new UvPoll(loop, sockets.first);
            UvPoll.Listener listener = (status, event) -> calls[0]++;
            poll.start(UvPoll.WRITABLE, listener);
            poll.stop();
            poll.stop();
            assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
            assertThat(calls[0]).isZero();
            poll.start(UvPoll.WRITABLE, listener);
            Streams.until(loop, () -> calls[0] > 0);
            poll.close();
        }
    }

    @Test
    void unknownEventsAreRefused(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var poll = new UvPoll(loop, sockets.first);
            assertThatThrownBy(() -> poll.start(64, (status, event) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("64");
            assertThatThrownBy(() -> poll.start(UvPoll.READABLE, null)).isInstanceOf(NullPointerException.class);
            poll.close();
        }
    }

    @Test
    void aBadDescriptorIsRefusedAndLeavesNoHandle(UvLoop loop) {
        assertThatThrownBy(() -> new UvPoll(loop, -1))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EBADF));
        assertThat(loop.openHandles()).isEmpty();
    }

    @Test
    void aRegularFileIsRefused(UvLoop loop) throws Exception {
        var file = java.nio.file.Files.createTempFile("uvloop4j", ".test");
        try (var arena = Arena.ofConfined()) {
            int fd = libc.open.makeInvoker().apply(arena.allocateFrom(file.toString()), libc.O_RDONLY());
            assertThat(fd).isPositive();
            try {
                assertThatThrownBy(() -> new UvPoll(loop, fd))
                        .isInstanceOfSatisfying(
                                UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EPERM));
            } finally {
                libc.close(fd);
            }
        } finally {
            java.nio.file.Files.delete(file);
        }
    }

    @Test
    void twoHandlesCannotWatchOneDescriptor(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var first = new UvPoll(loop, sockets.first);
            first.start(UvPoll.READABLE, (status, event) -> {});
            loop.run(UvLoop.Mode.NOWAIT);
            assertThatThrownBy(() -> {
                        var second = new UvPoll(loop, sockets.first);
                        second.start(UvPoll.READABLE, (status, event) -> {});
                    })
                    .isInstanceOfSatisfying(
                            UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EEXIST));
            loop.openHandles().forEach(UvHandle::close);
        }
    }

    @Test
    void whatTheCallbackThrowsReachesTheHandler(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        try (var sockets = Sockets.open()) {
            var poll = new UvPoll(loop, sockets.first);
            poll.start(UvPoll.WRITABLE, (status, event) -> {
                poll.stop();
                throw new LinkageError("mine");
            });
            loop.run(UvLoop.Mode.DEFAULT);
            assertThat(errors).singleElement().isInstanceOf(LinkageError.class);
            poll.close();
        }
    }

    @Test
    void theCallbackMayCloseTheHandleAndTheDescriptor(UvLoop loop) {
        var sockets = Sockets.open();
        var calls = new int[1];
        var poll = new UvPoll(loop, sockets.first);
        poll.start(UvPoll.WRITABLE, (status, event) -> {
            calls[0]++;
            poll.close();
            sockets.close();
        });
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        assertThat(calls[0]).isEqualTo(1);
    }

    @Test
    void aReusedDescriptorNumberDoesNotGetTheOldEvents(UvLoop loop) {
        var old = Sockets.open();
        var calls = new ArrayList<String>();
        var poll = new UvPoll(loop, old.first);
        poll.start(UvPoll.READABLE, (status, event) -> calls.add("old"));
        loop.run(UvLoop.Mode.NOWAIT);
        Sockets.send(old.second, "x");
        poll.close();
        old.close();
        try (var fresh = Sockets.open()) {
            var second = new UvPoll(loop, fresh.first);
            second.start(UvPoll.READABLE, (status, event) -> calls.add("fresh"));
            for (int i = 0; i < 5; i++) {
                loop.run(UvLoop.Mode.NOWAIT);
            }
            assertThat(calls).isEmpty();
            second.close();
        }
    }

    @Test
    void manyHandlesAreClosedAtOnce(UvLoop loop) {
        var all = new ArrayList<Sockets>();
        for (int i = 0; i < 200; i++) {
            all.add(Sockets.open());
            new UvPoll(loop, all.getLast().first).start(UvPoll.WRITABLE, (status, event) -> {});
        }
        loop.run(UvLoop.Mode.NOWAIT);
        List.copyOf(loop.openHandles()).forEach(UvHandle::close);
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        all.forEach(Sockets::close);
    }

    @Test
    void everyMethodThrowsAfterClose(UvLoop loop) {
        try (var sockets = Sockets.open()) {
            var poll = new UvPoll(loop, sockets.first);
            poll.close();
            assertThatThrownBy(() -> poll.start(UvPoll.READABLE, (status, event) -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(poll::stop).isInstanceOf(IllegalStateException.class);
        }
    }
}
