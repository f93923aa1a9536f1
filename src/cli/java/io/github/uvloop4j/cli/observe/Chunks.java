package io.github.uvloop4j.cli.observe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts that a recording consists of, so that one which was cut can be read up to there.
 *
 * <p>Facts about the format: a chunk begins with a header of 68 bytes, which has the chunk's length and says where its
 * last description of types and its last table of constants are; each table says how far back the one before is. A
 * chunk that was cut lacks the last ones, but those of a second before are mostly there.
 */
final class Chunks {
    static final int HEADER = 68;
    private static final int MAGIC = 0x464c5200;
    private static final int SIZE = 8;
    private static final int CONSTANTS = 16;
    private static final int TYPES = 24;
    private static final int STATE = 64;
    private static final int FLAGS = 67;
    private static final int COMPRESSED = 1;
    private static final int TYPES_EVENT = 0;
    private static final int CONSTANTS_EVENT = 1;

    /** No recorder makes chunks nearly as long; what claims to be is broken. */
    private static final long LONGEST = 1L << 30;

    private Chunks() {}

    /**
     * A part of a file.
     *
     * @param from where it begins
     * @param to where it ends
     * @param whole whether it is a chunk that was finished
     */
    record Part(long from, long to, boolean whole) {}

    /** The chunks of a file; the last is what remains when something is missing or is none. */
    static List<Part> of(FileChannel file) throws IOException {
        var parts = new ArrayList<Part>();
        var at = 0L;
        while (at < file.size()) {
            var header = header(file, at);
            var size = header == null ? 0 : header.getLong(SIZE);
            var end = at + size;
            var whole = header != null
                    && header.get(STATE) == 0
                    && size >= HEADER
                    && end > at
                    && end <= file.size()
                    && isWithin(header.getLong(CONSTANTS), size)
                    && isWithin(header.getLong(TYPES), size);
            if (!whole) {
                parts.add(new Part(at, file.size(), false));
                break;
            }
            parts.add(new Part(at, end, true));
            at = end;
        }
        return parts;
    }

    private static boolean isWithin(long position, long size) {
        return position >= HEADER && position < size;
    }

    /** The header there; null if there is none. */
    private static @org.jspecify.annotations.Nullable ByteBuffer header(FileChannel file, long at) throws IOException {
        var header = ByteBuffer.allocate(HEADER);
        while (header.hasRemaining() && file.read(header, at + header.position()) > 0) {
            // A read may bring less than was asked for.
        }
        return header.hasRemaining() || header.getInt(0) != MAGIC ? null : header;
    }

    /** Whether a file begins as a recording does. */
    static boolean isRecording(FileChannel file) throws IOException {
        return header(file, 0) != null;
    }

    /** Copies a part that is whole. */
    static void copy(FileChannel file, Part part, Path to) throws IOException {
        try (var out = FileChannel.open(to, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var at = part.from();
            while (at < part.to()) {
                at += file.transferTo(at, part.to() - at, out);
            }
        }
    }

    /**
     * Writes what can be read of a part that is not whole, as a chunk of its own.
     *
     * @return whether there is something
     */
    static boolean repair(FileChannel file, Part part, Path to) throws IOException {
        var length = Math.min(part.to() - part.from(), LONGEST);
        var header = header(file, part.from());
        if (header == null || (header.get(FLAGS) & COMPRESSED) == 0 || length <= HEADER) {
            return false;
        }
        var bytes = file.map(FileChannel.MapMode.READ_ONLY, part.from(), length);
        var found = new Scan(bytes).run();
        if (found.types == 0 || found.constants == 0) {
            return false;
        }
        copy(file, new Part(part.from(), part.from() + found.end, true), to);
        header.putLong(SIZE, found.end)
                .putLong(CONSTANTS, found.constants)
                .putLong(TYPES, found.types)
                .put(STATE, (byte) 0);
        try (var out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            out.write(header.rewind(), 0);
        }
        return true;
    }

    /** An empty file that is gone with this JVM at the latest. */
    static Path temporary() throws IOException {
        var file = Files.createTempFile("uvloop4j-", ".jfr");
        file.toFile().deleteOnExit();
        return file;
    }

    /** Walks over the events of a chunk, as far as they are whole. */
    private static final class Scan {
        private final ByteBuffer bytes;
        private int end = HEADER;
        private long types;
        private long constants;

        Scan(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        Scan run() {
            while (end < bytes.limit()) {
                bytes.position(end);
                var size = number();
                var type = size > 0 ? number() : -1;
                if (type < 0 || size > bytes.limit() - end) {
                    break;
                }
                if (type == TYPES_EVENT) {
                    types = end;
                } else if (type == CONSTANTS_EVENT) {
                    constants = end;
                }
                end += (int) size;
            }
            return this;
        }

        /** Seven bits a byte, the lowest first; -1 where it is cut. */
        private long number() {
            var value = 0L;
            for (var shift = 0; shift < 56 && bytes.hasRemaining(); shift += 7) {
                var part = bytes.get();
                value |= (part & 0x7fL) << shift;
                if (part >= 0) {
                    return value;
                }
            }
            return -1;
        }
    }
}
