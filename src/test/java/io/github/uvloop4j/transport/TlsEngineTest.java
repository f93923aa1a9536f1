package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.TestTls;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS without sockets. */
@Timeout(60)
class TlsEngineTest {
    private static TlsPair pair(String version) {
        return new TlsPair(TestTls.client().protocols(version), TestTls.server());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void bytesGoBothWays(String version) {
        var pair = pair(version).connect();
        pair.client.write("hello");
        pair.server.write("welcome");
        pair.carry();
        assertThat(pair.server.text()).isEqualTo("hello");
        assertThat(pair.client.text()).isEqualTo("welcome");
        assertThat(pair.client.engine().sslEngine().getSession().getProtocol()).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void recordsMayComeInPiecesOfAnySize(String version) {
        var random = new Random(1);
        var sent = new byte[200_000];
        random.nextBytes(sent);
        var pair = pair(version).connect();
        pair.client.engine().write(ByteBuffer.wrap(sent));
        var records = new ByteArrayOutputStream();
        pair.client.out.forEach(records::writeBytes);
        for (int at = 0; at < records.size(); ) {
            int count = Math.min(records.size() - at, 1 + random.nextInt(random.nextBoolean() ? 10 : 40_000));
            pair.server.engine().receive(ByteBuffer.wrap(records.toByteArray(), at, count));
            at += count;
        }
        assertThat(pair.server.received.toByteArray()).isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void handshakeMayComeByteByByte(String version) {
        var pair = pair(version);
        pair.server.engine().begin();
        pair.client.engine().begin();
        for (int round = 0; round < 20; round++) {
            trickle(pair.client, pair.server);
            trickle(pair.server, pair.client);
        }
        assertThat(pair.client.established).isTrue();
        assertThat(pair.server.established).isTrue();
    }

    private static void trickle(TlsPair.Side from, TlsPair.Side to) {
        for (var records = from.out.poll(); records != null; records = from.out.poll()) {
            for (byte one : records) {
                to.engine().receive(ByteBuffer.wrap(new byte[] {one}));
            }
        }
    }

    @Test
    void recordsOfOneReadAreDeliveredAtOnce() {
        var pair = new TlsPair().connect();
        pair.client.engine().write(ByteBuffer.wrap(new byte[100_000]));
        int before = pair.server.deliveries;
        pair.carry();
        assertThat(pair.server.received.size()).isEqualTo(100_000);
        assertThat(pair.server.deliveries - before).isEqualTo(1);
    }

    @Test
    void whatIsWrittenDuringTheHandshakeFollowsIt() {
        var pair = new TlsPair();
        pair.client.write("early, ");
        pair.client.write("in order");
        pair.server.engine().begin();
        pair.client.engine().begin();
        pair.client.write("!");
        pair.carry();
        assertThat(pair.server.text()).isEqualTo("early, in order!");
        assertThat(pair.client.engine().unsent()).isZero();
    }

    @Test
    void nothingIsDecryptedBeforeItIsWanted() {
        var pair = new TlsPair();
        pair.server.read = false;
        pair.connect();
        pair.client.write("wait");
        pair.carry();
        assertThat(pair.server.text()).isEmpty();
        pair.server.engine().wanted(true);
        assertThat(pair.server.text()).isEqualTo("wait");
    }

    @Test
    void readingCanStopWithinARead() {
        var pair = new TlsPair().connect();
        pair.client.write("first");
        pair.client.write("second");
        var records = new ByteArrayOutputStream();
        pair.client.out.forEach(records::writeBytes);
        pair.client.out.clear();
        pair.server.onReceived = () -> pair.server.engine().wanted(false);
        pair.server.engine().receive(ByteBuffer.wrap(records.toByteArray()));
        pair.client.write("third");
        pair.server.engine().receive(ByteBuffer.wrap(Objects.requireNonNull(pair.client.out.poll())));
        assertThat(pair.server.text()).isEqualTo("firstsecond");
        pair.server.engine().wanted(true);
        assertThat(pair.server.text()).isEqualTo("firstsecondthird");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void closingTellsThePeerWhichMayGoOnWithTls13(String version) {
        boolean half = version.equals("TLSv1.3");
        var pair = pair(version).connect();
        pair.client.write("last words");
        pair.client.engine().close();
        pair.carry();
        assertThat(pair.server.text()).isEqualTo("last words");
        assertThat(pair.server.peerClosed).isTrue();
        assertThat(pair.server.engine().isOutputClosed()).isEqualTo(!half);
        pair.server.write("trailing data");
        pair.server.engine().close();
        pair.carry();
        assertThat(pair.client.text()).isEqualTo(half ? "trailing data" : "");
        assertThat(pair.client.peerClosed).isTrue();
        assertThat(pair.client.failure).isNull();
        assertThat(pair.server.failure).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void closingMayCrossWhatThePeerSends(String version) {
        var pair = pair(version);
        pair.client.read = false;
        pair.server.read = false;
        pair.connect();
        pair.server.write("on its way");
        pair.server.engine().close();
        pair.client.write("on its way too");
        pair.client.engine().close();
        pair.client.read = true;
        pair.server.read = true;
        pair.carry();
        assertThat(pair.client.text()).isEqualTo("on its way");
        assertThat(pair.server.text()).isEqualTo("on its way too");
        assertThat(pair.client.peerClosed).isTrue();
        assertThat(pair.server.peerClosed).isTrue();
    }

    @Test
    void whatFollowsTheEndIsDropped() {
        var pair = new TlsPair().connect();
        pair.client.engine().close();
        pair.carry();
        pair.server.engine().receive(ByteBuffer.wrap("garbage".getBytes(StandardCharsets.UTF_8)));
        assertThat(pair.server.failure).isNull();
        assertThat(pair.server.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aCorruptRecordIsAnErrorOfThisSideAndAnAlertForTheOther(String version) {
        var pair = pair(version).connect();
        pair.client.write("good");
        pair.carry();
        pair.client.write("bad");
        var records = Objects.requireNonNull(pair.client.out.poll());
        records[records.length - 1] ^= 1;
        pair.server.engine().receive(ByteBuffer.wrap(records));
        assertThat(pair.server.failure).isNotNull();
        assertThat(pair.server.text()).isEqualTo("good");
        pair.carry();
        assertThat(pair.client.failure).hasMessageContaining("bad_record_mac");
    }

    @Test
    void keysAreUpdatedWhenThePeerAsks() throws Exception {
        var pair = new TlsPair().connect();
        for (int i = 0; i < 3; i++) {
            // In the middle of a TLS 1.3 connection the JDK takes this as a wish for new keys.
            pair.client.engine().sslEngine().beginHandshake();
            pair.client.write("a" + i);
            pair.server.write("b" + i);
            pair.carry();
        }
        assertThat(pair.server.text()).isEqualTo("a0a1a2");
        assertThat(pair.client.text()).isEqualTo("b0b1b2");
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        var pair = pair("TLSv1.2").connect();
        var raw = pair.client.engine().sslEngine();
        raw.beginHandshake();
        var hello = ByteBuffer.allocate(40_000);
        raw.wrap(ByteBuffer.allocate(0), hello);
        pair.server.engine().receive(hello.flip());
        assertThat(pair.server.failure).hasMessageContaining("renegotiation").hasMessageContaining("refused");
    }

    @Test
    void plainTextIsNoHandshake() {
        var pair = new TlsPair();
        pair.server.engine().begin();
        pair.server.engine().receive(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(pair.server.failure).hasMessageContaining("SSL");
    }

    @Test
    void nothingIsHeldWhileNothingWaits() {
        var pair = new TlsPair().connect();
        for (int i = 0; i < 100; i++) {
            pair.client.engine().write(ByteBuffer.wrap(new byte[30_000]));
            pair.carry();
        }
        assertThat(pair.server.received.size()).isEqualTo(3_000_000);
        assertThat(pair.server.engine().hasRecord()).isFalse();
    }
}
