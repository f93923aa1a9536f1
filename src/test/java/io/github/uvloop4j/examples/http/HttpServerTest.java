package io.github.uvloop4j.examples.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients get for good requests, and for bad ones. */
@Timeout(60)
class HttpServerTest {
    private Site site;

    @BeforeEach
    void open() throws Exception {
        var routes = WebServer.site().get("/fail", request -> {
            throw new IllegalStateException("on purpose");
        });
        routes.get(
                "/break",
                request -> Response.stream("text/plain", output -> {
                    output.write("a beginning");
                    throw new IllegalStateException("on purpose");
                }));
        routes.get("/nothing", request -> null);
        routes.get("/nothing-later", Handler.inTask(request -> null));
        site = new Site(routes, HttpLimits.DEFAULT.sizes(1000, 2000, 100_000));
    }

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    @Tag("cells")
    void aConnectionServesAgain() throws IOException {
        try (var client = site.client()) {
            for (int i = 0; i < 3; i++) {
                var answer = client.get("/hello").read();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo("Hello, world\n");
                assertThat(answer.fields()).containsKey("date").doesNotContainKey("connection");
            }
        }
    }

    @Test
    @Tag("cells")
    void answersComeInTheOrderOfTheRequests() throws IOException {
        try (var client = site.client()) {
            var requests = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                requests.append("GET /wait?ms=").append(i % 2).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
                requests.append("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
                requests.append("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
                        .append(10 + i);
                requests.append("GET /count?to=3 HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            client.send(requests.toString());
            for (int i = 0; i < 50; i++) {
                assertThat(client.read().body()).isEqualTo("after " + i % 2 + " ms\n");
                assertThat(client.read().body()).isEqualTo("Hello, world\n");
                assertThat(client.read().body()).isEqualTo("" + (10 + i));
                assertThat(client.read().body()).isEqualTo("1\n2\n3\n");
            }
        }
    }

    @Test
    void manyAnswersLeaveTogetherAndInOrder() throws IOException {
        try (var client = site.client()) {
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000));
            client.send("GET /count?to=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            for (int i = 0; i < 1000; i++) {
                assertThat(client.read().body()).isEqualTo("Hello, world\n");
            }
            assertThat(client.read().body()).isEqualTo("1\n");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"/hello,13", "/wait?ms=0,11", "/count,-1"})
    void headIsGetWithoutTheBody(String target, int length) throws IOException {
        try (var client = site.client()) {
            client.send("HEAD " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
            var answer = client.read(false);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.fields().getOrDefault("content-length", "-1")).isEqualTo("" + length);
            assertThat(client.get("/hello").read().body()).isEqualTo("Hello, world\n");
        }
    }

    @Test
    void chunksGoBothWays() throws IOException {
        try (var client = site.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("3\r\nabc\r\n").send("2;x=y\r\nde\r\n0\r\nTrailer: x\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("abcde");
            var answer = client.get("/count?to=100").read();
            assertThat(answer.fields()).containsEntry("transfer-encoding", "chunked");
            assertThat(answer.body()).startsWith("1\n2\n").endsWith("99\n100\n");
        }
    }

    @Test
    void whoAsksBeforeSendingIsAnswered() throws IOException {
        try (var client = site.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            assertThat(client.send("hello").read().body()).isEqualTo("hello");
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    @Test
    void theOlderVersionIsServedInItsOwnWay() throws IOException {
        try (var client = site.client()) {
            client.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            var answer = client.read();
            assertThat(answer.fields()).containsEntry("connection", "keep-alive");
            client.send("GET /count?to=3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            answer = client.read();
            assertThat(answer.fields())
                    .containsEntry("connection", "close")
                    .doesNotContainKeys("transfer-encoding", "content-length");
            assertThat(answer.body()).isEqualTo("1\n2\n3\n");
        }
    }

    @Test
    void aClosedConnectionIsAnswered() throws IOException {
        try (var client = site.client()) {
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            client.get("/hello"); // nobody looks at it
            assertThat(client.read().fields()).containsEntry("connection", "close");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void whoHasSaidAllStillGetsTheAnswer() throws IOException {
        try (var client = site.client()) {
            client.get("/wait?ms=50").get("/hello");
            client.socket().shutdownOutput();
            assertThat(client.read().body()).isEqualTo("after 50 ms\n");
            assertThat(client.read().body()).isEqualTo("Hello, world\n");
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, GET / HTTP/1.1",
        "400, nonsense",
        "404, GET /nowhere HTTP/1.1|Host: x",
        "405, POST /hello HTTP/1.1|Host: x",
        "400, GET /count?to=x HTTP/1.1|Host: x",
        "417, GET / HTTP/1.1|Host: x|Expect: more",
        "501, BREW / HTTP/1.1|Host: x",
        "505, GET / HTTP/3.0|Host: x"
    })
    void mistakesHaveAStatus(int status, String lines) throws IOException {
        try (var other = site.client();
                var client = site.client()) {
            assertThat(client.send(lines.replace("|", "\r\n") + "\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(status);
            assertThat(other.get("/hello").read().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "414, GET /%s HTTP/1.1|",
        "431, GET / HTTP/1.1|A: %s|",
        "413, POST / HTTP/1.1|Host: x|Content-Length: 9999999|"
    })
    void whatIsTooLongHasAStatusAlsoWhileTheClientSends(int status, String lines) throws IOException {
        try (var client = site.client()) {
            client.send(lines.replace("|", "\r\n").formatted("a".repeat(5000)) + "\r\n");
            // More than the sockets hold: a reset would take the answer away.
            var more = "x".repeat(1_000_000);
            var sender = Thread.ofPlatform().start(() -> {
                try {
                    client.send(more);
                } catch (IOException closed) {
                    // Nobody reads it.
                }
            });
            var answer = client.read();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.fields()).containsEntry("connection", "close");
            assertThat(client.readToEnd()).isEmpty();
            client.socket().close();
            assertThat(sender).satisfies(Thread::join);
        }
    }

    @Test
    void aRequestInsideAnotherIsNotSeen() throws IOException {
        try (var client = site.client()) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "0\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.readToEnd()).isEmpty();
        }
    }

    @Test
    void aHandlersMistakeIsReportedAndTheConnectionGoesOn() throws IOException {
        try (var client = site.client()) {
            assertThat(client.get("/fail").read().status()).isEqualTo(500);
            assertThat(client.get("/hello").read().status()).isEqualTo(200);
        }
        assertThat(site.takeErrors())
                .singleElement()
                .satisfies(error -> assertThat(error.message()).isEqualTo("no answer to GET /fail"));
    }

    @Test
    void aBodyThatFailsDoesNotLookComplete() throws IOException {
        try (var client = site.client()) {
            client.get("/break");
            assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        }
        assertThat(site.takeErrors()).hasSize(1);
    }

    @Test
    void noAnswerAtAllIsAMistakeAndReachesNobodyElse() throws IOException {
        try (var client = site.client();
                var other = site.client()) {
            assertThat(client.get("/nothing").read().status()).isEqualTo(500);
            assertThat(client.get("/nothing-later").read().status()).isEqualTo(500);
            assertThat(client.get("/hello").read().status()).isEqualTo(200);
            assertThat(other.get("/hello").read().status()).isEqualTo(200);
        }
        assertThat(site.takeErrors()).hasSize(2);
    }
}
