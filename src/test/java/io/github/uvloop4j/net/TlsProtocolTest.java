package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.concurrent.LoopFuture;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.TlsPeers;
import io.github.uvloop4j.tls.ClientTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS for protocols, against the JDK's sockets. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsProtocolTest {
    static final ConnectOptions SECURE = ConnectOptions.defaults().tls(TestTls.client());

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Connected<Recorder> connect(EventLoop loop, Recorder protocol, int port) throws Exception {
        return loop.net()
                .createConnection(() -> protocol, "localhost", port, SECURE)
                .await(Recorder.LIMIT);
    }

    /** Sends back what comes, until the end. */
    static final class Echo implements Protocol {
        private Transport transport;

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public void dataReceived(ByteBuffer data) {
            transport.write(data);
        }
    }

    @Tag("cells")
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientIsToldInOrder(String version, EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            socket.setEnabledProtocols(new String[] {version});
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
            var said = new String(socket.getInputStream().readNBytes(3), StandardCharsets.UTF_8);
            socket.close();
            return said;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var connected = connect(loop, recorder, peer.port());
            assertThat(recorder.events).containsExactly("made");
            connected.transport().write(utf8("you"));
            var info = connected.transport().tls();
            assertThat(info.protocol()).isEqualTo(version);
            assertThat(info.serverName()).isEqualTo("localhost");
            assertThat(info.peerCertificate().getSubjectX500Principal().getName())
                    .isEqualTo("CN=localhost");
            assertThat(connected.transport().extraInfo("cipher")).isEqualTo(info.cipher());
            assertThat(connected.transport().extraInfo("peercert")).isInstanceOf(X509Certificate.class);
            assertThat(connected.transport().extraInfo("peername"))
                    .isEqualTo(connected.transport().peerAddress());
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "data", "eof", "lost");
        assertThat(recorder.text()).isEqualTo("hello");
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("you");
    }

    @Tag("cells")
    @Test
    void aServerServesManyClientsMuch(EventLoop loop) throws Exception {
        var peers = new ArrayList<CompletableFuture<byte[]>>();
        var sent = new byte[2 << 20];
        new Random(3).nextBytes(sent);
        loop.run(() -> {
            var options = ServerOptions.defaults().tls(TestTls.server());
            var server =
                    loop.net().createServer(Echo::new, "127.0.0.1", 0, options).await();
            for (int i = 0; i < 5; i++) {
                peers.add(TlsPeers.client(server.address(), socket -> {
                    Thread.ofPlatform().daemon().start(() -> {
                        try {
                            socket.getOutputStream().write(sent);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
                    return socket.getInputStream().readNBytes(sent.length);
                }));
            }
            for (var peer : peers) {
                assertThat(Recorder.await(loop, peer)).isEqualTo(sent);
            }
            server.close();
            server.waitClosed().await(Recorder.LIMIT);
        });
    }

    @Test
    void aNameThatTheCertificateIsNotForIsRefused(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var tls = TestTls.client().serverName("other.example");
            var options = ConnectOptions.defaults().tls(tls);
            assertThatThrownBy(() -> loop.net()
                            .createConnection(() -> recorder, "localhost", peer.port(), options)
                            .await(Recorder.LIMIT))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("other.example");
        });
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void aRootThatIsNotTrustedIsRefused(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var options = ConnectOptions.defaults().tls(ClientTls.defaults().trust(TestTls.file("stranger.pem")));
            assertThatThrownBy(() -> loop.net()
                            .createConnection(() -> new Recorder(loop), "localhost", peer.port(), options)
                            .await(Recorder.LIMIT))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("certification path");
        });
    }

    @Test
    void aNameNeedNotBeVerified(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> socket.getInputStream().read());
        loop.run(() -> {
            var tls = TestTls.client().serverName("other.example").verifyHostName(false);
            var connected = loop.net()
                    .createConnection(
                            () -> new Recorder(loop),
                            "localhost",
                            peer.port(),
                            ConnectOptions.defaults().tls(tls))
                    .await(Recorder.LIMIT);
            assertThat(connected.transport().tls().serverName()).isEqualTo("other.example");
            connected.transport().close();
            connected.protocol().ended();
        });
    }

    @Test
    void aPeerThatLeavesDuringTheHandshakeTellsNoProtocol(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> socket.getInputStream().read());
        var recorder = new Recorder(loop);
        loop.run(() -> assertThatThrownBy(() -> connect(loop, recorder, peer.port()))
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("handshake"));
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void aSilentPeerRunsIntoTheLimitOfTheHandshake(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            while (socket.getInputStream().read() >= 0) {}
            return null;
        });
        loop.run(() -> {
            var tls = TestTls.client().handshakeTimeout(Duration.ofMillis(50));
            assertThatThrownBy(() -> loop.net()
                            .createConnection(
                                    () -> new Recorder(loop),
                                    "localhost",
                                    peer.port(),
                                    ConnectOptions.defaults().tls(tls))
                            .await(Recorder.LIMIT))
                    .hasMessageContaining("TLS handshake timed out after PT0.05S");
        });
    }

    @Test
    void aCancelledHandshakeAborts(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            while (socket.getInputStream().read() >= 0) {}
            return "aborted";
        });
        loop.run(() -> {
            var future = loop.net().createConnection(() -> new Recorder(loop), "localhost", peer.port(), SECURE);
            Recorder.until(loop, () -> loop.statistics().io().opened() > 0);
            future.cancel();
            assertThat(Recorder.await(loop, peer.result())).isEqualTo("aborted");
        });
    }

    @Test
    void anEndWithoutCloseNotifyIsTruncation(EventLoop loop) throws Exception {
        var peer = Peers.server(socket -> {
            var secured = TlsPeers.server(TestTls.server(), socket);
            secured.getOutputStream().write("part".getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        assertThat(recorder.events).containsExactly("made", "data", "lost");
        assertThat(recorder.cause).isInstanceOf(SSLException.class).hasMessageContaining("close_notify");
    }

    @Test
    void writesBeforeAndWithinCallbacksKeepTheirOrder(EventLoop loop) throws Exception {
        var expected = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            expected.append(Integer.toString(i % 10).repeat(6000));
        }
        var peer = TlsPeers.server(socket -> {
            socket.getOutputStream().write('!');
            return new String(socket.getInputStream().readNBytes(expected.length()), StandardCharsets.UTF_8);
        });
        var recorder = new Recorder(loop) {
            @Override
            public void connectionMade(Transport transport) {
                super.connectionMade(transport);
                for (int i = 0; i < 100; i++) {
                    transport.write(utf8(Integer.toString(i % 10).repeat(6000)));
                }
            }

            @Override
            public void dataReceived(ByteBuffer data) {
                super.dataReceived(data);
                for (int i = 0; i < 100; i++) {
                    made.resultNow().write(utf8(Integer.toString(i % 10).repeat(6000)));
                }
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            assertThat(Recorder.await(loop, peer.result())).isEqualTo(expected.toString());
            recorder.made.resultNow().close();
            recorder.ended();
        });
    }

    @Test
    void nothingIsDeliveredWhilePaused(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            for (int i = 0; i < 100; i++) {
                socket.getOutputStream().write("record".getBytes(StandardCharsets.UTF_8));
            }
            return socket.getInputStream().read();
        });
        var pauses = new ArrayList<Integer>();
        var recorder = new Recorder(loop) {
            private boolean pausing;

            @Override
            public void dataReceived(ByteBuffer data) {
                assertThat(pausing).isFalse();
                super.dataReceived(data);
                pausing = true;
                pauses.add(received.size());
                made.resultNow().pauseReading();
                loop.callLater(Duration.ofMillis(1), () -> {
                    pausing = false;
                    made.resultNow().resumeReading();
                });
                if (received.size() == 600) {
                    made.resultNow().close();
                }
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        assertThat(recorder.received.size()).isEqualTo(600);
        assertThat(recorder.cause).isNull();
    }

    @Test
    void aBufferedProtocolWithASmallBufferCanPauseWithinARecord(EventLoop loop) throws Exception {
        var sent = new byte[100_000];
        new Random(5).nextBytes(sent);
        var peer = TlsPeers.server(socket -> {
            socket.getOutputStream().write(sent);
            return null;
        });
        var got = new ByteArrayOutputStream();
        LoopFuture<Object> done = loop.createFuture();
        loop.run(() -> {
            loop.net()
                    .createConnection(() -> new SmallSteps(loop, got, done), "localhost", peer.port(), SECURE)
                    .await(Recorder.LIMIT);
            done.await(Recorder.LIMIT);
        });
        assertThat(got.toByteArray()).isEqualTo(sent);
    }

    /** Takes 999 bytes at a time, and pauses after each. */
    private static final class SmallSteps implements BufferedProtocol {
        private final EventLoop loop;
        private final ByteArrayOutputStream got;
        private final LoopFuture<Object> done;
        private final ByteBuffer buffer = ByteBuffer.allocate(999);
        private Transport transport;
        private boolean paused;

        SmallSteps(EventLoop loop, ByteArrayOutputStream got, LoopFuture<Object> done) {
            this.loop = loop;
            this.got = got;
            this.done = done;
        }

        @Override
        public void connectionMade(Transport made) {
            transport = made;
        }

        @Override
        public ByteBuffer getBuffer(int sizeHint) {
            return buffer.clear();
        }

        @Override
        public void bufferUpdated(int count) {
            assertThat(paused).isFalse();
            got.write(buffer.array(), 0, count);
            paused = true;
            transport.pauseReading();
            loop.callSoon(() -> {
                paused = false;
                transport.resumeReading();
            });
        }

        @Override
        public boolean eofReceived() {
            assertThat(paused).isFalse();
            return false;
        }

        @Override
        public void connectionLost(Throwable cause) {
            if (cause == null) {
                done.complete("");
            } else {
                done.completeExceptionally(cause);
            }
        }
    }

    /** A peer that sends for ever. */
    private static Peers.Listening<Object> flood() throws Exception {
        return TlsPeers.server(socket -> {
            var data = new byte[16 * 1024];
            try {
                while (true) {
                    socket.getOutputStream().write(data);
                }
            } catch (IOException gone) {
                return "gone";
            }
        });
    }

    @Test
    void closeStopsAtOnceWhatStillComes(EventLoop loop) throws Exception {
        var peer = flood();
        var recorder = new Recorder(loop) {
            @Override
            public void dataReceived(ByteBuffer data) {
                assertThat(made.resultNow().isClosing()).isFalse();
                super.dataReceived(data);
                made.resultNow().close();
            }
        };
        loop.run(() -> {
            connect(loop, recorder, peer.port());
            recorder.ended();
        });
        assertThat(recorder.cause).isNull();
        assertThat(peer.result().get(30, TimeUnit.SECONDS)).isEqualTo("gone");
    }

    @Test
    void abortIsImmediate(EventLoop loop) throws Exception {
        var peer = flood();
        var recorder = new Recorder(loop);
        loop.run(() -> {
            connect(loop, recorder, peer.port()).transport().abort();
            recorder.ended();
        });
        assertThat(recorder.cause).isNull();
    }

    @Test
    void aPeerThatDoesNotCloseRunsIntoTheLimitOfClosing(EventLoop loop) throws Exception {
        var release = new CompletableFuture<Object>();
        var peer = Peers.server(socket -> {
            TlsPeers.server(TestTls.server(), socket).startHandshake();
            return release.get(30, TimeUnit.SECONDS);
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var tls = TestTls.client().shutdownTimeout(Duration.ofMillis(50));
            loop.net()
                    .createConnection(
                            () -> recorder,
                            "localhost",
                            peer.port(),
                            ConnectOptions.defaults().tls(tls))
                    .await(Recorder.LIMIT)
                    .transport()
                    .close();
            recorder.ended();
            release.complete("");
        });
        assertThat(recorder.cause).hasMessageContaining("TLS shutdown timed out after PT0.05S");
    }

    @Test
    void writingAfterTheEndIsDropped(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            socket.startHandshake();
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            recorder.ended();
            transport.write(utf8("nobody"));
            assertThat(transport.writeBufferSize()).isZero();
            assertThat(transport.isClosing()).isTrue();
            transport.close();
            transport.abort();
        });
    }

    @Test
    void eachSideMayEndWritingFirst(EventLoop loop) throws Exception {
        var peer = TlsPeers.server(socket -> {
            var said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            socket.getOutputStream().write(("you said " + said).getBytes(StandardCharsets.UTF_8));
            return null;
        });
        var recorder = new Recorder(loop);
        loop.run(() -> {
            var transport = connect(loop, recorder, peer.port()).transport();
            transport.write(utf8("all"));
            transport.writeEof();
            transport.writeEof();
            assertThatThrownBy(() -> transport.write(utf8("more"))).isInstanceOf(IllegalStateException.class);
            recorder.ended();
        });
        assertThat(recorder.text()).isEqualTo("you said all");
        assertThat(recorder.cause).isNull();
    }

    @Test
    void aServerTellsNobodyOfClientsThatDoNotShakeHands(EventLoop loop) throws Exception {
        var made = new ArrayList<String>();
        loop.run(() -> {
            var options = ServerOptions.defaults().tls(TestTls.server());
            var server = loop.net()
                    .createServer(
                            () -> {
                                made.add("protocol");
                                return new Echo();
                            },
                            "127.0.0.1",
                            0,
                            options)
                    .await();
            for (var said : List.of("", "GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001\u0002\u0000\u0001")) {
                var peer = Peers.client(server.address(), socket -> {
                    socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
                    if (said.startsWith("GET")) {
                        socket.getInputStream().readAllBytes();
                    } else {
                        socket.setSoLinger(true, 0);
                    }
                    return "";
                });
                Recorder.await(loop, peer);
            }
            Recorder.until(loop, () -> server.clientCount() == 0 && server.acceptedCount() == 3);
            server.close();
        });
        assertThat(made).isEmpty();
    }
}
