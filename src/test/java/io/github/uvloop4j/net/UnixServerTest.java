package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unix servers: where they may listen, and what becomes of the files. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class UnixServerTest {
    @TempDir
    Path directory;

    private UnixDomainSocketAddress named(String name) {
        return UnixDomainSocketAddress.of(directory.resolve(name));
    }

    private static void answerOne(EventLoop loop, Listener listener) throws Exception {
        var client = loop.net().openConnection(listener.address());
        client.write("hello");
        client.shutdownOutput();
        var received = "";
        try (client) {
            // Who tried to listen here meanwhile has connected once, to see whether somebody is there.
            while (received.isEmpty()) {
                try (var served = listener.accept()) {
                    received = new String(served.readAll(), StandardCharsets.UTF_8);
                }
            }
        }
        assertThat(received).isEqualTo("hello");
    }

    /** A file of a socket that nobody listens on any more. */
    private void leaveDeadSocket(UnixDomainSocketAddress address) throws IOException {
        try (var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(address);
        }
        assertThat(address.getPath()).exists();
    }

    @Test
    @Tag("cells")
    void servesAtAPath(EventLoop loop) throws Exception {
        var address = named("socket");
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                assertThat(listener.address()).isEqualTo(address);
                answerOne(loop, listener);
            }
        });
        assertThat(address.getPath()).doesNotExist();
    }

    @Test
    @Tag("cells")
    void servesAtAnAbstractName(EventLoop loop) throws Exception {
        var address = AbstractAddress.of("uvloop4j test ü " + directory);
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                assertThat(listener.address()).isEqualTo(address);
                answerOne(loop, listener);
                assertThatThrownBy(() -> loop.net().listen(address))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("EADDRINUSE");
            }
            assertThatThrownBy(() -> loop.net().openConnection(address)).hasMessageContaining("ECONNREFUSED");
        });
    }

    @Test
    void anAbstractNameMayHoldAnyBytes(EventLoop loop) throws Exception {
        var address = AbstractAddress.of(new byte[] {0, 1, 0, (byte) 0xff, 0});
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                answerOne(loop, listener);
                assertThat(listener.address()).isEqualTo(address);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {107, 108, 200})
    void aPathThatIsTooLongIsRefusedWithItsLength(int length, EventLoop loop) throws Exception {
        var parent = Path.of("/" + "d".repeat(length - 3));
        var address = UnixDomainSocketAddress.of(parent.resolve("s"));
        loop.run(() -> {
            if (length <= 107) {
                assertThatThrownBy(() -> loop.net().listen(address)).isInstanceOf(NoSuchFileException.class);
                return;
            }
            assertThatThrownBy(() -> loop.net().listen(address))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("107")
                    .hasMessageContaining(String.valueOf(length));
            assertThatThrownBy(() -> loop.net().openConnection(address))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(length));
        });
    }

    @Test
    void aPathIsMeasuredInBytes(EventLoop loop) throws Exception {
        var shortest = UnixDomainSocketAddress.of("ü".repeat(54));
        loop.run(() -> assertThatThrownBy(() -> loop.net().listen(shortest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("108"));
    }

    @Test
    void aPathOutsideAsciiServes(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen(named("söcket-日本"))) {
                answerOne(loop, listener);
            }
        });
    }

    @Test
    void anUnnamedAddressIsRefused(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> loop.net().listen(UnixDomainSocketAddress.of("")))
                .isInstanceOf(IllegalArgumentException.class));
        assertThatThrownBy(() -> AbstractAddress.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AbstractAddress.of("x".repeat(108)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("108");
    }

    @Test
    @Tag("cells")
    void aDeadSocketIsReplaced(EventLoop loop) throws Exception {
        var address = named("dead");
        leaveDeadSocket(address);
        loop.run(() -> {
            try (var listener = loop.net().listen(address)) {
                answerOne(loop, listener);
            }
        });
    }

    @Test
    void aServerThatListensIsLeftAlone(EventLoop loop) throws Exception {
        var address = named("live");
        loop.run(() -> {
            try (var first = loop.net().listen(address)) {
                assertThatThrownBy(() -> loop.net().listen(address))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("a server listens there");
                answerOne(loop, first);
            }
        });
    }

    @Test
    void aServerWithAFullBacklogIsLeftAlone(EventLoop loop) throws Exception {
        var address = named("busy");
        try (var busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            busy.bind(address, 1);
            var held = new ArrayList<SocketChannel>();
            try {
                for (int i = 0; i < 2; i++) {
                    held.add(SocketChannel.open(address));
                }
                loop.run(() -> assertThatThrownBy(() -> loop.net().listen(address))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("a server listens there"));
                assertThat(address.getPath()).exists();
            } finally {
                for (var channel : held) {
                    channel.close();
                }
            }
        }
    }

    @Test
    void aFileThatIsNoSocketIsLeftAlone(EventLoop loop) throws Exception {
        var path = Files.writeString(directory.resolve("file"), "precious");
        var link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nowhere"));
        loop.run(() -> {
            for (var inTheWay : List.of(path, link, directory)) {
                assertThatThrownBy(() -> loop.net().listen(UnixDomainSocketAddress.of(inTheWay)))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining(inTheWay.toString());
            }
        });
        assertThat(path).hasContent("precious");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void aMissingDirectoryIsNamed(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(() -> loop.net().listen(named("none/socket")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none"));
    }

    @Test
    void closeRemovesOnlyItsOwnFile(EventLoop loop) throws Exception {
        var address = named("taken");
        loop.run(() -> {
            var server =
                    loop.net().createServer(() -> new Recorder(loop), address).await();
            Files.delete(address.getPath());
            try (var other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                other.bind(address);
                server.close();
                assertThat(address.getPath()).exists();
            }
        });
    }

    @Test
    void closeLeavesTheFileWhenAsked(EventLoop loop) throws Exception {
        var address = named("kept");
        loop.run(() -> {
            loop.net()
                    .listen(address, ServerOptions.defaults().keepSocketFile(true))
                    .close();
            assertThat(address.getPath()).exists();
        });
    }

    @Test
    void closingTheLoopRemovesTheFile() throws Exception {
        var address = named("loop");
        EventLoop.run(loop -> {
            loop.net().createServer(() -> new Recorder(loop), address).await();
            assertThat(address.getPath()).exists();
        });
        assertThat(address.getPath()).doesNotExist();
    }

    @Test
    void thePermissionsAreThoseAskedFor(EventLoop loop) throws Exception {
        var address = named("private");
        var owner = PosixFilePermissions.fromString("rw-------");
        loop.run(() -> {
            try (var _ = loop.net().listen(address, ServerOptions.defaults().permissions(owner))) {
                assertThat(Files.getPosixFilePermissions(address.getPath())).isEqualTo(owner);
            }
        });
    }

    @Test
    void clientsWaitForAServerThatDoesNotServeYet(EventLoop loop) throws Exception {
        var address = named("later");
        loop.run(() -> {
            var made = new ArrayList<Recorder>();
            var server = loop.net()
                    .createServer(
                            () -> {
                                made.add(new Recorder(loop));
                                return made.getLast();
                            },
                            address,
                            ServerOptions.defaults().startServing(false))
                    .await();
            try (var client = loop.net().openConnection(address)) {
                client.write("early");
                client.shutdownOutput();
                assertThat(made).isEmpty();
                server.startServing();
                assertThat(client.readAll()).isEmpty();
                assertThat(made).hasSize(1);
            }
            server.close();
        });
    }

    @Test
    void ofManyThatStartTogetherOneServes() throws Exception {
        var address = named("race");
        int starters = 4;
        for (int round = 0; round < 10; round++) {
            leaveDeadSocket(address);
            try (var threads = Executors.newFixedThreadPool(starters)) {
                var tries = new ArrayList<Callable<Boolean>>();
                var tried = new CountDownLatch(starters);
                for (int i = 0; i < starters; i++) {
                    tries.add(() -> startAndStay(address, tried));
                }
                int served = 0;
                for (Future<Boolean> one : threads.invokeAll(tries)) {
                    served += one.get() ? 1 : 0;
                }
                assertThat(served).isEqualTo(1);
            }
            Files.deleteIfExists(address.getPath());
        }
    }

    /** Whether it could listen, and was reached then: it stays until all have tried. */
    private static boolean startAndStay(SocketAddress address, CountDownLatch tried) throws Exception {
        var served = new boolean[1];
        EventLoop.run(loop -> {
            try (var listener = loop.net().listen(address)) {
                tried.countDown();
                loop.runInExecutor(() -> {
                            tried.await();
                            return null;
                        })
                        .await();
                answerOne(loop, listener);
                served[0] = true;
            } catch (BindException another) {
                tried.countDown();
            }
        });
        return served[0];
    }

    @Test
    void anInternetServerHasAPortAndAUnixOneHasNone(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var unix = loop.net().listen(named("port"));
                    var internet = loop.net().listen("127.0.0.1", 0)) {
                assertThat(internet.port()).isPositive();
                assertThatThrownBy(unix::port)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("port");
            }
        });
    }

    @Test
    void anAddressOfAnotherKindIsRefused(EventLoop loop) throws Exception {
        var strange = new SocketAddress() {
            private static final long serialVersionUID = 1;
        };
        loop.run(() -> {
            assertThatThrownBy(() -> loop.net().listen(strange)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> loop.net().openConnection(strange)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void anInternetAddressIsListenedOnAndLookedUpWhenItMust(EventLoop loop) throws Exception {
        loop.run(() -> {
            var unresolved = InetSocketAddress.createUnresolved("localhost", 0);
            try (var listener = loop.net().listen(unresolved)) {
                answerOne(loop, listener);
            }
        });
    }
}
