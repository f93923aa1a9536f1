package io.github.uvloop4j.transport;

import io.github.uvloop4j.concurrent.Throwables;
import io.github.uvloop4j.concurrent.Timeout;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection's reading side as a stream: each read parks the task that calls it. */
final class ConnectionInput extends InputStream {
    private final LoopConnection connection;

    private final Runnable close;
    private boolean shut;

    /** How long a read may wait; null for ever. */
    private @Nullable Duration limit;

    ConnectionInput(LoopConnection connection, Runnable close) {
        this.connection = connection;
        this.close = close;
    }

    /** Nothing is read any more: it is at its end. */
    void shut() {
        shut = true;
    }

    void limit(@Nullable Duration value) {
        limit = value;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        var buffer = ByteBuffer.wrap(target, offset, length);
        if (length == 0) {
            return 0;
        }
        if (shut) {
            return -1;
        }
        var most = limit;
        return most == null || connection.available() > 0 ? connection.read(buffer) : readWithin(most, buffer);
    }

    private int readWithin(Duration most, ByteBuffer buffer) throws IOException {
        try {
            return Timeout.after(most).call(scope -> connection.read(buffer));
        } catch (TimeoutException over) {
            var error = new SocketTimeoutException("read timed out after " + most.toMillis() + " ms");
            error.initCause(over);
            throw error;
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw Throwables.<RuntimeException>sneak(e);
        }
    }

    @Override
    public int available() {
        return connection.available();
    }

    @Override
    public void close() {
        close.run();
    }
}
