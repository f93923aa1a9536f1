package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.testing.Descriptors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What all handles share: being active, referenced, closed. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvHandleTest {
    /** A kind of handle, made and started. */
    record Kind(String name, Function<UvLoop, UvHandle> started) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("timer", loop -> {
                    var timer = new UvTimer(loop);
                    timer.start(() -> {}, 60_000, 0);
                    return timer;
                }),
                new Kind("idle", loop -> {
                    var idle = new UvIdle(loop);
                    idle.start(() -> {});
                    return idle;
                }),
                new Kind("prepare", loop -> {
                    var prepare = new UvPrepare(loop);
                    prepare.start(() -> {});
                    return prepare;
                }),
                new Kind("check", loop -> {
                    var check = new UvCheck(loop);
                    check.start(() -> {});
                    return check;
                }),
                new Kind("async", loop -> new UvAsync(loop, () -> {})),
                new Kind("listening tcp", loop -> new Streams.Listener(loop).tcp),
                new Kind("reading tcp", loop -> {
                    var pair = Streams.Pair.of(loop);
                    pair.client().readStart(new Streams.Collector());
                    return pair.client();
                }));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isActiveBetweenStartAndClose(Kind kind, UvLoop loop) {
        var handle = kind.started.apply(loop);
        assertThat(handle.isActive()).isTrue();
        handle.close();
        assertThat(handle.isActive()).isFalse();
        assertThat(handle.isClosing()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anUnreferencedHandleDoesNotKeepTheLoopAlive(Kind kind, UvLoop loop) {
        var handle = kind.started.apply(loop);
        assertThat(handle.hasRef()).isTrue();
        handle.unref();
        handle.unref();
        assertThat(handle.hasRef()).isFalse();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
        handle.ref();
        assertThat(handle.hasRef()).isTrue();
        assertThat(loop.isAlive()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void closeRunsItsActionOnceInALaterTurn(Kind kind, UvLoop loop) {
        var handle = kind.started.apply(loop);
        var calls = new int[1];
        handle.close(() -> calls[0]++);
        handle.close(() -> calls[0] += 100);
        handle.close();
        assertThat(calls[0]).isZero();
        loop.run(UvLoop.Mode.ONCE);
        assertThat(calls[0]).isEqualTo(1);
        assertThat(loop.openHandles()).doesNotContain(handle);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyMethodThrowsAfterClose(Kind kind, UvLoop loop) {
        var handle = kind.started.apply(loop);
        handle.close();
        List<Runnable> calls = List.of(
                handle::ref,
                handle::unref,
                handle::hasRef,
                handle::fileno,
                handle::sendBufferSize,
                handle::receiveBufferSize,
                () -> handle.sendBufferSize(4096));
        for (int round = 0; round < 2; round++) {
            for (var call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(handle.toString());
            }
            loop.run(UvLoop.Mode.NOWAIT);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void itsNameTellsItsKind(Kind kind, UvLoop loop) {
        var handle = kind.started.apply(loop);
        assertThat(handle.toString()).startsWith(handle.getClass().getSimpleName() + "#");
        assertThat(handle.loop()).isSameAs(loop);
    }

    @Test
    void aConnectingHandleKeepsTheLoopAliveOnlyWithItsReference(UvLoop loop) {
        var tcp = new UvTcp(loop);
        assertThat(loop.isAlive()).isFalse();
        tcp.unref();
        assertThat(loop.run(UvLoop.Mode.DEFAULT)).isFalse();
    }

    @Test
    void unrefInsidePrepareEndsTheRun(UvLoop loop) {
        var prepare = new UvPrepare(loop);
        prepare.start(prepare::unref);
        var timer = new UvTimer(loop);
        timer.start(() -> {}, 60_000, 0);
        timer.unref();
        assertThat(loop.run(UvLoop.Mode.NOWAIT)).isFalse();
    }

    @Test
    void anActionOfCloseMayThrow(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        new UvTimer(loop).close(() -> {
            throw new Error("mine");
        });
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(errors).singleElement().isInstanceOf(Error.class);
        assertThat(loop.openHandles()).isEmpty();
    }

    @Test
    void anActionOfCloseMayMakeAndCloseHandles(UvLoop loop) {
        var closed = new int[1];
        new UvTimer(loop).close(() -> new UvIdle(loop).close(() -> closed[0]++));
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(closed[0]).isEqualTo(1);
    }

    @Test
    void handlesWithoutADescriptorSayEbadfOrEinval(UvLoop loop) {
        var timer = new UvTimer(loop);
        assertThatThrownBy(timer::fileno)
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EINVAL));
        var tcp = new UvTcp(loop);
        assertThatThrownBy(tcp::fileno)
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EBADF));
    }

    @Test
    void bufferSizesCanBeSetAndRead(UvLoop loop) {
        var tcp = new UvTcp(loop, false);
        tcp.sendBufferSize(16 * 1024);
        tcp.receiveBufferSize(32 * 1024);
        assertThat(tcp.sendBufferSize()).isEqualTo(32 * 1024);
        assertThat(tcp.receiveBufferSize()).isEqualTo(64 * 1024);
        assertThatThrownBy(() -> tcp.sendBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tcp.receiveBufferSize(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theDescriptorIsGoneAtOnce(UvLoop loop) {
        var tcp = new UvTcp(loop, false);
        var socket = Descriptors.now().open().get(Integer.toString(tcp.fileno()));
        assertThat(socket).startsWith("socket:");
        tcp.close();
        assertThat(Descriptors.now().open()).doesNotContainValue(socket);
    }

    @Test
    void manyHandlesAreClosedInsideOneBatchOfEvents(UvLoop loop) {
        int count = 500;
        var pairs = new ArrayList<Streams.Pair>();
        for (int i = 0; i < count; i++) {
            pairs.add(Streams.Pair.of(loop));
        }
        var calls = new int[1];
        var data = Streams.memory("x");
        for (var pair : pairs) {
            pair.server().readStart(new UvStream.Reader() {
                @Override
                public void allocate(UvStream stream, long suggested) {
                    stream.lend(Streams.memory("room"), 0, 4);
                }

                @Override
                public void read(UvStream stream, int read) {
                    calls[0]++;
                    pairs.forEach(other -> {
                        other.server().close();
                        other.client().close();
                    });
                }
            });
            pair.client().tryWrite(data, 0, 1);
        }
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(calls[0]).isEqualTo(1);
        assertThat(loop.openHandles()).isEmpty();
    }
}
