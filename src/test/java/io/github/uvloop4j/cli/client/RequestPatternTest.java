package io.github.uvloop4j.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestPatternTest {
    @Test
    void messageIsTextWithANewline() {
        var pattern = new RequestPattern(4, 2);
        var view = pattern.view();
        pattern.aim(view, 1, 7);

        assertThat(StandardCharsets.US_ASCII.decode(view).toString()).isEqualTo("xx\nxxx\n");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "5,1", "1000,3", "262144,1", "300001,1"})
    void findsEveryWrongByteOnly(int messageSize, int messagesPerRequest) {
        var pattern = new RequestPattern(messageSize, messagesPerRequest);
        var size = pattern.requestSize();
        var stream = ByteBuffer.allocateDirect(Math.max(3 * size, 600_000));
        for (var i = 0; i < stream.capacity(); i++) {
            stream.put(i, (byte) (i % messageSize == messageSize - 1 ? '\n' : 'x'));
        }
        for (var start : new int[] {0, 1, size - 1, size / 2}) {
            var phase = start % size;
            var length = stream.capacity() - phase;
            var received = MemorySegment.ofBuffer(stream).asSlice(phase);
            assertThat(pattern.mismatch(received, length, phase)).isEqualTo(-1);
            for (var place : new int[] {0, length / 2, length - 1}) {
                var good = stream.get(phase + place);
                stream.put(phase + place, (byte) '?');
                assertThat(pattern.mismatch(received, length, phase)).isEqualTo(place);
                stream.put(phase + place, good);
            }
        }
    }
}
