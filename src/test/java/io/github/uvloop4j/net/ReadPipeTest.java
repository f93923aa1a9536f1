package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Ptys;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Protocols that read a pipe. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class ReadPipeTest {
    @TempDir
    private Path directory;

    private static Recorder reading(EventLoop loop, RawPipe pipe) throws Exception {
        var recorder = new Recorder(loop);
        loop.net().connectReadPipe(() -> recorder, pipe).await(Recorder.LIMIT);
        recorder.transport();
        return recorder;
    }

    @Test
    @Tag("cells")
    void aProtocolIsToldOfDataAndOfTheEnd(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = reading(loop, pair.reader());
            assertThat(pair.reader().isOpen()).isFalse();
            Fds.write(pair.writer().fd(), "one");
            Recorder.until(loop, () -> recorder.size() == 3);
            Fds.write(pair.writer().fd(), "two");
            pair.writer().close();
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
            assertThat(recorder.text()).isEqualTo("onetwo");
        });
    }

    @Test
    @Tag("cells")
    void itCannotBeWritten(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var transport = reading(loop, pair.reader()).transport();
            assertThatThrownBy(() -> transport.write(new byte[1]))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("to read only");
            assertThatThrownBy(() -> transport.writeLines(List.of(ByteBuffer.allocate(1))))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(transport::writeEof).isInstanceOf(UnsupportedOperationException.class);
            assertThat(transport.canWriteEof()).isFalse();
            assertThat(transport.isReading()).isTrue();
            assertThat(transport.writeBufferSize()).isZero();
            transport.close();
            pair.close();
        });
    }

    @Test
    void aSocketThatIsReadOnlyHereCannotBeWrittenEither(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair();
            var recorder = reading(loop, loop.sockets().adoptPipe(fds[0]));
            Fds.write(fds[1], "x");
            Recorder.until(loop, () -> recorder.size() == 1);
            assertThatThrownBy(() -> recorder.transport().write(new byte[1]))
                    .isInstanceOf(UnsupportedOperationException.class);
            Fds.close(fds[1]);
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void aPipeHasNoName(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int fd = pair.reader().fd();
            var transport = reading(loop, pair.reader()).transport();
            assertThat(transport.localAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
            assertThat(transport.peerAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
            assertThat(transport).hasToString("transport to pipe " + fd);
            transport.close();
            assertThat(transport.localAddress()).isEqualTo(UnixDomainSocketAddress.of(""));
            pair.close();
        });
    }

    @Test
    @Tag("cells")
    void theEndOfATerminalIsAnEndOfFile(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pty = Ptys.open();
            var recorder = reading(loop, loop.sockets().adoptPipe(pty.master()));
            Fds.write(pty.slave(), "output\n");
            Recorder.until(loop, () -> recorder.text().endsWith("\n"));
            assertThat(recorder.text()).isEqualTo("output\r\n");
            Fds.close(pty.slave());
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        });
    }

    @Test
    void aTerminalsSlaveIsReadToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pty = Ptys.open();
            var recorder = reading(loop, loop.sockets().adoptPipe(pty.slave()));
            Fds.write(pty.master(), "input\n");
            Recorder.until(loop, () -> recorder.text().endsWith("\n"));
            assertThat(recorder.text()).isEqualTo("input\n");
            Fds.close(pty.master());
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        });
    }

    @Test
    @Tag("cells")
    void aFifoEndsWithTheLastOfItsWriters(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        loop.run(() -> {
            var recorder = reading(loop, loop.sockets().openFifo(path, FifoMode.READ));
            Turns.next(loop, 5);
            assertThat(recorder.events).containsExactly("made");
            var one = loop.sockets().openFifo(path, FifoMode.WRITE);
            var two = loop.sockets().openFifo(path, FifoMode.WRITE);
            Fds.write(one.fd(), "a");
            one.close();
            Recorder.until(loop, () -> recorder.size() == 1);
            Fds.write(two.fd(), "b");
            Recorder.until(loop, () -> recorder.size() == 2);
            assertThat(recorder.events).containsExactly("made", "data");
            two.close();
            recorder.ended();
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        });
    }

    @Test
    void aFifoThatIsOpenForBothNeverEnds(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        loop.run(() -> {
            var recorder = reading(loop, loop.sockets().openFifo(path, FifoMode.READ_WRITE));
            for (int i = 1; i < 4; i++) {
                try (var writer = loop.sockets().openFifo(path, FifoMode.WRITE)) {
                    Fds.write(writer.fd(), "x");
                }
                int size = i;
                Recorder.until(loop, () -> recorder.size() == size);
            }
            assertThat(recorder.events).containsExactly("made", "data");
            recorder.transport().close();
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void aPausedReaderIsToldNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = reading(loop, pair.reader());
            recorder.transport().pauseReading();
            Fds.write(pair.writer().fd(), "x");
            Turns.next(loop, 5);
            assertThat(recorder.events).containsExactly("made");
            recorder.transport().resumeReading();
            Recorder.until(loop, () -> recorder.size() == 1);
            pair.close();
            recorder.ended();
        });
    }

    @Test
    void whatIsLeftInThePipeComesBeforeTheEnd(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            for (int i = 0; i < 60; i++) {
                Fds.write(pair.writer().fd(), "x".repeat(1000));
            }
            pair.writer().close();
            var recorder = reading(loop, pair.reader());
            recorder.ended();
            assertThat(recorder.size()).isEqualTo(60_000);
            assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        });
    }

    @Test
    void whoWantsToGoOnAfterTheEndCloses(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = new Recorder(loop).keepWriting();
            loop.net().connectReadPipe(() -> recorder, pair.reader()).await();
            pair.close();
            recorder.eof.await(Recorder.LIMIT);
            Turns.next(loop, 3);
            assertThat(recorder.lost.isDone()).isFalse();
            recorder.transport().close();
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void anEndThatCannotBeReadStaysOpen(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            assertThatThrownBy(() -> loop.net().connectReadPipe(() -> new Recorder(loop), pair.writer()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not opened to read");
            assertThat(pair.writer().isOpen()).isTrue();
            pair.close();
            assertThatThrownBy(() -> loop.net().connectReadPipe(() -> new Recorder(loop), pair.reader()))
                    .isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void aFactoryThatFailsClosesThePipe(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int fd = pair.reader().fd();
            var connecting = loop.net()
                    .<Recorder>connectReadPipe(
                            () -> {
                                throw new IllegalStateException("mine");
                            },
                            pair.reader());
            assertThatThrownBy(connecting::await).hasMessage("mine");
            Turns.until(loop, () -> !Fds.isPipe(fd));
            pair.close();
        });
    }

    @Test
    void itsDescriptorIsNobodyElses(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int fd = pair.reader().fd();
            var recorder = reading(loop, pair.reader());
            assertThatThrownBy(() -> loop.sockets().addReader(fd, () -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is used by");
            assertThatThrownBy(() -> loop.sockets().adoptPipe(fd)).isInstanceOf(IllegalStateException.class);
            recorder.transport().abort();
            recorder.ended();
            pair.close();
        });
    }
}
