package io.github.uvloop4j.examples.http;

import io.github.uvloop4j.concurrent.Task;
import io.github.uvloop4j.net.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Where a task writes a body to, in chunks; to a client of HTTP/1.0 as it is, until the connection ends. */
public final class BodyOutput {
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int TURN = 64;

    private final Transport transport;
    private final WriteGate gate;
    private final boolean chunked;
    private int writes;

    BodyOutput(Transport transport, WriteGate gate, boolean chunked) {
        this.transport = transport;
        this.gate = gate;
        this.chunked = chunked;
    }

    /** Sends text as a chunk. */
    public void write(String text) throws Exception {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes as a chunk; parks while the client is slow. */
    public void write(byte[] bytes) throws Exception {
        if (transport.isClosing()) {
            throw new IOException("the client has gone");
        }
        if (!chunked) {
            transport.write(bytes);
        } else if (bytes.length > 0) { // an empty chunk is the last one
            var size = (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            transport.writeLines(List.of(ByteBuffer.wrap(size), ByteBuffer.wrap(bytes), ByteBuffer.wrap(CRLF)));
        }
        gate.await();
        if (++writes % TURN == 0) {
            Task.sleep(Duration.ZERO); // the client may be fast, but others want their turn
        }
    }

    void end() {
        if (chunked && !transport.isClosing()) {
            transport.write(LAST);
        }
    }
}
