package io.github.uvloop4j.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.testing.LoopExtension;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.tls.ClientTls;
import io.github.uvloop4j.tls.ServerTls;
import java.io.IOException;
import java.util.Random;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS of another provider than the JDK's, on either side or both. */
@Timeout(60)
@ExtendWith(LoopExtension.class)
class TlsProviderTest {
    private static ClientTls client;
    private static ClientTls client12;
    private static ClientTls client13;
    private static ServerTls server;

    /** Before any test: its contexts hold descriptors of their own, until they are collected. */
    @BeforeAll
    static void conscrypt() {
        try {
            var provider = Conscrypt.newProvider();
            client = TestTls.client().provider(provider);
            client12 = client.protocols("TLSv1.2");
            client13 = client.protocols("TLSv1.3");
            server = TestTls.server().provider(provider);
        } catch (UnsatisfiedLinkError notHere) {
            Assumptions.abort("Conscrypt does not load here: " + notHere.getMessage());
        }
    }

    private static byte[] echoed(EventLoop loop, ClientTls clientTls, ServerTls serverTls, byte[] sent)
            throws Exception {
        var server = loop.net()
                .startServer(
                        connection -> connection.transferTo(connection),
                        "localhost",
                        0,
                        ServerOptions.defaults().tls(serverTls))
                .await();
        try (var connection = loop.net()
                .openConnection(
                        "localhost", server.port(), ConnectOptions.defaults().tls(clientTls))) {
            var writing = loop.spawn(() -> {
                connection.write(sent);
                return null;
            });
            var back = connection.readExactly(sent.length);
            writing.await();
            return back;
        } finally {
            server.close();
            server.closeClients();
            server.waitClosed().await(Recorder.LIMIT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, TLSv1.3",
        "true, false, TLSv1.3",
        "false, true, TLSv1.3",
        "true, true, TLSv1.2",
        "true, false, TLSv1.2",
        "false, true, TLSv1.2"
    })
    void eitherSideMayUseIt(boolean asClient, boolean asServer, String version, EventLoop loop) throws Exception {
        var sent = new byte[500_000];
        new Random(11).nextBytes(sent);
        loop.run(() -> {
            var theirs = version.equals("TLSv1.2") ? client12 : client13;
            var clientTls = asClient ? theirs : TestTls.client().protocols(version);
            var serverTls = asServer ? server : TestTls.server();
            assertThat(echoed(loop, clientTls, serverTls, sent)).isEqualTo(sent);
        });
    }

    @Test
    void itRefusesOtherHostsToo(EventLoop loop) throws Exception {
        loop.run(() -> assertThatThrownBy(
                        () -> echoed(loop, client.serverName("other.example"), TestTls.server(), new byte[1]))
                .isInstanceOf(IOException.class));
    }
}
