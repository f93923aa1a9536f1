package io.github.uvloop4j.examples.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends what it is told, and takes answers apart. */
final class RawClient implements AutoCloseable {
    /** An answer. */
    record Answer(int status, Map<String, String> fields, String body) {}

    private final Socket socket = new Socket();
    private final InputStream input;

    RawClient(int port) throws IOException {
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 30_000);
        input = new BufferedInputStream(socket.getInputStream());
    }

    Socket socket() {
        return socket;
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    Answer read() throws IOException {
        return read(true);
    }

    /** Reads an answer, without a body for one to HEAD. */
    Answer read(boolean withBody) throws IOException {
        var line = line();
        var fields = new TreeMap<String, String>();
        for (var field = line(); !field.isEmpty(); field = line()) {
            int colon = field.indexOf(':');
            fields.put(
                    field.substring(0, colon).toLowerCase(Locale.ROOT),
                    field.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(line.substring(9, 12));
        return new Answer(status, fields, withBody && status >= 200 ? body(fields) : "");
    }

    private String body(Map<String, String> fields) throws IOException {
        if (fields.containsKey("content-length")) {
            return exactly(Integer.parseInt(fields.get("content-length")));
        }
        if (!"chunked".equals(fields.get("transfer-encoding"))) {
            return readToEnd();
        }
        var body = new StringBuilder();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.append(exactly(size));
            line();
        }
        line();
        return body.toString();
    }

    private String exactly(int count) throws IOException {
        var bytes = input.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException(bytes.length + " of " + count + " bytes");
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = input.read(); c != '\n'; c = input.read()) {
            if (c < 0) {
                throw new EOFException("after " + line);
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }

    /** Whether nothing more comes; waits for it. */
    boolean atEnd() throws IOException {
        input.mark(1);
        boolean end = input.read() < 0;
        input.reset();
        return end;
    }

    /** All that still comes. */
    String readToEnd() throws IOException {
        return new String(input.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
