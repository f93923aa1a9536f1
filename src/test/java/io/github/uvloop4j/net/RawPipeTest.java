package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Ptys;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where raw pipes come from, and who owns their descriptors. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class RawPipeTest {
    @TempDir
    private Path directory;

    private static int flags(int fd) {
        return Fds.info(fd)
                .lines()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                .sum();
    }

    private static void assertOurs(RawPipe pipe) {
        assertThat(flags(pipe.fd()) & libc.O_NONBLOCK()).isNotZero();
        assertThat(flags(pipe.fd()) & libc.O_CLOEXEC()).isNotZero();
    }

    @Test
    @Tag("cells")
    void aPipeHasAnEndToReadAndOneToWrite(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            assertThat(pair.reader().isReadable()).isTrue();
            assertThat(pair.reader().isWritable()).isFalse();
            assertThat(pair.writer().isReadable()).isFalse();
            assertThat(pair.writer().isWritable()).isTrue();
            assertOurs(pair.reader());
            assertOurs(pair.writer());
            Fds.write(pair.writer().fd(), "x");
            assertThat(Fds.read(pair.reader().fd())).isEqualTo(1);
            pair.close();
            assertThat(pair.reader().isOpen()).isFalse();
            assertThatThrownBy(() -> pair.writer().fd()).isInstanceOf(IllegalStateException.class);
            pair.close();
        });
    }

    @Test
    void whoTakesTheDescriptorOwnsIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int reader = pair.reader().detach();
            pair.close();
            assertThatThrownBy(() -> pair.reader().detach()).isInstanceOf(IllegalStateException.class);
            assertThat(Fds.isOpen(reader)).isTrue();
            Fds.close(reader);
        });
    }

    @Test
    void theLoopClosesWhatWasLeft() throws Exception {
        int fd;
        try (var loop = EventLoop.create()) {
            fd = loop.run(() -> {
                var pair = loop.sockets().openPipe();
                pair.writer().close();
                return pair.reader().fd();
            });
        }
        assertThat(Fds.isPipe(fd)).isFalse();
    }

    // FIFOs

    @Test
    @Tag("cells")
    void aFifoIsOpenedWithoutAWait(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        loop.run(() -> {
            try (var reader = loop.sockets().openFifo(path, FifoMode.READ);
                    var writer = loop.sockets().openFifo(path, FifoMode.WRITE)) {
                assertOurs(reader);
                assertThat(reader.isWritable()).isFalse();
                assertThat(writer.isReadable()).isFalse();
                Fds.write(writer.fd(), "x");
                assertThat(Fds.read(reader.fd())).isEqualTo(1);
            }
        });
    }

    @Test
    void aFifoThatNobodyReadsIsNotOpenedToWrite(EventLoop loop) throws Exception {
        var path = Ptys.fifo(directory.resolve("fifo"));
        loop.run(() -> {
            assertThatThrownBy(() -> loop.sockets().openFifo(path, FifoMode.WRITE))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessage(path + ": nobody has opened the FIFO to read");
            try (var both = loop.sockets().openFifo(path, FifoMode.READ_WRITE)) {
                assertThat(both.isReadable() && both.isWritable()).isTrue();
                loop.sockets().openFifo(path, FifoMode.WRITE).close();
            }
        });
    }

    @Test
    void whatIsNoFifoIsNotOpened(EventLoop loop) throws Exception {
        var file = Files.createFile(directory.resolve("file"));
        loop.run(() -> {
            for (var path : new Path[] {file, directory, Path.of("/dev/tty")}) {
                assertThatThrownBy(() -> loop.sockets().openFifo(path, FifoMode.READ))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessage(path + ": not a FIFO");
            }
            assertThatThrownBy(() -> loop.sockets().openFifo(directory.resolve("none"), FifoMode.READ))
                    .isInstanceOf(NoSuchFileException.class);
        });
    }

    // Adopted descriptors

    @Test
    @Tag("cells")
    void pipesTerminalsAndSocketsAreAdopted(EventLoop loop) throws Exception {
        loop.run(() -> {
            var fds = Fds.pair();
            var pty = Ptys.open();
            for (int fd : new int[] {fds[0], fds[1], pty.master(), pty.slave()}) {
                try (var pipe = loop.sockets().adoptPipe(fd)) {
                    assertThat(pipe.fd()).isEqualTo(fd);
                    assertThat(pipe.isReadable() && pipe.isWritable()).isTrue();
                    assertOurs(pipe);
                }
            }
            int made = loop.sockets().openPipe().reader().detach();
            loop.sockets().adoptPipe(made).close();
            assertThat(Fds.isPipe(made)).isFalse();
            var tcp = loop.net().listen("127.0.0.1", 0);
            try (var client = loop.sockets().openTcp(java.net.StandardProtocolFamily.INET)) {
                loop.sockets()
                        .sockConnect(client, new java.net.InetSocketAddress("127.0.0.1", tcp.port()))
                        .await();
                loop.sockets().adoptPipe(client.detach()).close();
            }
            tcp.close();
        });
    }

    @Test
    @Tag("cells")
    void whatCannotBeWaitedForStaysTheCallers(EventLoop loop) throws Exception {
        var file = Files.createFile(directory.resolve("file")).toString();
        loop.run(() -> {
            for (var path : new String[] {file, directory.toString(), "/dev/null", "/dev/zero"}) {
                int fd = Ptys.openFile(path, libc.O_RDONLY());
                assertRefused(loop, fd);
                assertThat(flags(fd) & libc.O_NONBLOCK()).isZero();
                Fds.close(fd);
            }
        });
    }

    @Test
    void socketsOfOtherKindsStayTheCallers(EventLoop loop) throws Exception {
        loop.run(() -> {
            for (int type : new int[] {libc.SOCK_DGRAM(), libc.SOCK_SEQPACKET()}) {
                int[] fds = Fds.pair(type);
                assertRefused(loop, fds[0]);
                Fds.close(fds);
            }
            int[] unconnected = {
                libc.socket(libc.AF_INET(), libc.SOCK_STREAM(), 0), libc.socket(libc.AF_UNIX(), libc.SOCK_STREAM(), 0),
            };
            for (int fd : unconnected) {
                assertRefused(loop, fd);
            }
            Fds.close(unconnected);
            assertThatThrownBy(() -> loop.sockets().adoptPipe(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.sockets().adoptPipe(1_000_000)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    private static void assertRefused(EventLoop loop, int fd) {
        assertThatThrownBy(() -> loop.sockets().adoptPipe(fd))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("descriptor " + fd);
        assertThat(Fds.isOpen(fd)).isTrue();
    }

    @Test
    void aDescriptorHasOneOwner(EventLoop loop) throws Exception {
        loop.run(() -> {
            int[] fds = Fds.pair();
            var pipe = loop.sockets().adoptPipe(fds[0]);
            var socket = loop.sockets().adopt(fds[1]);
            assertThatThrownBy(() -> loop.sockets().adoptPipe(fds[0])).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> loop.sockets().adopt(fds[0]))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is that of pipe " + fds[0]);
            assertThatThrownBy(() -> loop.sockets().adoptPipe(fds[1])).isInstanceOf(IllegalStateException.class);
            pipe.close();
            socket.close();
        });
    }

    @Test
    void aReaderOfAPipeGoesWithIt(EventLoop loop) throws Exception {
        loop.run(() -> {
            var pair = loop.sockets().openPipe();
            int fd = pair.reader().fd();
            var came = loop.<Boolean>createFuture();
            loop.sockets().addReader(fd, () -> {
                Fds.read(fd);
                came.complete(true);
            });
            Fds.write(pair.writer().fd(), "x");
            came.await(Recorder.LIMIT);
            assertThat(Fds.watchedBy(loop)).contains(fd);
            pair.close();
            assertThat(Fds.watchedBy(loop)).doesNotContain(fd);
            assertThat(loop.sockets().removeReader(fd)).isFalse();
        });
    }
}
