package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.uvloop4j.examples.http.HttpParser.Event;
import io.github.uvloop4j.testing.Fuzz;
import io.github.uvloop4j.testing.Until;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Garbage: one clear error each, and nobody else is harmed. */
@Timeout(120)
@Tag("fuzz")
class HttpFuzzTest {
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.sizes(100, 200, 100);
    private static final Set<Integer> ERRORS = Set.of(400, 413, 414, 417, 431, 501, 505);

    @Test
    void theParserFindsTheSameHoweverGarbageIsCut() {
        Fuzz.run(60_000, random -> {
            var input = HttpInputs.next(random);
            var whole = parse(input, () -> input.length);
            assertThat(parse(input, () -> 1 + random.nextInt(20))).isEqualTo(whole);
        });
    }

    /** What is found: requests, then how it ends. */
    private static List<String> parse(byte[] input, IntSupplier piece) {
        var parser = new HttpParser(LIMITS);
        var found = new ArrayList<String>();
        int from = 0;
        try {
            while (from < input.length) {
                int count = Math.min(input.length - from, piece.getAsInt());
                parser.feed(ByteBuffer.wrap(input, from, count));
                from += count;
                for (var event = parser.next(); event != Event.MORE; event = parser.next()) {
                    if (event == Event.COMPLETE) {
                        found.add(check(parser));
                    }
                }
            }
            assertThat(parser.unread()).isLessThan(1000);
            found.add(parser.isInRequest() ? "more is needed" : "all is read");
        } catch (HttpException refused) {
            assertThat(refused.status()).isIn(ERRORS);
            assertThat(refused.getMessage()).isNotBlank();
            found.add("" + refused.status());
        }
        return found;
    }

    private static String check(HttpParser parser) {
        var request = parser.request();
        var body = StandardCharsets.ISO_8859_1.decode(request.body()).toString();
        assertThat(request.target()).matches("[!-~]{1,100}");
        assertThat(body.length()).isLessThanOrEqualTo(100);
        for (var name : List.of("host", "a", "x-a", "user-agent")) {
            var value = request.header(name);
            assertThat(value == null || value.matches("[\t -~\u0080-\u00ff]*")).isTrue();
        }
        return request + " " + request.path() + " " + body + " " + parser.keepsAlive();
    }

    @Test
    void aLiveServerAnswersGarbageWithOneErrorAndServesTheOthers() throws Exception {
        try (var site = new Site(WebServer.site(), LIMITS);
                var other = site.client();
                var another = site.client()) {
            Fuzz.run(3_000, random -> {
                attack(site, random);
                if (random.nextInt(20) == 0) {
                    assertThat(other.get("/hello").read().status()).isEqualTo(200);
                    assertThat(another.get("/wait?ms=0").read().status()).isEqualTo(200);
                }
            });
            Until.holds("only the others are left", () -> site.http().server().clientCount() == 2);
        }
    }

    private static void attack(Site site, Random random) throws Exception {
        var input = new String(HttpInputs.next(random), StandardCharsets.ISO_8859_1);
        try (var client = site.client()) {
            int cut = random.nextInt(input.length() + 1);
            client.send(input.substring(0, cut)).send(input.substring(cut));
            client.socket().shutdownOutput();
            boolean closed = false;
            for (var answer = answer(client); answer != null; answer = answer(client)) {
                assertThat(closed).as("an answer after the last one").isFalse();
                assertThat(answer.status()).isBetween(100, 505);
                boolean theParsers = ERRORS.contains(answer.status()) && answer.status() != 400;
                closed = "close".equals(answer.fields().get("connection"));
                assertThat(closed || !theParsers).isTrue();
            }
        }
    }

    /** The next answer; null at the end. */
    private static RawClient.Answer answer(RawClient client) throws Exception {
        return client.atEnd() ? null : client.read();
    }
}
