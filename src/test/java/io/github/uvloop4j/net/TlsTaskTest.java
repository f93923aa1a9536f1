package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS for tasks. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsTaskTest {
    private static final ConnectOptions CLIENT = ConnectOptions.defaults().tls(TestTls.client());
    private static final ServerOptions SERVER = ServerOptions.defaults().tls(TestTls.server());

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Tag("cells")
    @Test
    void tasksReadAndWrite(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            var said = new String(socket.getInputStream().readNBytes(6), StandardCharsets.UTF_8);
            socket.getOutputStream().write(bytes("line one\nline two\r\nrest"));
            return said;
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("localhost", peer.port(), CLIENT)) {
                connection.write("hello\n");
                assertThat(connection.readLine()).isEqualTo("line one");
                assertThat(connection.readLine()).isEqualTo("line two");
                assertThat(connection.readExactly(2)).isEqualTo(bytes("re"));
                assertThat(connection.readAll()).isEqualTo(bytes("st"));
                assertThat(connection.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                assertThat(connection.tls().protocol()).isEqualTo("TLSv1.3");
            }
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("hello\n");
    }

    @Tag("cells")
    @Test
    void aServerOfTasksServesClientsOfTasks(EventLoop loop) throws Exception {
        var sent = new byte[1 << 20];
        new Random(7).nextBytes(sent);
        loop.run(() -> {
            var server = loop.net()
                    .startServer(connection -> connection.transferTo(connection), "localhost", 0, SERVER)
                    .await();
            var clients = new ArrayList<Task<byte[]>>();
            for (int i = 0; i < 5; i++) {
                clients.add(loop.spawn(() -> {
                    try (var connection = loop.net().openConnection("localhost", server.port(), CLIENT)) {
                        var writer = loop.spawn(() -> {
                            connection.write(sent);
                            connection.shutdownOutput();
                            return null;
                        });
                        var all = connection.readAll();
                        writer.await();
                        return all;
                    }
                }));
            }
            for (var client : clients) {
                assertThat(client.await(Recorder.LIMIT)).isEqualTo(sent);
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void aSlowHandshakeKeepsNobodyElseWaiting(EventLoop loop) throws Exception {
        loop.run(() -> {
            var connected = new CompletableFuture<Object>();
            var release = new CompletableFuture<Object>();
            try (var listener = loop.net().listen("localhost", 0, SERVER)) {
                var silent = Peers.client(listener.address(), socket -> {
                    connected.complete("");
                    return release.get(30, TimeUnit.SECONDS);
                });
                Recorder.await(loop, connected);
                var client = TlsPeers.client(listener.address(), socket -> {
                    socket.getOutputStream().write(bytes("quick"));
                    return null;
                });
                var connection = listener.accept();
                assertThat(connection.readAll()).isEqualTo(bytes("quick"));
                connection.close();
                Recorder.await(loop, client);
                assertThat(silent).isNotDone();
                release.complete("");
                Recorder.await(loop, silent);
            }
        });
    }

    @Test
    void aListenerPassesOverThoseThatFail(EventLoop loop) throws Exception {
        loop.run(() -> {
            try (var listener = loop.net().listen("localhost", 0, SERVER)) {
                var bad = Peers.client(listener.address(), socket -> {
                    socket.getOutputStream().write(bytes("no TLS at all"));
                    return socket.getInputStream().readAllBytes();
                });
                var accepting = loop.spawn(listener::accept);
                Recorder.await(loop, bad);
                var good = TlsPeers.client(
                        listener.address(), socket -> socket.getInputStream().read());
                var connection = accepting.await(Recorder.LIMIT);
                connection.write("!");
                connection.close();
                assertThat(Recorder.await(loop, good)).isEqualTo('!');
            }
        });
    }

    @SuppressWarnings("try") // closing the one below closes the one above
    @Test
    void startTlsGivesANewConnection(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(bytes("220 ready\n"));
            assertThat(socket.getInputStream().readNBytes(9)).isEqualTo(bytes("STARTTLS\n"));
            socket.getOutputStream().write(bytes("220 go ahead\n"));
            try (var secured = TlsPeers.server(TestTls.server(), socket)) {
                secured.getOutputStream().write(bytes("secret\n"));
                return new String(secured.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
        loop.run(() -> {
            try (var plain = loop.net().openConnection("localhost", peer.port())) {
                plain.readLine();
                plain.write("STARTTLS\n");
                plain.readLine();
                assertThat(plain.tls()).isNull();
                var secured = plain.startTls(TestTls.client());
                assertThat(secured.readLine()).isEqualTo("secret");
                secured.write("mine");
                assertThatThrownBy(() -> plain.write("x")).hasMessageContaining("TLS was started");
                assertThatThrownBy(plain::readLine).hasMessageContaining("TLS was started");
                assertThatThrownBy(() -> plain.startTls(TestTls.client())).hasMessageContaining("TLS was started");
                assertThat(plain.tls()).isEqualTo(secured.tls());
                plain.close();
                secured.waitClosed().await(Recorder.LIMIT);
                plain.waitClosed().await(Recorder.LIMIT);
            }
        });
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("mine");
    }

    @Test
    void plainTextThatWasReadAheadBelongsToTheHandshake(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(bytes("220 go ahead\n250 injected\n"));
            return socket.getInputStream().readAllBytes();
        });
        loop.run(() -> {
            try (var plain = loop.net().openConnection("localhost", peer.port())) {
                plain.readLine();
                assertThatThrownBy(() -> plain.startTls(TestTls.client())).isInstanceOf(SSLException.class);
                assertThat(plain.isClosing()).isTrue();
                plain.waitClosed().await(Recorder.LIMIT);
            }
        });
    }

    @Test
    void startTlsWorksInAServerAndOverTls(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .startServer(
                            outer -> {
                                var inner = outer.startTls(TestTls.server("rsa"));
                                inner.transferTo(inner);
                                inner.close();
                            },
                            "localhost",
                            0,
                            SERVER)
                    .await();
            var outer = loop.net().openConnection("localhost", server.port(), CLIENT);
            var inner = outer.startTls(TestTls.client());
            inner.write("twice");
            inner.shutdownOutput();
            assertThat(inner.readAll()).isEqualTo(bytes("twice"));
            inner.close();
            inner.waitClosed().await(Recorder.LIMIT);
            outer.waitClosed().await(Recorder.LIMIT);
            assertThat(outer.isClosing()).isTrue();
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Tag("cells")
    @Test
    void tlsRunsOverUnixSockets(EventLoop loop, @TempDir Path directory) throws Exception {
        var address = UnixDomainSocketAddress.of(directory.resolve("s"));
        loop.run(() -> {
            var server = loop.net()
                    .startServer(connection -> connection.transferTo(connection), address, SERVER)
                    .await();
            assertThatThrownBy(() -> loop.net().openConnection(address, CLIENT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("serverName");
            var tls = TestTls.client().serverName("localhost");
            try (var connection =
                    loop.net().openConnection(address, ConnectOptions.defaults().tls(tls))) {
                connection.write("over unix");
                assertThat(connection.readExactly(9)).isEqualTo(bytes("over unix"));
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void truncationIsAnErrorForTheReader(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var secured = TlsPeers.server(TestTls.server(), socket);
            secured.getOutputStream().write(bytes("part"));
            socket.shutdownOutput();
            return socket.getInputStream().readAllBytes();
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("localhost", peer.port(), CLIENT)) {
                assertThat(connection.readExactly(4)).isEqualTo(bytes("part"));
                assertThatThrownBy(connection::readAll)
                        .isInstanceOf(SSLException.class)
                        .hasMessageContaining("close_notify");
                assertThatThrownBy(() -> connection.write("x")).isInstanceOf(IOException.class);
            }
        });
    }

    @Test
    void aCancelledConnectLeavesNothingBehind(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            while (socket.getInputStream().read() >= 0) {}
            return "aborted";
        });
        loop.run(() -> {
            var task = loop.spawn(() -> loop.net().openConnection("localhost", peer.port(), CLIENT));
            Recorder.until(loop, () -> loop.statistics().io().opened() > 0);
            task.cancel();
            assertThatThrownBy(() -> task.await(Recorder.LIMIT)).isInstanceOf(CancellationException.class);
            assertThat(Recorder.await(loop, peer.result())).isEqualTo("aborted");
        });
    }

    @Test
    void aHandlerGoesOnWithItsWorkWhileOthersFail(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .startServer(connection -> connection.write(connection.readLine() + "!\n"), "localhost", 0, SERVER)
                    .await();
            for (int i = 0; i < 5; i++) {
                Recorder.await(loop, Peers.client(server.address(), socket -> {
                    socket.setSoLinger(true, 0);
                    return "";
                }));
            }
            try (var connection = loop.net().openConnection("localhost", server.port(), CLIENT)) {
                connection.write("fine\n");
                assertThat(connection.readLine()).isEqualTo("fine!");
                assertThat(connection.readLine()).isNull();
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void readersAndWritersAreToldOfTheEnd(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var connection = loop.net().openConnection("localhost", peer.port(), CLIENT);
            assertThat(connection.isIdle()).isTrue();
            var reading = loop.spawn(() -> connection.readLine());
            Recorder.turns(loop, 3);
            assertThat(connection.isIdle()).isFalse();
            connection.close();
            connection.close();
            assertThatThrownBy(() -> reading.await(Recorder.LIMIT)).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(() -> connection.write("x")).isInstanceOf(ClosedChannelException.class);
            connection.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void flushWaitsUntilAllIsSentAndWritersWaitForThePeer(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> socket.getInputStream().readNBytes(8 << 20).length);
        loop.run(() -> {
            try (var connection = loop.net().openConnection("localhost", peer.port(), CLIENT)) {
                connection.write(new byte[8 << 20]);
                assertThat(connection.writeBufferSize()).isLessThanOrEqualTo(512 * 1024);
                connection.flush();
                assertThat(connection.writeBufferSize()).isZero();
                assertThat(Recorder.await(loop, peer.result())).isEqualTo(8 << 20);
            }
        });
    }

    @Test
    void filesAreSentInPieces(EventLoop loop, @TempDir Path directory) throws Exception {
        var sent = new byte[300_000];
        new Random(9).nextBytes(sent);
        var file = Files.write(directory.resolve("file"), sent);
        var peer = TlsPeers.server(socket -> socket.getInputStream().readNBytes(sent.length));
        loop.run(() -> {
            try (var connection = loop.net().openConnection("localhost", peer.port(), CLIENT)) {
                assertThat(connection.sendFile(file)).isEqualTo(sent.length);
                assertThat(Recorder.await(loop, peer.result())).isEqualTo(sent);
            }
        });
    }

    @Test
    void theLimitOfReadingAheadHolds(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            socket.getOutputStream().write(new byte[4 << 20]);
            return socket.getInputStream().read();
        });
        loop.run(() -> {
            try (var connection = loop.net().openConnection("localhost", peer.port(), CLIENT)) {
                connection.readLimit(1000);
                assertThatThrownBy(connection::readLine).isInstanceOf(LimitOverrunException.class);
                assertThat(connection.readExactly(4 << 20)).hasSize(4 << 20);
            }
        });
    }
}
