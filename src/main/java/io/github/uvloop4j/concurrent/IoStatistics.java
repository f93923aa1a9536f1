package io.github.uvloop4j.concurrent;

/**
 * What went through the connections of a loop since it was made. Immutable. Any thread.
 *
 * @param bytesReceived bytes that connections have received
 * @param bytesSent bytes of connections that the kernel has taken
 * @param opened connections that were made or accepted
 * @param accepted those of them that came in by a server
 * @param open connections that are not over
 * @param pauses how often a connection had too much to send and its writer was told to wait
 */
public record IoStatistics(long bytesReceived, long bytesSent, long opened, long accepted, int open, long pauses) {
    /** Those of two loops together. */
    public IoStatistics plus(IoStatistics other) {
        return new IoStatistics(
                bytesReceived + other.bytesReceived,
                bytesSent + other.bytesSent,
                opened + other.opened,
                accepted + other.accepted,
                open + other.open,
                pauses + other.pauses);
    }

    /** What has come since an earlier snapshot of the same loop; those that are open are those of now. */
    public IoStatistics since(IoStatistics earlier) {
        return new IoStatistics(
                bytesReceived - earlier.bytesReceived,
                bytesSent - earlier.bytesSent,
                opened - earlier.opened,
                accepted - earlier.accepted,
                open,
                pauses - earlier.pauses);
    }
}
