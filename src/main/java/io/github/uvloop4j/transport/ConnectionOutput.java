package io.github.uvloop4j.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A connection's writing side as a stream: a write parks the task while too much waits to be sent. */
final class ConnectionOutput extends OutputStream {
    private final LoopConnection connection;
    private final Runnable close;

    ConnectionOutput(LoopConnection connection, Runnable close) {
        this.connection = connection;
        this.close = close;
    }

    @Override
    public void write(int value) throws IOException {
        connection.write(ByteBuffer.wrap(new byte[] {(byte) value}));
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        connection.write(ByteBuffer.wrap(source, offset, length));
    }

    @Override
    public void flush() throws IOException {
        connection.flush();
    }

    @Override
    public void close() {
        close.run();
    }
}
