package io.github.uvloop4j.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.TestTls;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Garbage and mutated records, of which the seed makes the same ones each time: an engine answers each with patience, with
 * one SSLException or as if nothing was wrong, and never with anything else.
 */
@Timeout(120)
class TlsFuzzTest {
    private final Random random = new Random(20_240_229);

    private byte[] garbage(int most) {
        var bytes = new byte[1 + random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The header of a record, a length that may be a lie, and garbage. */
    private byte[] likeARecord() {
        var bytes = garbage(300);
        if (bytes.length > 5) {
            bytes[0] = (byte) (19 + random.nextInt(7));
            bytes[1] = 3;
            bytes[2] = (byte) random.nextInt(5);
            int length = random.nextInt(4) == 0 ? random.nextInt(70_000) : bytes.length - 5;
            bytes[3] = (byte) (length >> 8);
            bytes[4] = (byte) length;
        }
        return bytes;
    }

    /** Changes a few bytes, cuts off, repeats or inserts. */
    private byte[] mutated(byte[] original) {
        var bytes = original.clone();
        switch (random.nextInt(5)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(20));
            default -> {
                for (int i = 0; i <= random.nextInt(4); i++) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return bytes;
    }

    /** The whole first flight of a client, once: the fuzz needs many copies and not many keys. */
    private static byte[] firstFlight() {
        var pair = new TlsPair();
        pair.client.engine().begin();
        return Objects.requireNonNull(pair.client.out.poll());
    }

    @Test
    void whatAServerReadsFirstHurtsNobody() {
        var hello = firstFlight();
        var buffers = new TlsBuffers(64 * 1024);
        var named = TestTls.server().forName("localhost", TestTls.server());
        var plain = TestTls.server();
        int failures = 0;
        for (int i = 0; i < 10_000; i++) {
            // Few of them, as the answer to a hello costs a signature.
            var input = i % 16 == 0 ? mutated(hello) : i % 2 == 0 ? garbage(200) : likeARecord();
            var side = new TlsPair.Side("server");
            side.engine = new TlsEngine(buffers, side, i % 2 == 0 ? named : plain);
            side.engine().begin();
            side.feed(input, random);
            side.engine().release();
            failures += side.failure == null ? 0 : 1;
        }
        assertThat(failures).isBetween(2_000, 10_000);
    }

    @Test
    void namesAreFoundInMutatedHellosOrNot() {
        var hello = firstFlight();
        assertThat(TlsHello.look(ByteBuffer.wrap(hello))).isEqualTo(new TlsHello.Found(true, false, "localhost"));
        int found = 0;
        for (int i = 0; i < 100_000; i++) {
            var input = i % 4 == 0 ? garbage(300) : mutated(hello);
            var name = TlsHello.look(ByteBuffer.wrap(input)).host();
            found += name != null && name.equals("localhost") ? 1 : 0;
        }
        assertThat(found).isBetween(1_000, 99_000);
    }

    @Test
    void whatComesAfterTheHandshakeHurtsOnlyThatConnection() {
        int inputs = 0;
        int failures = 0;
        for (int round = 0; round < 120; round++) {
            var pair = new TlsPair(TestTls.client().protocols(round % 2 == 0 ? "TLSv1.3" : "TLSv1.2"), TestTls.server())
                    .connect();
            int good = random.nextInt(40);
            for (int i = 0; i < good; i++) {
                pair.client.write("message " + i);
                pair.server.feed(Objects.requireNonNull(pair.client.out.poll()), random);
            }
            var before = pair.server.text();
            assertThat(before).endsWith(good == 0 ? "" : "message " + (good - 1));
            for (int i = 0; i < 3; i++) {
                pair.client.write("!");
                var records = Objects.requireNonNull(pair.client.out.poll());
                pair.server.feed(random.nextBoolean() ? mutated(records) : likeARecord(), random);
            }
            // What was only lengthened begins with a good record.
            assertThat(pair.server.text()).isIn(before, before + "!");
            inputs += good + 3;
            failures += pair.server.failure == null ? 0 : 1;
        }
        assertThat(inputs).isGreaterThan(1_000);
        assertThat(failures).isGreaterThan(60);
    }

    @Test
    void mutatedAnswersOfAServerHurtNoClient() {
        var flights = new ArrayList<byte[]>();
        for (var version : List.of("TLSv1.2", "TLSv1.3")) {
            var pair = new TlsPair(TestTls.client().protocols(version), TestTls.server());
            pair.server.engine().begin();
            pair.client.engine().begin();
            pair.server.engine().receive(ByteBuffer.wrap(Objects.requireNonNull(pair.client.out.poll())));
            flights.add(Objects.requireNonNull(pair.server.out.poll()));
        }
        var buffers = new TlsBuffers(64 * 1024);
        var tls = TestTls.client();
        int failures = 0;
        for (int i = 0; i < 600; i++) {
            var side = new TlsPair.Side("client");
            side.engine = new TlsEngine(buffers, side, tls.engine("localhost", 1));
            side.engine().begin();
            side.feed(i % 5 == 0 ? likeARecord() : mutated(flights.get(i % 2)), random);
            side.engine().release();
            failures += side.failure == null ? 0 : 1;
        }
        assertThat(failures).isGreaterThan(200);
    }
}
