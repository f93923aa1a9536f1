package io.github.uvloop4j.examples.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parser makes of bytes, however they are cut. */
class RespParserTest {
    private static List<String> parse(String text, int piece) throws RedisException {
        var parser = new RespParser();
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        var found = new ArrayList<String>();
        for (int from = 0; from < bytes.length; from += piece) {
            parser.feed(ByteBuffer.wrap(bytes, from, Math.min(piece, bytes.length - from)));
            for (var reply = parser.next(); reply != null; reply = parser.next()) {
                found.add(show(reply));
            }
        }
        return found;
    }

    static String show(Reply reply) {
        return switch (reply) {
            case Reply.Text text -> text.value();
            case Reply.Blob blob -> "'" + blob.text() + "'";
            case Reply.Whole whole -> "" + whole.value();
            case Reply.Real real -> "" + real.value();
            case Reply.Flag flag -> "" + flag.value();
            case Reply.Nil nil -> "nil";
            case Reply.Failure failure -> "!" + failure.message();
            case Reply.Items items -> show(items.values());
            case Reply.Push push -> ">" + show(push.values());
        };
    }

    private static String show(List<Reply> values) {
        return values.stream().map(RespParserTest::show).collect(Collectors.joining(" ", "[", "]"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10_000})
    void findsEveryReplyHoweverTheBytesAreCut(int piece) throws RedisException {
        var text = "+OK\r\n-ERR no\r\n:-42\r\n$5\r\nh\u00e9l\n\r\n$-1\r\n*-1\r\n$0\r\n\r\n"
                + "*3\r\n:1\r\n*2\r\n+a\r\n*0\r\n$1\r\nb\r\n"
                + "%2\r\n+k\r\n:1\r\n$1\r\nl\r\n_\r\n~1\r\n#t\r\n,1.5\r\n,-inf\r\n#f\r\n(12345678901234567890\r\n"
                + "=7\r\ntxt:abc\r\n!7\r\nERR bad\r\n>2\r\n+message\r\n*1\r\n:3\r\n";
        assertThat(parse(text, piece))
                .containsExactly(
                        "OK",
                        "!ERR no",
                        "-42",
                        "'h\u00e9l\n'",
                        "nil",
                        "nil",
                        "''",
                        "[1 [a []] 'b']",
                        "[k 1 'l' nil]",
                        "[true]",
                        "1.5",
                        "-Infinity",
                        "false",
                        "12345678901234567890",
                        "abc",
                        "!ERR bad",
                        ">[message [3]]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "\n",
                "+OK\n",
                "hello\r\n",
                ":x\r\n",
                ":\r\n",
                ",x\r\n",
                "#x\r\n",
                "$x\r\n",
                "$-2\r\n",
                "$99999999999\r\n",
                "*-5\r\n",
                "*99999999\r\n",
                "$3\r\nabcd\r\n",
                "$3\r\nabc\n\n",
                "|1\r\n"
            })
    void garbageIsRefused(String text) {
        assertThatThrownBy(() -> parse(text, 1)).isInstanceOf(RedisException.class);
        assertThatThrownBy(() -> parse(text, text.length())).isInstanceOf(RedisException.class);
    }

    @Test
    void linesAndDepthHaveLimits() {
        assertThatThrownBy(() -> parse("+" + "a".repeat(100_000), 1000)).hasMessageContaining("a line of more than");
        assertThatThrownBy(() -> parse("*1\r\n".repeat(65), 1000)).hasMessageContaining("lists in more than");
    }

    @Test
    void aListThatIsOnlyAnnouncedTakesNoMemory() throws RedisException {
        assertThat(parse("*16777216\r\n".repeat(60), 1000)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"+word,word", ":7,7", "',2.5',2.5"})
    void scalarsHaveAText(String line, String text) throws RedisException {
        var parser = new RespParser();
        parser.feed(ByteBuffer.wrap((line + "\r\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(parser.next().text()).isEqualTo(text);
    }
}
