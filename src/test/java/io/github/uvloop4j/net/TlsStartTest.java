package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import io.github.uvloop4j.tls.ClientTls;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** TLS that is started on a protocol's connection in use. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsStartTest {
    private static final ClientTls CLIENT = TestTls.client();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Connected<Recorder> plain(EventLoop loop, Recorder protocol, int port) throws Exception {
        return loop.net().createConnection(() -> protocol, "localhost", port).await(Recorder.LIMIT);
    }

    /** Says "go", then speaks TLS. */
    private static <T> Peers.Listening<T> starting(TlsPeers.Script<T> script) throws Exception {
        return Peers.server(socket -> {
            socket.getOutputStream().write(bytes("go"));
            try (var secured = TlsPeers.server(TestTls.server(), socket)) {
                return script.run(secured);
            }
        });
    }

    @Tag("cells")
    @Test
    void theProtocolGoesOnAndIsNotToldOfAConnectionAgain(EventLoop loop) throws Exception {
        var peer = starting(socket -> {
            socket.getOutputStream().write(bytes("secret"));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            Recorder.until(loop, () -> recorder.text().equals("go"));
            assertThat(before.tls()).isNull();
            var after = loop.net().startTls(before, CLIENT).await(Recorder.LIMIT);
            assertThat(after.protocol()).isSameAs(recorder);
            assertThat(after.tls().serverName()).isEqualTo("localhost");
            assertThat(before.tls()).isEqualTo(after.tls());
            after.write(bytes("mine"));
            Recorder.until(loop, () -> recorder.text().equals("gosecret"));
            after.close();
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "data", "lost");
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("mine");
    }

    @Test
    void dataComesOnlyAfterTheCallerWasWoken(EventLoop loop) throws Exception {
        var peer = starting(socket -> {
            socket.getOutputStream().write(bytes("with the last flight"));
            return socket.getInputStream().read();
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            Recorder.until(loop, () -> recorder.text().equals("go"));
            var other = new Recorder(loop);
            var after = loop.net().startTls(before, CLIENT).await(Recorder.LIMIT);
            assertThat(recorder.text()).isEqualTo("go");
            after.protocol(other);
            Recorder.until(loop, () -> other.text().equals("with the last flight"));
            after.abort();
            other.ended();
        });
        assertThat(recorder.text()).isEqualTo("go");
    }

    @Test
    void theOldTransportCanOnlyBeClosed(EventLoop loop) throws Exception {
        var peer = starting(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            Recorder.until(loop, () -> recorder.text().equals("go"));
            loop.net().startTls(before, CLIENT).await(Recorder.LIMIT);
            assertThatThrownBy(() -> before.write(bytes("x"))).hasMessageContaining("TLS was started");
            assertThatThrownBy(before::writeEof).hasMessageContaining("TLS was started");
            assertThatThrownBy(before::pauseReading).hasMessageContaining("TLS was started");
            assertThatThrownBy(before::resumeReading).hasMessageContaining("TLS was started");
            assertThatThrownBy(() -> before.protocol(recorder)).hasMessageContaining("TLS was started");
            assertThatThrownBy(() -> loop.net().startTls(before, CLIENT)).hasMessageContaining("TLS was started");
            before.close();
            recorder.ended();
        });
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(-1);
    }

    @Test
    void aServerSideCanStartItToo(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = loop.net()
                    .createServer(() -> new Upgrading(loop), "127.0.0.1", 0)
                    .await();
            var peer = Peers.client(server.address(), socket -> {
                socket.getOutputStream().write(bytes("STARTTLS\n"));
                assertThat(socket.getInputStream().readNBytes(3)).isEqualTo(bytes("ok\n"));
                try (var secured = TlsPeers.client(socket, "localhost")) {
                    secured.getOutputStream().write(bytes("hello"));
                    return new String(secured.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
                }
            });
            assertThat(Recorder.await(loop, peer)).isEqualTo("hello");
            server.close();
            server.closeClients();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    /** Answers STARTTLS and starts it, then echoes. */
    private static final class Upgrading implements Protocol {
        private final EventLoop loop;
        private @Nullable Transport transport;
        private boolean secured;

        Upgrading(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            if (secured) {
                transport.write(data);
                return;
            }
            transport.write(bytes("ok\n"));
            loop.net().startTls(transport, TestTls.server()).whenDone((next, error) -> {
                secured = true;
                transport = next;
            });
        }
    }

    @Test
    void writingMayBePausedWhenItStarts(EventLoop loop) throws Exception {
        int plain = 24 << 20;
        var started = new CompletableFuture<Boolean>();
        var peer = Peers.server(socket -> {
            started.get();
            int read = socket.getInputStream().readNBytes(plain).length;
            try (var secured = TlsPeers.server(TestTls.server(), socket)) {
                return read + new String(secured.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            before.write(new byte[plain]);
            assertThat(recorder.events).containsExactly("made", "pause");
            var starting = loop.net().startTls(before, CLIENT);
            started.complete(true);
            var after = starting.await(Recorder.LIMIT);
            assertThat(recorder.events).containsExactly("made", "pause", "resume");
            after.write(bytes(" and more"));
            after.close();
            recorder.ended();
        });
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo(plain + " and more");
    }

    @Test
    void plainTextInPlaceOfAHandshakeIsRefused(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            socket.getOutputStream().write(bytes("go"));
            socket.getInputStream().read();
            socket.getOutputStream().write(bytes("injected"));
            return socket.getInputStream().readAllBytes();
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            Recorder.until(loop, () -> recorder.text().equals("go"));
            assertThatThrownBy(() -> loop.net().startTls(before, CLIENT).await(Recorder.LIMIT))
                    .isInstanceOf(SSLException.class);
        });
        assertThat(recorder.text()).isEqualTo("go");
    }

    @Test
    void aCorruptRecordEndsTheConnectionWithAnSslException(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var secured = TlsPeers.server(TestTls.server(), socket);
            secured.startHandshake();
            socket.getOutputStream().write(new byte[] {23, 3, 3, 0, 40});
            socket.getOutputStream().write(new byte[40]);
            return socket.getInputStream().readAllBytes();
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            loop.net().startTls(before, CLIENT).await(Recorder.LIMIT);
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "lost");
        assertThat(recorder.cause).isInstanceOf(SSLException.class);
    }

    @Test
    void aCancelledStartAborts(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            while (socket.getInputStream().read() >= 0) {}
            return "aborted";
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var before = plain(loop, recorder, peer.port()).transport();
            var starting = loop.net().startTls(before, CLIENT);
            Recorder.turns(loop, 3);
            starting.cancel();
            assertThat(Recorder.await(loop, peer.result())).isEqualTo("aborted");
            assertThat(before.isClosing()).isTrue();
        });
        assertThat(recorder.events).containsExactly("made");
    }

    @Test
    void aNameToVerifyMustBeKnown(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var server = loop.net()
                    .createServer(() -> new Recorder(loop), "127.0.0.1", 0)
                    .await();
            assertThatThrownBy(() -> loop.net()
                            .createConnection(
                                    () -> new Recorder(loop),
                                    loop.sockets().openTcp(StandardProtocolFamily.INET),
                                    ConnectOptions.defaults().tls(CLIENT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("serverName");
            server.close();
            plain(loop, new Recorder(loop), peer.port()).transport().abort();
        });
    }

    @Tag("cells")
    @Test
    void tlsRunsOverTls(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(outer -> {
            var factory = TestTls.server().context().getSocketFactory();
            var inner = (SSLSocket) factory.createSocket(outer, "peer", 1, true);
            inner.setUseClientMode(false);
            inner.getOutputStream().write(bytes("inner"));
            return new String(inner.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var outer = loop.net()
                    .createConnection(
                            () -> recorder,
                            "localhost",
                            peer.port(),
                            ConnectOptions.defaults().tls(CLIENT))
                    .await(Recorder.LIMIT)
                    .transport();
            var inner = loop.net().startTls(outer, CLIENT).await(Recorder.LIMIT);
            inner.write(bytes("x".repeat(300_000)));
            Recorder.until(loop, () -> recorder.text().equals("inner"));
            inner.close();
            recorder.ended();
        });
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).hasSize(300_000);
    }
}
