package io.github.uvloop4j.transport;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Looks for the name of the wanted host in the first message of a client, before there is an engine that would read it. */
final class TlsHello {
    private static final int LARGEST = 32 * 1024;
    private static final int CLIENT_HELLO = 1;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int RANDOM = 32;

    /** Whether the message is all there, whether it cannot be read, and the name in it. */
    record Found(boolean complete, boolean broken, @Nullable String host) {}

    private static final Found INCOMPLETE = new Found(false, false, null);
    private static final Found BROKEN = new Found(true, true, null);

    private TlsHello() {}

    /** Looks at records, of which more may come. */
    static Found look(ByteBuffer records) {
        var message = ByteBuffer.allocate(records.remaining());
        var rest = records.duplicate();
        while (rest.hasRemaining()) {
            if (TlsRecords.type(rest, rest.position()) != TlsRecords.HANDSHAKE) {
                return BROKEN;
            }
            if (rest.remaining() < TlsRecords.HEADER) {
                break;
            }
            int length = rest.getShort(rest.position() + 3) & 0xffff;
            if (length == 0 || length > TlsBuffers.RECORD) {
                return BROKEN;
            }
            int there = Math.min(length, rest.remaining() - TlsRecords.HEADER);
            message.put(rest.slice(rest.position() + TlsRecords.HEADER, there));
            rest.position(rest.position() + TlsRecords.HEADER + there);
        }
        return message(message.flip());
    }

    private static Found message(ByteBuffer message) {
        if (message.hasRemaining() && message.get(0) != CLIENT_HELLO) {
            return BROKEN;
        }
        if (message.remaining() < 4) {
            return INCOMPLETE;
        }
        int length = message.getInt() & 0xffffff;
        if (length > LARGEST) {
            return BROKEN;
        }
        if (message.remaining() < length) {
            return INCOMPLETE;
        }
        try {
            return new Found(true, false, host(message.slice(message.position(), length)));
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException broken) {
            return BROKEN;
        }
    }

    private static @Nullable String host(ByteBuffer hello) {
        hello.position(2 + RANDOM);
        part(hello, hello.get() & 0xff); // session
        part(hello, hello.getShort() & 0xffff); // cipher suites
        part(hello, hello.get() & 0xff); // compression
        if (!hello.hasRemaining()) {
            return null;
        }
        var extensions = part(hello, hello.getShort() & 0xffff);
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            var body = part(extensions, extensions.getShort() & 0xffff);
            if (type == SERVER_NAME) {
                return name(part(body, body.getShort() & 0xffff));
            }
        }
        return null;
    }

    private static @Nullable String name(ByteBuffer names) {
        while (names.hasRemaining()) {
            int type = names.get() & 0xff;
            var name = part(names, names.getShort() & 0xffff);
            if (type == HOST_NAME) {
                return StandardCharsets.US_ASCII.decode(name).toString();
            }
        }
        return null;
    }

    /** The next so many bytes, behind which it moves. */
    private static ByteBuffer part(ByteBuffer from, int length) {
        var part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }
}
