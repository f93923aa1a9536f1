package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.testing.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Requests that are nearly right. */
final class HttpInputs {
    private static final List<byte[]> VALID = bytes(
            "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /count?to=3 HTTP/1.0\r\nConnection: keep-alive\r\nAccept: */*\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nT: t\r\n\r\n",
            "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
            "GET /wait?ms=0 HTTP/1.1\r\nHost: x\r\nX-A: 1\r\nX-A: 2\r\nUser-Agent: some\tthing (else)\r\n\r\n");

    private static final List<byte[]> WORDS = bytes(
            "\r\n",
            "\r",
            "\n",
            "\0",
            " ",
            "\t",
            ":",
            ";",
            ",",
            "\u00ff",
            "0",
            "-1",
            "7fffffff",
            "ffffffffffffffffff",
            "99999999999999999999",
            "Content-Length: 5\r\n",
            "Content-Length: 0\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Host: y\r\n",
            " folded\r\n",
            "chunked",
            "HTTP/1.1",
            "HTTP/9.9",
            "0\r\n\r\n",
            "a".repeat(300),
            "A: b\r\n".repeat(30));

    private HttpInputs() {}

    private static List<byte[]> bytes(String... texts) {
        return Stream.of(texts)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    /** None for HEAD, whose answers look as if they had a body. */
    static byte[] next(Random random) {
        return Fuzz.mutate(random, VALID, WORDS);
    }
}
