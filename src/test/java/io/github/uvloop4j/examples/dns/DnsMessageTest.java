package io.github.uvloop4j.examples.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.examples.dns.NameServer.Answer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that are, or are not, messages. */
@Timeout(60)
class DnsMessageTest {
    private static byte[] question() throws Exception {
        var buffer = DnsMessage.question(7, "some.Test", DnsMessage.A);
        return Arrays.copyOf(buffer.array(), buffer.limit());
    }

    @Test
    void aQuestionComesBackWithItsAnswer() throws Exception {
        var bytes = new Answer(question()).address("192.0.2.1").bytes();
        var message = DnsMessage.parse(ByteBuffer.wrap(bytes));
        assertThat(message.answers(7, "some.test", DnsMessage.A)).isTrue();
        assertThat(message.answers(8, "some.test", DnsMessage.A)).isFalse();
        assertThat(message.addresses()).singleElement().hasToString("some.test/192.0.2.1");
        assertThat(DnsMessage.parse(ByteBuffer.wrap(question())).isResponse()).isFalse();
    }

    @Test
    void noBeginningOfAMessageIsOne() throws Exception {
        var bytes = new Answer(question())
                .alias("real.test")
                .address("real.test", "192.0.2.1")
                .bytes();
        for (int length = 0; length < bytes.length; length++) {
            var beginning = ByteBuffer.wrap(bytes, 0, length);
            assertThatThrownBy(() -> DnsMessage.parse(beginning)).isInstanceOf(DnsException.class);
        }
    }

    @Test
    void namesThatNeverEndAreRefused() throws Exception {
        int name = question().length;
        var bytes = new Answer(question()).address("ab.test", "192.0.2.1").bytes();
        for (int target : new int[] {name, name + 3, name + 20, 0x3fff}) {
            var bad = bytes.clone();
            // Behind the label "ab".
            bad[name + 3] = (byte) (0xc0 | target >> 8);
            bad[name + 4] = (byte) target;
            assertThatThrownBy(() -> DnsMessage.parse(ByteBuffer.wrap(bad))).isInstanceOf(DnsException.class);
        }
    }

    @Test
    void aliasesThatGoInACircleLeadNowhere() throws Exception {
        var bytes = new Answer(question()).alias("some.test").bytes();
        assertThat(DnsMessage.parse(ByteBuffer.wrap(bytes)).addresses()).isEmpty();
    }
}
