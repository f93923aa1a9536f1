package io.github.uvloop4j.uv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.uvloop4j.ffi.libc;
import io.github.uvloop4j.testing.Fds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Names: binding, listening, connecting. */
@Timeout(30)
@ExtendWith(UvExtension.class)
class UvPipeTest {
    @TempDir
    private Path directory;

    private static Consumer<Throwable> errno(UvErrno errno) {
        return error -> assertThat(error)
                .isInstanceOfSatisfying(
                        UvException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] abstractName() {
        return bytes("\0uvloop4j-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.UTF_8);
    }

    /** A path of exactly so many bytes. */
    private Path pathOf(int length, String letter) {
        var start = directory + "/";
        var name = letter.repeat((length - bytes(start).length) / bytes(letter).length);
        var path = Path.of(start + name + "x".repeat(length - bytes(start + name).length));
        assertThat(bytes(path.toString())).hasSize(length);
        return path;
    }

    @Test
    @Tag("cells")
    void aListenerOnAPathIsConnectedTo(UvLoop loop) {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        var client = new UvPipe(loop, false);
        assertThat(Pipes.connect(loop, client, path)).isZero();
        Streams.until(loop, () -> !listener.accepted.isEmpty());
        assertThat(text(client.peerName())).isEqualTo(path.toString());
        assertThat(text(listener.accepted.getFirst().localName())).isEqualTo(path.toString());
        assertThat(client.localName()).isEmpty();
    }

    @Test
    @Tag("cells")
    void bytesGoBothWays(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, false);
        var atOne = new Streams.Collector();
        var atTwo = new Streams.Collector();
        pair.one().readStart(atOne);
        pair.two().readStart(atTwo);
        assertThat(pair.one().tryWrite(Streams.memory("ping"), 0, 4)).isEqualTo(4);
        pair.two().write(Streams.request(loop, Streams.memory("pong")), status -> {});
        Streams.until(loop, () -> atOne.size() == 4 && atTwo.size() == 4);
        assertThat(atOne.text() + atTwo.text()).isEqualTo("pongping");
    }

    @Test
    void aShutdownSocketTellsTheEndAndCanStillRead(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, false);
        var atOne = new Streams.Collector();
        var atTwo = new Streams.Collector();
        pair.one().readStart(atOne);
        pair.two().readStart(atTwo);
        pair.one().shutdown(new UvShutdown(loop), status -> assertThat(status).isZero());
        Streams.until(loop, atTwo::atEnd);
        pair.two().tryWrite(Streams.memory("x"), 0, 1);
        Streams.until(loop, () -> atOne.size() == 1);
    }

    @Test
    void manyConnectionsComeAndGo(UvLoop loop) {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        for (int i = 0; i < 100; i++) {
            var client = new UvPipe(loop, false);
            assertThat(Pipes.connect(loop, client, path)).isZero();
            int expected = i + 1;
            Streams.until(loop, () -> listener.accepted.size() == expected);
            listener.accepted.getLast().close();
            client.close();
        }
    }

    @Test
    void aPathWithoutAFileIsToldToTheCallback(UvLoop loop) {
        var client = new UvPipe(loop, false);
        assertThat(Pipes.connect(loop, client, directory.resolve("none"))).isEqualTo(UvErrno.ENOENT.code());
    }

    @Test
    void aRegularFileRefusesToConnect(UvLoop loop) throws Exception {
        var client = new UvPipe(loop, false);
        var file = Files.createFile(directory.resolve("file"));
        assertThat(Pipes.connect(loop, client, file)).isEqualTo(UvErrno.ECONNREFUSED.code());
    }

    @Test
    void aListenerThatClosesRefusesWhoComesLater(UvLoop loop) {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        listener.pipe.close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(path).doesNotExist();
        assertThat(Pipes.connect(loop, new UvPipe(loop, false), path)).isEqualTo(UvErrno.ENOENT.code());
    }

    @Test
    void closeWhileConnectingCancelsOnce(UvLoop loop) {
        var path = directory.resolve("s");
        new Pipes.Listener(loop, path);
        var client = new UvPipe(loop, false);
        var statuses = new ArrayList<Integer>();
        client.connect(new UvConnect(loop), path, statuses::add);
        client.close();
        Streams.until(loop, () -> !statuses.isEmpty());
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(statuses).containsExactly(UvErrno.ECANCELED.code());
    }

    @Test
    void aSecondConnectWhileOneIsPendingFailsAtOnce(UvLoop loop) {
        var path = directory.resolve("s");
        new Pipes.Listener(loop, path);
        var client = new UvPipe(loop, false);
        var statuses = new ArrayList<Integer>();
        client.connect(new UvConnect(loop), path, statuses::add);
        var second = new UvConnect(loop);
        assertThatThrownBy(() -> client.connect(second, path, statuses::add)).satisfies(errno(UvErrno.EALREADY));
        Streams.until(loop, () -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(0);
    }

    @Test
    void aListenerDoesNotConnect(UvLoop loop) {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        assertThatThrownBy(() -> listener.pipe.connect(new UvConnect(loop), path, status -> {}))
                .satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    void aSecondBindToAPathFails(UvLoop loop) {
        var path = directory.resolve("s");
        new Pipes.Listener(loop, path);
        var second = new UvPipe(loop, false);
        assertThatThrownBy(() -> second.bind(path)).satisfies(errno(UvErrno.EADDRINUSE));
    }

    @Test
    void anUnboundPipeDoesNotListen(UvLoop loop) {
        var pipe = new UvPipe(loop, false);
        assertThatThrownBy(() -> pipe.listen(1, status -> {})).satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    void aPathOfTheLongestNameIsWhole(UvLoop loop) {
        for (var letter : new String[] {"a", "é"}) {
            var path = pathOf(UvPipe.LONGEST_NAME, letter);
            new Pipes.Listener(loop, path);
            assertThat(path).exists();
            assertThat(Pipes.connect(loop, new UvPipe(loop, false), path)).isZero();
        }
    }

    @Test
    void aLongerPathIsRefusedWithItsLength(UvLoop loop) {
        for (int length : new int[] {108, 109, 200}) {
            var pipe = new UvPipe(loop, false);
            var path = pathOf(length, "é");
            assertThatThrownBy(() -> pipe.bind(path))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this one " + length);
            assertThatThrownBy(() -> pipe.connect(new UvConnect(loop), path, status -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this one " + length);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void anAbstractNameHasNoFileAndItsLengthCounts(UvLoop loop) {
        assumeTrue(UvFeature.PIPE_NAMES.isAvailable());
        var name = abstractName();
        var bound = new UvPipe(loop, false);
        bound.bind(name);
        assertThat(bound.localName()).isEqualTo(name);
        var listener = new Pipes.Listener(loop, bound);
        var client = new UvPipe(loop, false);
        var statuses = new ArrayList<Integer>();
        client.connect(new UvConnect(loop), name, statuses::add);
        Streams.until(loop, () -> !statuses.isEmpty() && !listener.accepted.isEmpty());
        assertThat(statuses).containsExactly(0);
        assertThat(client.peerName()).isEqualTo(name);
        assertThat(client.localName()).isEmpty();
    }

    @Test
    void anAbstractNameThatNobodyHasRefuses(UvLoop loop) {
        assumeTrue(UvFeature.PIPE_NAMES.isAvailable());
        var statuses = new ArrayList<Integer>();
        new UvPipe(loop, false).connect(new UvConnect(loop), abstractName(), statuses::add);
        Streams.until(loop, () -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(UvErrno.ECONNREFUSED.code());
    }

    @Test
    void anEmptyNameIsChosenByTheKernel(UvLoop loop) {
        assumeTrue(UvFeature.PIPE_NAMES.isAvailable());
        var pipe = new UvPipe(loop, false);
        pipe.bind(new byte[0]);
        assertThat(pipe.localName()).hasSize(6).startsWith(0);
    }

    @Test
    void namesAreRefusedWithTheirLength(UvLoop loop) {
        assumeTrue(UvFeature.PIPE_NAMES.isAvailable());
        var pipe = new UvPipe(loop, false);
        assertThatThrownBy(() -> pipe.bind(new byte[108]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this one 108");
        assertThatThrownBy(() -> pipe.connect(new UvConnect(loop), new byte[0], status -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this one 0");
        assertThatThrownBy(() -> pipe.bind(bytes("\0a\0b"))).satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    @Tag("cells")
    void anOldLibraryNamesWhatNamesNeed(UvLoop loop) {
        assumeTrue(!UvFeature.PIPE_NAMES.isAvailable());
        var pipe = new UvPipe(loop, false);
        assertThatThrownBy(() -> pipe.bind(abstractName()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("1.46");
        assertThatThrownBy(() -> pipe.connect(new UvConnect(loop), abstractName(), status -> {}))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void chmodAddsPermissionsForEverybody(UvLoop loop) throws Exception {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        listener.pipe.chmod(true, false);
        assertThat(Files.getPosixFilePermissions(path))
                .contains(PosixFilePermission.OTHERS_READ)
                .doesNotContain(PosixFilePermission.OTHERS_WRITE);
        listener.pipe.chmod(true, true);
        assertThat(Files.getPosixFilePermissions(path)).contains(PosixFilePermission.OTHERS_WRITE);
    }

    @Test
    void chmodNeedsAPathAndAPermission(UvLoop loop) {
        var pipe = new UvPipe(loop, false);
        assertThatThrownBy(() -> pipe.chmod(true, true)).satisfies(errno(UvErrno.EBADF));
        pipe.bind(directory.resolve("s"));
        assertThatThrownBy(() -> pipe.chmod(false, false)).satisfies(errno(UvErrno.EINVAL));
    }

    @Test
    void pendingInstancesChangeNothingHere(UvLoop loop) {
        var path = directory.resolve("s");
        var listener = new Pipes.Listener(loop, path);
        listener.pipe.pendingInstances(4);
        assertThat(Pipes.connect(loop, new UvPipe(loop, false), path)).isZero();
    }

    @Test
    void aPipeKeepsTheLoopAliveWhileItListens(UvLoop loop) {
        var listener = new Pipes.Listener(loop, directory.resolve("s"));
        assertThat(loop.isAlive()).isTrue();
        listener.pipe.unref();
        assertThat(loop.isAlive()).isFalse();
        assertThat(listener.pipe.isActive()).isTrue();
    }

    @Test
    void nothingWorksAfterClose(UvLoop loop) {
        var pipe = new UvPipe(loop, true);
        pipe.close();
        assertThatThrownBy(() -> pipe.open(3)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pipe.bind(directory.resolve("s"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pipe.connect(new UvConnect(loop), directory.resolve("s"), status -> {}))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pipe::pendingCount).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pipe::localName).isInstanceOf(IllegalStateException.class);
    }

    // Descriptors

    @Test
    @Tag("cells")
    void thePipeOfTheLibraryCarriesBytes(UvLoop loop) {
        var ends = UvDescriptors.pipe(true, true);
        var reader = Pipes.opened(loop, false, ends.first());
        var writer = Pipes.opened(loop, false, ends.second());
        assertThat(reader.isReadable()).isTrue();
        assertThat(reader.isWritable()).isFalse();
        assertThat(writer.isReadable()).isFalse();
        assertThat(writer.isWritable()).isTrue();
        var collector = new Streams.Collector();
        reader.readStart(collector);
        assertThat(writer.tryWrite(Streams.memory("x"), 0, 1)).isEqualTo(1);
        writer.close();
        Streams.until(loop, collector::atEnd);
        assertThat(collector.text()).isEqualTo("x");
    }

    @Test
    void anEndOfAPipeGoesOneWayOnly(UvLoop loop) {
        var ends = UvDescriptors.pipe(false, false);
        var reader = Pipes.opened(loop, false, ends.first());
        var writer = Pipes.opened(loop, false, ends.second());
        assertThat(reader.tryWrite(Streams.memory("x"), 0, 1)).isEqualTo(UvErrno.EPIPE.code());
        assertThatThrownBy(() -> writer.readStart(new Streams.Collector())).satisfies(errno(UvErrno.ENOTCONN));
    }

    @Test
    void aFullPipeWhoseReaderClosesFailsTheWrite(UvLoop loop) {
        var ends = UvDescriptors.pipe(true, true);
        var writer = Pipes.opened(loop, false, ends.second());
        var statuses = new ArrayList<Integer>();
        writer.write(Streams.request(loop, Streams.memory(new byte[1 << 20])), statuses::add);
        loop.run(UvLoop.Mode.NOWAIT);
        assertThat(writer.writeQueueSize()).isPositive();
        Fds.close(ends.first());
        Streams.until(loop, () -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(UvErrno.EPIPE.code());
    }

    @Test
    void pairsAreCloseOnExecAndBlockUnlessAsked() {
        var blocking = UvDescriptors.pipe(false, true);
        var sockets = UvDescriptors.sockets(libc.SOCK_STREAM(), true, false);
        try {
            for (int fd : new int[] {blocking.first(), blocking.second(), sockets.first(), sockets.second()}) {
                assertThat(flags(fd) & libc.O_CLOEXEC()).isNotZero();
            }
            assertThat(flags(blocking.first()) & libc.O_NONBLOCK()).isZero();
            assertThat(flags(blocking.second()) & libc.O_NONBLOCK()).isNotZero();
            assertThat(flags(sockets.first()) & libc.O_NONBLOCK()).isNotZero();
            assertThat(flags(sockets.second()) & libc.O_NONBLOCK()).isZero();
        } finally {
            Fds.close(blocking.first(), blocking.second(), sockets.first(), sockets.second());
        }
    }

    private static int flags(int fd) {
        return Fds.info(fd)
                .lines()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line -> Integer.parseInt(line.substring(6).strip(), 8))
                .sum();
    }

    @Test
    void openSetsNonBlockingAndCloseCloses(UvLoop loop) {
        var ends = UvDescriptors.sockets(libc.SOCK_STREAM(), false, false);
        var pipe = Pipes.opened(loop, false, ends.first());
        assertThat(flags(ends.first()) & libc.O_NONBLOCK()).isNotZero();
        assertThat(pipe.fileno()).isEqualTo(ends.first());
        pipe.close();
        loop.run(UvLoop.Mode.DEFAULT);
        assertThat(Fds.isSocket(ends.first())).isFalse();
        Fds.close(ends.second());
    }

    @Test
    @Tag("cells")
    void whatCannotBeWatchedIsRefusedAndStaysTheCallers(UvLoop loop) {
        for (var path : new String[] {"/proc/self/status", "/", "/dev/null"}) {
            int fd = openFile(path);
            var pipe = new UvPipe(loop, false);
            assertThatThrownBy(() -> pipe.open(fd))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be watched");
            Fds.close(fd);
        }
    }

    private static int openFile(String path) {
        try (var arena = java.lang.foreign.Arena.ofConfined()) {
            return libc.open.makeInvoker().apply(arena.allocateFrom(path), libc.O_RDONLY() | libc.O_CLOEXEC());
        }
    }

    @Test
    void aClosedDescriptorIsBad(UvLoop loop) {
        var pipe = new UvPipe(loop, false);
        assertThatThrownBy(() -> pipe.open(1_000_000)).satisfies(errno(UvErrno.EBADF));
        assertThatThrownBy(() -> pipe.open(-1)).satisfies(errno(UvErrno.EBADF));
    }

    @Test
    void aDescriptorHasOneHandle(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, false);
        pair.one().readStart(new Streams.Collector());
        loop.run(UvLoop.Mode.NOWAIT);
        var second = new UvPipe(loop, false);
        assertThatThrownBy(() -> second.open(pair.one().fileno())).satisfies(errno(UvErrno.EEXIST));
    }

    @Test
    void anOpenPipeTakesNoOtherDescriptor(UvLoop loop) {
        var pair = Pipes.Pair.of(loop, false);
        var ends = UvDescriptors.pipe(true, true);
        assertThatThrownBy(() -> pair.one().open(ends.first())).satisfies(errno(UvErrno.EBUSY));
        Fds.close(ends.first(), ends.second());
    }
}
