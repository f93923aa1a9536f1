package io.github.uvloop4j.examples.dns;

import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Names as they stand in messages: labels of up to 63 bytes, the tail of which may stand elsewhere. */
final class DnsName {
    private static final int LONGEST_LABEL = 63;
    private static final int LONGEST = 253;
    private static final int POINTER = 0xc0;

    private DnsName() {}

    static void put(ByteBuffer message, String name) throws UnknownHostException {
        if (name.length() > LONGEST) {
            throw new UnknownHostException("a name of more than " + LONGEST + " characters");
        }
        for (var label : name.split("\\.", -1)) {
            if (label.isEmpty() || label.length() > LONGEST_LABEL) {
                throw new UnknownHostException("no name: " + name);
            }
            message.put((byte) label.length()).put(label.getBytes(StandardCharsets.ISO_8859_1));
        }
        message.put((byte) 0);
    }

    /** Reads a name at the position, and moves it behind. Names are compared without regard to case: it is lower. */
    static String get(ByteBuffer message) throws DnsException {
        var name = new StringBuilder();
        int at = message.position();
        int end = -1;
        for (int size = byteAt(message, at); size != 0; size = byteAt(message, at)) {
            if (size >= POINTER) {
                int target = (size - POINTER) << 8 | byteAt(message, at + 1);
                // Backwards only, and a name is short: so there is an end.
                if (target >= at) {
                    throw new DnsException("a name that points ahead");
                }
                end = end < 0 ? at + 2 : end;
                at = target;
            } else {
                at = label(message, at, size, name);
            }
        }
        message.position(end < 0 ? at + 1 : end);
        return name.toString();
    }

    private static int label(ByteBuffer message, int at, int size, StringBuilder name) throws DnsException {
        if (size > LONGEST_LABEL || name.length() + size > LONGEST) {
            throw new DnsException("a name that is too long");
        }
        byteAt(message, at + size);
        var bytes = new byte[size];
        message.get(at + 1, bytes);
        name.append(name.isEmpty() ? "" : ".")
                .append(new String(bytes, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT));
        return at + size + 1;
    }

    private static int byteAt(ByteBuffer message, int at) throws DnsException {
        if (at >= message.limit()) {
            throw new DnsException("a name that goes on behind the message");
        }
        return message.get(at) & 0xff;
    }
}
