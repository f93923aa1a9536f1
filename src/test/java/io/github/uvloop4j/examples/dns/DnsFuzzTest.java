package io.github.uvloop4j.examples.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.examples.dns.NameServer.Answer;
import io.github.uvloop4j.testing.Fuzz;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Garbage from a name server. */
@Timeout(120)
@Tag("fuzz")
class DnsFuzzTest {
    @Test
    void garbageIsAMessageOrOneClearError() throws Exception {
        var buffer = DnsMessage.question(7, "some.test", DnsMessage.A);
        var question = Arrays.copyOf(buffer.array(), buffer.limit());
        var valid = List.of(
                question,
                new Answer(question).address("192.0.2.1").address("192.0.2.2").bytes(),
                new Answer(question)
                        .alias("real.test")
                        .address("real.test", "2001:db8::1")
                        .bytes(),
                new Answer(question).code(3).truncated().bytes());
        var words = List.of(
                new byte[] {(byte) 0xc0, 12},
                new byte[] {(byte) 0xc0, 0},
                new byte[] {(byte) 0xff, (byte) 0xff},
                new byte[] {63},
                new byte[] {0},
                new byte[] {0, 5, 0, 1});
        Fuzz.run(30_000, random -> {
            var input = Fuzz.mutate(random, valid, words);
            try {
                var message = DnsMessage.parse(ByteBuffer.wrap(input));
                assertThat(message.addresses().size()).isLessThanOrEqualTo(input.length / 10);
                assertThat(message.name().length()).isLessThanOrEqualTo(253);
            } catch (DnsException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        });
    }
}
