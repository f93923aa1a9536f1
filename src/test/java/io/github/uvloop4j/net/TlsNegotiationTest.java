package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.testing.Until;
import io.github.uvloop4j.tls.ClientAuth;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What both sides agree on, with this library on both. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsNegotiationTest {
    /** What a client and a server learned of one connection. */
    private record Agreed(TlsInfo client, TlsInfo server) {}

    @SuppressWarnings("try") // closed before waited for
    private static Agreed agree(EventLoop loop, ClientTls clientTls, ServerTls serverTls) throws Exception {
        var seen = new ArrayList<TlsInfo>();
        var options = ServerOptions.defaults().tls(serverTls);
        try (var server = loop.net()
                .startServer(
                        connection -> {
                            seen.add(connection.tls());
                            connection.write("!");
                        },
                        "localhost",
                        0,
                        options)
                .await()) {
            try (var client = loop.net()
                    .openConnection(
                            "localhost",
                            server.port(),
                            ConnectOptions.defaults().tls(clientTls))) {
                assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(1);
                client.readAll();
                return new Agreed(client.tls(), seen.getFirst());
            } finally {
                server.close();
                server.waitClosed().await(Recorder.LIMIT);
            }
        }
    }

    @Test
    void theServerChoosesTheApplicationProtocol(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = TestTls.server().applicationProtocols("h2", "http/1.1");
            var both = agree(loop, TestTls.client().applicationProtocols("http/1.1", "h2"), server);
            assertThat(both.client().applicationProtocol()).isEqualTo("h2");
            assertThat(both.server().applicationProtocol()).isEqualTo("h2");
            var none = agree(loop, TestTls.client(), server);
            assertThat(none.client().applicationProtocol()).isNull();
            assertThat(none.server().applicationProtocol()).isNull();
            assertThatThrownBy(() -> agree(loop, TestTls.client().applicationProtocols("smtp"), server))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("application_protocol");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, CN=localhost",
        "other.example, CN=other.example",
        "a.wild.example, CN=other.example",
        "OTHER.example, CN=other.example"
    })
    void theNameOfTheClientChoosesTheCertificate(String name, String subject, EventLoop loop) throws Exception {
        loop.run(() -> {
            var other = TestTls.server("other");
            var server = TestTls.server().forName("other.example", other).forName("*.wild.example", other);
            var agreed = agree(loop, TestTls.client().serverName(name), server);
            assertThat(agreed.client()
                            .peerCertificate()
                            .getSubjectX500Principal()
                            .getName())
                    .isEqualTo(subject);
            assertThat(agreed.server().serverName()).isEqualToIgnoringCase(name);
            assertThat(agreed.server().localCertificates())
                    .isEqualTo(agreed.client().peerCertificates());
        });
    }

    @Test
    void aChoiceThatFailsFailsTheHandshake(EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = TestTls.server().forNames(name -> {
                throw new IllegalStateException("no idea");
            });
            assertThatThrownBy(() -> agree(loop, TestTls.client(), server)).isInstanceOf(IOException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientsShowTheirCertificates(String version, EventLoop loop) throws Exception {
        loop.run(() -> {
            var server = TestTls.server().clientAuth(ClientAuth.REQUIRED).trust(TestTls.file("root.pem"));
            var client = TestTls.client()
                    .protocols(version)
                    .identity(TestTls.file("client.pem"), TestTls.file("client.key"));
            var agreed = agree(loop, client, server);
            assertThat(agreed.server()
                            .peerCertificate()
                            .getSubjectX500Principal()
                            .getName())
                    .isEqualTo("CN=test client");
            assertThatThrownBy(() -> agree(loop, TestTls.client().protocols(version), server))
                    .isInstanceOf(IOException.class);
            var wanting = server.clientAuth(ClientAuth.WANTED);
            assertThat(agree(loop, TestTls.client().protocols(version), wanting)
                            .server()
                            .peerCertificates())
                    .isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumed(String version, EventLoop loop) throws Exception {
        loop.run(() -> {
            var client = TestTls.client().protocols(version);
            var server = TestTls.server();
            var options = ServerOptions.defaults().tls(server);
            var listening = loop.net()
                    .startServer(connection -> connection.write("!"), "localhost", 0, options)
                    .await();
            var resumed = new ArrayList<Boolean>();
            for (int i = 0; i < 3; i++) {
                try (var connection = loop.net()
                        .openConnection(
                                "localhost",
                                listening.port(),
                                ConnectOptions.defaults().tls(client.serverName("localhost")))) {
                    connection.readAll();
                    resumed.add(connection.tls().resumed());
                }
                long now = System.currentTimeMillis();
                // A session's age is told in milliseconds.
                Until.holds("the clock has gone on", () -> System.currentTimeMillis() > now);
            }
            assertThat(resumed).containsExactly(false, true, true);
            listening.close();
            listening.waitClosed().await(Recorder.LIMIT);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "rsa", "ed"})
    void keysOfAnyKindServe(String name, EventLoop loop) throws Exception {
        loop.run(() -> {
            var agreed = agree(loop, TestTls.client(), TestTls.server(name));
            assertThat(agreed.client().protocol()).isEqualTo("TLSv1.3");
        });
    }

    @Test
    void ciphersAndVersionsCanBeChosen(EventLoop loop) throws Exception {
        loop.run(() -> {
            var client =
                    TestTls.client().ciphers("TLS_CHACHA20_POLY1305_SHA256").protocols("TLSv1.3");
            assertThat(agree(loop, client, TestTls.server()).client().cipher())
                    .isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
            var server = TestTls.server().protocols("TLSv1.2");
            assertThat(agree(loop, TestTls.client(), server).client().protocol())
                    .isEqualTo("TLSv1.2");
            assertThatThrownBy(() -> agree(loop, TestTls.client().protocols("TLSv1.3"), server))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("protocol_version");
        });
    }

    @Test
    void longStepsRunOnTheExecutor(EventLoop loop) throws Exception {
        var threads = new ArrayList<Thread>();
        try (var executor = Executors.newSingleThreadExecutor()) {
            loop.run(() -> {
                var tls = TestTls.server()
                        .executor(work -> executor.execute(() -> {
                            threads.add(Thread.currentThread());
                            work.run();
                        }));
                agree(loop, TestTls.client(), tls);
                assertThat(threads).isNotEmpty();
            });
        }
    }

    @Test
    void anExecutorThatRefusesFailsTheHandshake(EventLoop loop) throws Exception {
        loop.run(() -> {
            var tls = TestTls.client().executor(work -> {
                throw new RejectedExecutionException("too busy");
            });
            assertThatThrownBy(() -> agree(loop, tls, TestTls.server())).hasMessageContaining("too busy");
        });
    }
}
