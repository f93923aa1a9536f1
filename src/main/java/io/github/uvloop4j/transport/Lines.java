package io.github.uvloop4j.transport;

import io.github.uvloop4j.net.LimitOverrunException;
import java.nio.charset.StandardCharsets;

/** Lines of text in a stream. */
final class Lines {
    static final byte[] LF = {'\n'};

    private Lines() {}

    /** The text of a line without its end. */
    static String decode(byte[] line) {
        int length = line.length;
        if (length > 0 && line[length - 1] == '\n') {
            length--;
            if (length > 0 && line[length - 1] == '\r') {
                length--;
            }
        }
        return new String(line, 0, length, StandardCharsets.UTF_8);
    }

    static void checkLimit(int length, int searched, int limit) throws LimitOverrunException {
        if (length > limit) {
            throw new LimitOverrunException(searched, limit);
        }
    }
}
