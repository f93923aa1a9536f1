package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading: lending memory, stopping, starting. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvReadTest {
    @Test
    void readStopBeforeDataMeansNoCall(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        pair.server().readStart(collector);
        pair.server().readStop();
        pair.server().readStop();
        pair.client().tryWrite(Streams.memory("x"), 0, 1);
        for (int i = 0; i < 20; i++) {
            loop.run(UvLoop.Mode.NOWAIT);
        }
        assertThat(collector.calls).isZero();
    }

    @Test
    void readStopInsideTheCallStopsAtOnce(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var sizes = new ArrayList<Integer>();
        var memory = Arena.ofAuto().allocate(1);
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                stream.lend(memory, 0, 1);
            }

            @Override
            public void read(UvStream stream, int count) {
                sizes.add(count);
                stream.readStop();
            }
        });
        pair.client().tryWrite(Streams.memory("abc"), 0, 3);
        Streams.until(loop, () -> !sizes.isEmpty());
        for (int i = 0; i < 5; i++) {
            loop.run(UvLoop.Mode.NOWAIT);
        }
        assertThat(sizes).containsExactly(1);
        var rest = new Streams.Collector();
        pair.server().readStart(rest);
        Streams.until(loop, () -> rest.size() == 2);
        assertThat(rest.text()).isEqualTo("bc");
    }

    @Test
    void theReaderMayChangeBetweenReads(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var first = new Streams.Collector();
        var second = new Streams.Collector();
        pair.server().readStart(first);
        pair.client().tryWrite(Streams.memory("a"), 0, 1);
        Streams.until(loop, () -> first.size() == 1);
        pair.server().reader(second);
        pair.client().tryWrite(Streams.memory("b"), 0, 1);
        Streams.until(loop, () -> second.size() == 1);
        assertThat(first.text() + second.text()).isEqualTo("ab");
    }

    @Test
    void aReaderThatLendsNothingIsToldEnobufs(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var counts = new ArrayList<Integer>();
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {}

            @Override
            public void read(UvStream stream, int count) {
                counts.add(count);
                stream.readStop();
            }
        });
        pair.client().tryWrite(Streams.memory("x"), 0, 1);
        Streams.until(loop, () -> !counts.isEmpty());
        assertThat(counts).containsExactly(UvErrno.ENOBUFS.code());
    }

    @Test
    void aThrowingAllocateIsReportedAndToldEnobufs(UvLoop loop) {
        var errors = new ArrayList<Throwable>();
        loop.onError(errors::add);
        var pair = Streams.Pair.of(loop);
        var counts = new ArrayList<Integer>();
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                throw new OutOfMemoryError("mine");
            }

            @Override
            public void read(UvStream stream, int count) {
                counts.add(count);
                stream.readStop();
                throw new StackOverflowError("mine too");
            }
        });
        pair.client().tryWrite(Streams.memory("x"), 0, 1);
        Streams.until(loop, () -> errors.size() == 2);
        assertThat(counts).containsExactly(UvErrno.ENOBUFS.code());
        assertThat(errors.getFirst()).isInstanceOf(OutOfMemoryError.class);
        assertThat(errors.getLast()).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void readStopWhileLendingLosesNothing(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var memory = Arena.ofAuto().allocate(16);
        var calls = new ArrayList<String>();
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                calls.add("allocate");
                stream.lend(memory, 0, 16);
                stream.readStop();
            }

            @Override
            public void read(UvStream stream, int count) {
                calls.add("read " + count);
            }
        });
        pair.client().tryWrite(Streams.memory("abc"), 0, 3);
        Streams.until(loop, () -> !calls.isEmpty());
        for (int i = 0; i < 5; i++) {
            loop.run(UvLoop.Mode.NOWAIT);
        }
        assertThat(calls).containsExactly("allocate");
        var collector = new Streams.Collector();
        pair.server().readStart(collector);
        Streams.until(loop, () -> collector.size() == 3);
        assertThat(collector.text()).isEqualTo("abc");
    }

    @Test
    void readStopAndStartWhileLendingGoesOnReading(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var collector = new Streams.Collector();
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                stream.readStop();
                stream.readStart(collector);
                collector.allocate(stream, suggested);
            }

            @Override
            public void read(UvStream stream, int count) {
                throw new AssertionError("replaced");
            }
        });
        pair.client().tryWrite(Streams.memory("abc"), 0, 3);
        Streams.until(loop, () -> collector.size() == 3);
        assertThat(collector.text()).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closeWhileLendingClosesOnce(boolean reset, UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var memory = Arena.ofAuto().allocate(16);
        var calls = new ArrayList<String>();
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                stream.lend(memory, 0, 16);
                if (reset) {
                    pair.server().closeReset(() -> calls.add("closed"));
                } else {
                    stream.close(() -> calls.add("closed"));
                }
                stream.close(() -> calls.add("again"));
            }

            @Override
            public void read(UvStream stream, int count) {
                calls.add("read " + count);
            }
        });
        var client = new Streams.Collector();
        pair.client().readStart(client);
        pair.client().tryWrite(Streams.memory("abc"), 0, 3);
        Streams.until(loop, () -> !client.negatives.isEmpty() && !calls.isEmpty());
        assertThat(calls).containsExactly("closed");
        assertThat(client.negatives).containsExactly(UvErrno.ECONNRESET.code());
    }

    @Test
    void unsuitableMemoryCannotBeLent(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        var errors = new ArrayList<Throwable>();
        var good = Arena.ofAuto().allocate(8);
        pair.server().readStart(new UvStream.Reader() {
            @Override
            public void allocate(UvStream stream, long suggested) {
                for (Runnable bad : new Runnable[] {
                    () -> stream.lend(MemorySegment.ofArray(new byte[8]), 0, 8),
                    () -> stream.lend(good.asReadOnly(), 0, 8),
                    () -> stream.lend(good, 1, 8),
                }) {
                    try {
                        bad.run();
                    } catch (RuntimeException e) {
                        errors.add(e);
                    }
                }
                stream.lend(good, 0, 8);
            }

            @Override
            public void read(UvStream stream, int count) {
                stream.readStop();
            }
        });
        pair.client().tryWrite(Streams.memory("x"), 0, 1);
        Streams.until(loop, () -> errors.size() == 3);
        assertThat(errors.subList(0, 2)).allMatch(IllegalArgumentException.class::isInstance);
        assertThat(errors.getLast()).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void lendingOutsideAllocateIsRefused(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        assertThatThrownBy(() -> pair.server().lend(Arena.ofAuto().allocate(8), 0, 8))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSecondReadStartFails(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        pair.server().readStart(new Streams.Collector());
        assertThatThrownBy(() -> pair.server().readStart(new Streams.Collector()))
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EALREADY));
    }

    @Test
    void unreadDataDoesNotSpinTheLoop(UvLoop loop) {
        var pair = Streams.Pair.of(loop);
        pair.server().readStart(new Streams.Collector());
        pair.server().readStop();
        pair.client().tryWrite(Streams.memory("x"), 0, 1);
        var turns = new int[1];
        var prepare = new UvPrepare(loop);
        prepare.start(() -> turns[0]++);
        new UvTimer(loop).start(loop::stop, 100, 0);
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(turns[0]).isLessThanOrEqualTo(20);
    }
}
