package io.github.uvloop4j.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.testing.Fuzz;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Garbage from a server. */
@Timeout(120)
@Tag("fuzz")
class RespFuzzTest {
    private static final List<byte[]> VALID = bytes(
            "+OK\r\n",
            "-ERR no\r\n",
            "$5\r\nhello\r\n:12\r\n",
            "*3\r\n:1\r\n$2\r\nab\r\n*1\r\n+x\r\n",
            "%1\r\n+k\r\n,1.5\r\n#t\r\n_\r\n",
            ">2\r\n+message\r\n=7\r\ntxt:abc\r\n!3\r\nERR\r\n");
    private static final List<byte[]> WORDS = bytes(
            "\r\n", "\r", "\n", "$", "*", "%", "-1", "0", "7", "99999999999999999999", "*1\r\n".repeat(40), "\u00ff");

    private static List<byte[]> bytes(String... texts) {
        return Stream.of(texts)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    @Test
    void theParserFindsTheSameHoweverGarbageIsCut() {
        Fuzz.run(30_000, random -> {
            var input = Fuzz.mutate(random, VALID, WORDS);
            var whole = parse(input, () -> input.length);
            assertThat(parse(input, () -> 1 + random.nextInt(10))).isEqualTo(whole);
        });
    }

    private static List<String> parse(byte[] input, IntSupplier piece) {
        var parser = new RespParser();
        var found = new ArrayList<String>();
        int from = 0;
        try {
            while (from < input.length) {
                int count = Math.min(input.length - from, piece.getAsInt());
                parser.feed(ByteBuffer.wrap(input, from, count));
                from += count;
                for (var reply = parser.next(); reply != null; reply = parser.next()) {
                    found.add(RespParserTest.show(reply));
                }
            }
        } catch (RedisException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            found.add("refused: " + refused.getMessage());
        }
        return found;
    }
}
