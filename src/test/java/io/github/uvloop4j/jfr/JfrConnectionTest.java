package io.github.uvloop4j.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.LoopOptions;
import io.github.uvloop4j.net.ConnectOptions;
import io.github.uvloop4j.net.ServerOptions;
import io.github.uvloop4j.testing.Peers;
import io.github.uvloop4j.testing.TestTls;
import io.github.uvloop4j.tls.ClientTls;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JfrConnectionTest {
    private static EventLoop named(String name) {
        return EventLoop.create(LoopOptions.defaults().name(name));
    }

    private static RecordedEvent only(List<RecordedEvent> events, boolean accepted) {
        var found = events.stream()
                .filter(event -> event.getBoolean("accepted") == accepted)
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    @Tag("cells")
    void bothEndsOfAConnectionAreRecordedWithWhatWentThroughThem() throws Exception {
        var loop = named("connected");
        int[] port = new int[1];
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    port[0] = listener.port();
                    try (var here = loop.net().openConnection("127.0.0.1", port[0]);
                            var there = listener.accept()) {
                        here.write("question\n");
                        there.readLine();
                        there.write("an answer\n");
                        here.readLine();
                    }
                }
            });
            loop.close();
            recorded.stop();
            var connections = recorded.events(loop, "Connection");
            var client = only(connections, false);
            var server = only(connections, true);
            assertThat(client.getString("kind")).isEqualTo("tcp");
            assertThat(client.getString("peer")).isEqualTo("/127.0.0.1:" + port[0]);
            assertThat(client.getString("local")).startsWith("/127.0.0.1:");
            assertThat(client.getLong("bytesSent")).isEqualTo(9);
            assertThat(client.getLong("bytesReceived")).isEqualTo(10);
            assertThat(client.getString("cause")).isNull();
            assertThat(client.getDuration()).isPositive();
            assertThat(server.getString("peer")).isEqualTo(client.getString("local"));
            assertThat(server.getString("local")).isEqualTo(client.getString("peer"));
            assertThat(server.getLong("bytesReceived")).isEqualTo(9);
            assertThat(server.getLong("bytesSent")).isEqualTo(10);
            assertThat(server.getLong("connectionId")).isPositive().isNotEqualTo(client.getLong("connectionId"));
            assertThat(server.getLong("loopId")).isPositive().isEqualTo(client.getLong("loopId"));
            assertThat(connections).allMatch(event -> event.getStackTrace() == null);
            assertThat(recorded.events(loop, "Accept")).singleElement().satisfies(accept -> {
                assertThat(accept.getString("kind")).isEqualTo("tcp");
                assertThat(accept.getString("peer")).isEqualTo(server.getString("peer"));
                assertThat(accept.getString("local")).isEqualTo(server.getString("local"));
                assertThat(accept.getLong("loopId")).isEqualTo(server.getLong("loopId"));
                assertThat(accept.getDuration()).isZero();
            });
        }
    }

    @Test
    void aConnectionSaysWhyItEnded() throws Exception {
        var loop = named("reset");
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                try (var listener = loop.net().listen("127.0.0.1", 0)) {
                    var peer = Peers.client(listener.address(), socket -> {
                        socket.setSoLinger(true, 0);
                        return true;
                    });
                    try (var connection = listener.accept()) {
                        assertThatThrownBy(connection::readLine).isInstanceOf(IOException.class);
                    }
                    peer.join();
                }
            });
            recorded.stop();
            var connection = only(recorded.events(loop, "Connection"), true);
            assertThat(connection.getString("cause")).startsWith("java.").contains("reset");
        }
    }

    @Test
    void aLookUpIsRecordedWithItsFailure() throws Exception {
        var loop = named("resolver");
        try (var recorded = Recorded.with("uvloop4j.Lookup#threshold=0 ns");
                loop) {
            loop.run(() -> assertThatThrownBy(() -> loop.net().openConnection("no-such-host.invalid", 1))
                    .isInstanceOf(UnknownHostException.class));
            recorded.stop();
            assertThat(recorded.events(loop, "Lookup")).singleElement().satisfies(lookup -> {
                assertThat(lookup.getString("host")).isEqualTo("no-such-host.invalid");
                assertThat(lookup.getString("failure")).contains("UnknownHostException");
                assertThat(lookup.getLong("loopId")).isPositive();
                assertThat(lookup.getDuration()).isPositive();
            });
            assertThat(Recorded.pending()).isZero();
        }
    }

    @Test
    void aQuickLookUpIsNotRecordedUnlessItsThresholdIsLowered() throws Exception {
        var loop = named("quick");
        try (var recorded = Recorded.with("uvloop4j.Lookup#threshold=1 h");
                loop) {
            loop.run(() -> assertThatThrownBy(() -> loop.net().openConnection("no-such-host.invalid", 1))
                    .isInstanceOf(UnknownHostException.class));
            recorded.stop();
            assertThat(recorded.events(loop, "Lookup")).isEmpty();
            assertThat(Recorded.pending()).isZero();
        }
        assertThat(LookupEvent.class.getAnnotation(jdk.jfr.Threshold.class).value())
                .isEqualTo("20 ms");
        assertThat(LeastTime.nanos("20 ms")).isEqualTo(Duration.ofMillis(20).toNanos());
    }

    @Test
    void aHandshakeIsRecordedOnBothSidesWithWhatItAgreedOn() throws Exception {
        var loop = named("secured");
        try (var recorded = Recorded.with();
                loop) {
            loop.run(() -> {
                var options = ServerOptions.defaults().tls(TestTls.server());
                var server = loop.net()
                        .startServer(connection -> connection.write("hello"), "127.0.0.1", 0, options)
                        .await();
                var secure = ConnectOptions.defaults().tls(TestTls.client());
                try (var client = loop.net().openConnection("localhost", server.port(), secure)) {
                    client.readAll();
                }
                assertThatThrownBy(() -> loop.net()
                                .openConnection(
                                        "localhost",
                                        server.port(),
                                        ConnectOptions.defaults().tls(ClientTls.defaults())))
                        .isInstanceOf(SSLException.class);
                server.close();
                server.waitClosed().await();
            });
            recorded.stop();
            var handshakes = recorded.events(loop, "TlsHandshake");
            assertThat(handshakes).hasSize(4);
            assertThat(handshakes)
                    .filteredOn(event -> event.getString("failure") == null)
                    .hasSize(2)
                    .allMatch(event -> event.getString("protocol").equals("TLSv1.3"))
                    .allMatch(event -> event.getString("cipher").startsWith("TLS_"))
                    .anyMatch(event -> event.getBoolean("server"))
                    .anyMatch(event -> !event.getBoolean("server"));
            assertThat(handshakes)
                    .filteredOn(event -> event.getString("failure") != null)
                    .hasSize(2)
                    .allMatch(event -> event.getString("protocol") == null)
                    .allMatch(event -> event.getString("failure").contains("SSL"));
            assertThat(Recorded.pending()).isZero();
        }
    }
}
