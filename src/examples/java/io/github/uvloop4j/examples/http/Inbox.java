package io.github.uvloop4j.examples.http;

import java.nio.ByteBuffer;

/**
 * What has arrived of a connection: the head of the request that is being read, kept until the request is over, then
 * what was not taken yet. Lines are found in place, and each byte is looked at once.
 */
final class Inbox {
    private static final int SMALL = 1024;

    byte[] bytes = new byte[SMALL];

    /** The kept head, relative to which a request remembers its parts. */
    int head;

    private int headEnd;

    /** The first byte that was not taken. */
    int position;

    private int end;
    private int searched;

    /** The line that was taken last, without its end. */
    int lineStart;

    int lineEnd;

    int unread() {
        return end - position;
    }

    void append(ByteBuffer source) {
        int count = source.remaining();
        if (bytes.length - end < count) {
            makeRoom(count);
        }
        source.get(bytes, end, count);
        end += count;
    }

    private void makeRoom(int count) {
        int kept = headEnd - head;
        int needed = kept + unread() + count;
        var target = needed <= bytes.length ? bytes : new byte[Math.max(needed, 2 * bytes.length)];
        System.arraycopy(bytes, head, target, 0, kept);
        System.arraycopy(bytes, position, target, kept, unread());
        searched -= position - kept;
        end = needed - count;
        head = 0;
        headEnd = kept;
        position = kept;
        bytes = target;
    }

    /**
     * Takes the next line if all of it is there, and within so many bytes, which count its end.
     *
     * @throws HttpException when it ends with LF alone, which others may not see as an end
     */
    boolean nextLine(int most) throws HttpException {
        int to = Math.min(end, position + most);
        int lf = Chars.indexOf(bytes, Math.max(searched, position), to, '\n');
        if (lf < 0) {
            searched = to;
            return false;
        }
        if (lf == position || bytes[lf - 1] != '\r') {
            throw new HttpException(400, "a line ends without CR");
        }
        lineStart = position;
        lineEnd = lf - 1;
        position = lf + 1;
        return true;
    }

    int lineLength() {
        return lineEnd - lineStart;
    }

    /** What was taken so far stays, as part of the head. */
    void keep() {
        headEnd = position;
    }

    /** Takes up to so many bytes, which begin at the position before. */
    int take(int most) {
        int count = Math.min(most, unread());
        position += count;
        return count;
    }

    /** Forgets the head: the next one begins here. */
    void release() {
        if (position == end) {
            position = 0;
            end = 0;
            searched = 0;
            if (bytes.length > 16 * SMALL) {
                bytes = new byte[SMALL];
            }
        }
        head = position;
        headEnd = position;
    }
}
