package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.uvloop4j.examples.http.HttpParser.Event;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parser makes of bytes, however they are cut. */
class HttpParserTest {
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.sizes(60, 200, 50);

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The requests in a text that is fed in pieces, as "METHOD target body". */
    private static List<String> parse(String text, int piece) throws HttpException {
        var parser = new HttpParser(LIMITS);
        var found = new ArrayList<String>();
        for (int from = 0; from < text.length(); from += piece) {
            parser.feed(bytes(text.substring(from, Math.min(text.length(), from + piece))));
            for (var event = parser.next(); event != Event.MORE; event = parser.next()) {
                if (event == Event.COMPLETE) {
                    found.add(parser.request() + " "
                            + StandardCharsets.ISO_8859_1.decode(
                                    parser.request().body()));
                }
            }
        }
        return found;
    }

    private static List<String> parse(String text) throws HttpException {
        return parse(text, text.length());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 50, 100_000})
    void findsEveryRequestHoweverTheBytesAreCut(int piece) throws HttpException {
        var text = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
                + "POST /b?c=d HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                + "\r\nPUT /c HTTP/1.1\r\nhost:x\r\nTRANSFER-encoding:\tChunked \r\n\r\n"
                + "5;name=\"v\"\r\nhello\r\n00006\r\n world\r\n0\r\nTrailer: t\r\n\r\n"
                + "OPTIONS * HTTP/1.0\r\n\r\n"
                + "DELETE http://x/d HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
        assertThat(parse(text, piece))
                .containsExactly(
                        "GET /a ", "POST /b?c=d hello", "PUT /c hello world", "OPTIONS * ", "DELETE http://x/d ");
    }

    @Test
    void fieldsAreFoundByName() throws HttpException {
        var parser = new HttpParser(LIMITS);
        parser.feed(
                bytes("GET / HTTP/1.1\r\nHost: x\r\nX-One:  a b \r\nx-ONE: second\r\nEmpty:\r\nLatin: \u00e9\r\n\r\n"));
        assertThat(parser.next()).isEqualTo(Event.HEAD);
        assertThat(parser.next()).isEqualTo(Event.COMPLETE);
        var request = parser.request();
        assertThat(request.header("x-one")).isEqualTo("a b");
        assertThat(request.header("empty")).isEmpty();
        assertThat(request.header("latin")).isEqualTo("\u00e9");
        assertThat(request.header("missing")).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"1.1,-,true", "1.1,close,false", "1.1,'x , CLOSE',false", "1.0,-,false", "1.0,Keep-Alive,true"})
    void knowsWhetherTheConnectionGoesOn(String version, String connection, boolean goesOn) throws HttpException {
        var parser = new HttpParser(LIMITS);
        var field = connection == null ? "" : "Connection: " + connection + "\r\n";
        parser.feed(bytes("GET / HTTP/" + version + "\r\nHost: x\r\n" + field + "\r\n"));
        parser.next();
        assertThat(parser.next()).isEqualTo(Event.COMPLETE);
        assertThat(parser.keepsAlive()).isEqualTo(goesOn);
    }

    @Test
    void theClientWaitsForAWordUntilItSends() throws HttpException {
        var head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        var parser = new HttpParser(LIMITS);
        parser.feed(bytes(head));
        assertThat(parser.next()).isEqualTo(Event.HEAD);
        assertThat(parser.expectsContinue()).isTrue();
        parser.feed(bytes("ab" + head + "ab"));
        assertThat(parser.next()).isEqualTo(Event.COMPLETE);
        assertThat(parser.next()).isEqualTo(Event.HEAD);
        assertThat(parser.expectsContinue()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                "GET  / HTTP/1.1",
                "GET / HTTP/1.1 ",
                "GET / http/1.1",
                "GET / HTTP/1.x",
                "GET / HTTP/11",
                " GET / HTTP/1.1",
                "GE(T / HTTP/1.1",
                "GET \t/ HTTP/1.1",
                "GET /a b HTTP/1.1",
                "GET /\u0000 HTTP/1.1",
                "GET /\u00e9 HTTP/1.1",
                "GET /#part HTTP/1.1",
                "GET * HTTP/1.1",
                "GET a HTTP/1.1",
                "GET /a\r HTTP/1.1",
                "\u0016\u0003\u0001"
            })
    void badRequestLinesAreRefused(String line) {
        assertRefused(400, line + "\r\nHost: x\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no colon",
                ": no name",
                "Name : blank before the colon",
                " folded",
                "A: b\r\n folded",
                "A: b\r\n\tfolded",
                "A(: b",
                "A: b\rC: d",
                "A: \u0000",
                "A: \u007f",
                "Host: second",
                "Content-Length: 5\r\nContent-Length: 5",
                "Content-Length: 5, 5",
                "Content-Length: +5",
                "Content-Length: -5",
                "Content-Length: 0x5",
                "Content-Length: 5 5",
                "Content-Length:",
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding:"
            })
    void badFieldsAreRefused(String fields) {
        assertRefused(400, "POST / HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: a/b\r\n", "Host: a@b\r\n", "Host: a b\r\n"})
    void aHostIsNeeded(String host) {
        assertRefused(400, "GET / HTTP/1.1\r\n" + host + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                "x\r\n",
                "0x5\r\n",
                " 5\r\n",
                "5 \r\n",
                "-5\r\n",
                "5\nhello",
                "5;a\u0000\r\n",
                "5\r\nhelloo\r\n",
                "5\r\nhello\n",
                "5\r\nhello0\r\n",
                "0\r\n bad\r\n\r\n",
                "0\r\nA: b\n\r\n"
            })
    void badChunksAreRefused(String chunks) {
        assertRefused(400, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\n"
            })
    void aLineEndsWithBoth(String text) {
        assertRefused(400, text);
    }

    @Test
    void chunksAreOnlyInTheNewerVersion() {
        assertRefused(400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "501, BREW / HTTP/1.1",
        "501, TRACE / HTTP/1.1",
        "501, CONNECT x:80 HTTP/1.1",
        "505, GET / HTTP/2.0",
        "505, GET / HTTP/0.9",
        "505, PRI * HTTP/2.0"
    })
    void whatItDoesNotKnowHasAStatusOfItsOwn(int status, String line) {
        assertRefused(status, line + "\r\nHost: x\r\n\r\n");
    }

    @Test
    void otherCodingsAndExpectationsAreNotImplemented() {
        assertRefused(501, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n");
        assertRefused(417, "POST / HTTP/1.1\r\nHost: x\r\nExpect: the worst\r\n\r\n");
    }

    @Test
    void theRequestLineHasALimit() throws HttpException {
        var fits = "GET /" + "a".repeat(60 - 14) + " HTTP/1.1";
        assertThat(parse(fits + "\r\nHost: x\r\n\r\n", 1)).hasSize(1);
        assertRefused(414, fits.replace("/a", "/aa") + "\r\n");
        assertRefused(414, "GET /" + "a".repeat(100));
    }

    @Test
    void theHeaderHasALimit() throws HttpException {
        var fits = "GET / HTTP/1.1\r\nHost: x\r\nA: " + "a".repeat(200 - 9 - 5 - 2);
        assertThat(parse(fits + "\r\n\r\n", 1)).hasSize(1);
        assertRefused(431, fits + "a\r\n\r\n");
        assertRefused(431, "GET / HTTP/1.1\r\n" + "a".repeat(300));
        assertRefused(
                431, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "A: b\r\n".repeat(50));
    }

    @Test
    void theNumberOfFieldsHasALimit() {
        var parser = new HttpParser(HttpLimits.DEFAULT);
        parser.feed(bytes("GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(101)));
        assertThatThrownBy(parser::next)
                .isInstanceOfSatisfying(
                        HttpException.class, e -> assertThat(e.status()).isEqualTo(431));
    }

    @ParameterizedTest
    @ValueSource(strings = {"51", "4294967296", "18446744073709551617", "99999999999999999999999999"})
    void theBodyHasALimit(String length) {
        assertRefused(413, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"33\r\n", "10000000000000005\r\n", "ffffffffffffffff\r\n", "32\r\n%s\r\n1\r\n"})
    void chunksTogetherHaveTheSameLimit(String chunks) {
        assertRefused(
                413,
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.formatted("a".repeat(50)));
    }

    @Test
    void theSizeOfAChunkHasALimitedLength() {
        var head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertRefused(400, head + "5;" + "a".repeat(300));
        assertRefused(400, head + "0".repeat(300) + "5\r\n");
    }

    /** Refused in the same way however the bytes are cut. */
    private static void assertRefused(int status, String text) {
        for (int piece : new int[] {text.length(), 1, 5}) {
            assertThatThrownBy(() -> parse(text, piece))
                    .isInstanceOfSatisfying(
                            HttpException.class,
                            e -> assertThat(e.status()).as(e.getMessage()).isEqualTo(status));
        }
    }
}
