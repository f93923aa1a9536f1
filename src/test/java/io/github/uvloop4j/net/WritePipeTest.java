package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.Ptys;
import io.github.uvloop4j.uv.UvErrno;
import io.github.uvloop4j.uv.UvException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Protocols that write to a pipe, and notice when nobody reads it any more. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class WritePipeTest {
    @TempDir
    private Path directory;

    private static Recorder writing(EventLoop loop, RawPipe pipe) throws Exception {
        var recorder = new Recorder(loop);
        loop.net().connectWritePipe(() -> recorder, pipe).await(Recorder.LIMIT);
        recorder.transport();
        return recorder;
    }

    private static void assertBroken(Throwable cause) {
        assertThat(cause).isInstanceOf(IOException.class);
        assertThat(cause.getCause())
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(UvErrno.EPIPE));
    }

    @Test
    @Tag("cells")
    void whatIsWrittenArrivesAndCloseIsTheEnd(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int fd = pair.reader().fd();
            var recorder = writing(loop, pair.writer());
            recorder.transport().write("hello".getBytes());
            assertThat(Fds.read(fd)).isEqualTo(5);
            recorder.transport().close();
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.events).containsExactly("made", "lost");
            assertThat(Fds.read(fd)).isZero();
            pair.close();
        });
    }

    @Test
    @Tag("cells")
    void aReaderThatLeavesIsNoticedWithoutAWrite(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            Turns.next(loop, 3);
            assertThat(recorder.events).containsExactly("made");
            pair.reader().close();
            assertThat(recorder.ended()).isNull();
            assertThat(recorder.events).containsExactly("made", "lost");
        });
    }

    @Test
    @Tag("cells")
    void aFullPipePausesAndIsLostWhenItsReaderLeaves(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            recorder.transport().write(new byte[1 << 20]);
            assertThat(recorder.events).containsExactly("made", "pause");
            Turns.next(loop, 3);
            pair.reader().close();
            assertBroken(recorder.ended());
            assertThat(recorder.events).containsExactly("made", "pause", "lost");
        });
    }

    @Test
    void aPipeThatIsClosedWhileItIsFullIsLostWhenItsReaderLeaves(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            recorder.transport().write(new byte[1 << 20]);
            recorder.transport().close();
            Turns.next(loop, 3);
            assertThat(recorder.lost.isDone()).isFalse();
            pair.reader().close();
            assertBroken(recorder.ended());
        });
    }

    @Test
    @Tag("cells")
    void aFullPipeResumesAndAllArrivesInOrder(EventLoop loop) throws Exception {
        var data = Recorder.pattern(3_000_001);
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var reader = new Recorder(loop);
            loop.net().connectReadPipe(() -> reader, pair.reader()).await();
            var writer = writing(loop, pair.writer());
            writer.transport().write(data);
            writer.transport().writeEof();
            assertThat(writer.ended()).isNull();
            assertThat(writer.events).containsExactly("made", "pause", "resume", "lost");
            reader.ended();
            assertThat(reader.received.toByteArray()).isEqualTo(data);
        });
    }

    @Test
    void writeEofSendsTheRestAndCloses(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            var transport = recorder.transport();
            assertThat(transport.canWriteEof()).isTrue();
            transport.writeEof();
            transport.writeEof();
            assertThatThrownBy(() -> transport.write(new byte[1])).isInstanceOf(IllegalStateException.class);
            assertThat(recorder.ended()).isNull();
            assertThat(Fds.read(pair.reader().fd())).isZero();
            pair.close();
        });
    }

    @Test
    void itReadsNothing(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair();
            var recorder = writing(loop, loop.sockets().adoptPipe(fds[0]));
            var transport = recorder.transport();
            assertThat(transport.isReading()).isFalse();
            transport.pauseReading();
            transport.resumeReading();
            assertThat(transport.isReading()).isFalse();
            Fds.write(fds[1], "unread");
            Turns.next(loop, 5);
            assertThat(recorder.events).containsExactly("made");
            transport.close();
            recorder.ended();
            Fds.close(fds[1]);
        });
    }

    @Test
    @Tag("cells")
    void anIdleWriterDoesNotSpin(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            assertThat(Turns.whileIdle(loop)).isLessThan(20);
            recorder.transport().abort();
            recorder.ended();
            pair.close();
        });
    }

    // Other kinds of descriptors

    @Test
    @Tag("cells")
    void aSocketsPeerThatStopsWritingGoesOnReading(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair();
            var recorder = writing(loop, loop.sockets().adoptPipe(fds[0]));
            assertThat(libc.shutdown(fds[1], 1)).isZero();
            assertThat(Turns.whileIdle(loop)).isLessThan(20);
            recorder.transport().write("still".getBytes());
            assertThat(Fds.read(fds[1])).isEqualTo(5);
            Fds.close(fds[1]);
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void urgentDataDoesNotMakeTheLoopSpin(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.sendUrgentData(1);
            return socket.getInputStream().read();
        });
        loop.run(() -> {
            var socket = loop.sockets().openTcp(StandardProtocolFamily.INET);
            loop.sockets()
                    .sockConnect(socket, new InetSocketAddress("127.0.0.1", peer.port()))
                    .await();
            var recorder = writing(loop, loop.sockets().adoptPipe(socket.detach()));
            assertThat(Turns.whileIdle(loop)).isLessThan(30);
            recorder.transport().write(new byte[] {7});
            assertThat(Recorder.await(loop, peer.result())).isEqualTo(7);
            recorder.transport().abort();
            recorder.ended();
        });
    }

    @Test
    @Tag("cells")
    void aTerminalIsWrittenAndItsHangUpNoticed(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pty = Ptys.open();
            var recorder = writing(loop, loop.sockets().adoptPipe(pty.slave()));
            recorder.transport().write("to the terminal".getBytes());
            assertThat(Fds.read(pty.master())).isEqualTo(15);
            Fds.close(pty.master());
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void aTerminalsMasterIsWrittenToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pty = Ptys.open();
            var recorder = writing(loop, loop.sockets().adoptPipe(pty.master()));
            recorder.transport().write("line\n".getBytes());
            assertThat(Fds.read(pty.slave())).isEqualTo(5);
            Fds.close(pty.slave());
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    void aFifosLastReaderIsNoticed(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        loop.run(() -> {
            var one = loop.sockets().openFifo(path, FifoMode.READ);
            var two = loop.sockets().openFifo(path, FifoMode.READ);
            var recorder = writing(loop, loop.sockets().openFifo(path, FifoMode.WRITE));
            one.close();
            Turns.next(loop, 3);
            recorder.transport().write("x".getBytes());
            assertThat(Fds.read(two.fd())).isEqualTo(1);
            two.close();
            assertThat(recorder.ended()).isNull();
        });
    }

    @Test
    @Tag("cells")
    void aProcessThatDiesWithAFullPipeEndsTheTransportOnly(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        var child = new ProcessBuilder("sh", "-c", "exec sleep 60 < " + path).start();
        try {
            loop.run(() -> {
                var pipe = new RawPipe[1];
                Recorder.until(loop, () -> opened(loop, path, pipe));
                var recorder = writing(loop, pipe[0]);
                recorder.transport().write(new byte[1 << 20]);
                Turns.next(loop, 3);
                child.destroyForcibly();
                assertBroken(recorder.ended());
            });
        } finally {
            child.destroyForcibly();
        }
    }

    private static boolean opened(EventLoop loop, Path path, RawPipe[] pipe) {
        try {
            pipe[0] = loop.sockets().openFifo(path, FifoMode.WRITE);
            return true;
        } catch (FileSystemException noReader) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // Ownership

    @Test
    void anEndThatCannotBeWrittenStaysOpen(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            assertThatThrownBy(() -> loop.net().connectWritePipe(() -> new Recorder(loop), pair.reader()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not opened to write");
            assertThat(pair.reader().isOpen()).isTrue();
            pair.close();
        });
    }

    @Test
    void resetDropsWhatWaits(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            var recorder = writing(loop, pair.writer());
            recorder.transport().write(new byte[1 << 20]);
            recorder.transport().reset();
            assertThat(recorder.ended()).isNull();
            pair.close();
        });
    }

    @Test
    void theLoopClosesAWriterThatWasLeft() throws Exception {
        int[] fd = new int[2];
        try (var loop = EventLoop.create()) {
            loop.run(() -> {
                var pair = loop.sockets().openPipe();
                fd[0] = pair.writer().fd();
                writing(loop, pair.writer()).transport().write(new byte[1 << 20]);
                fd[1] = pair.reader().detach();
            });
        }
        Fds.close(fd[1]);
        assertThat(Fds.isPipe(fd[0])).isFalse();
    }
}
