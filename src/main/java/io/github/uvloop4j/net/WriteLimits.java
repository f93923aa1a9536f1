package io.github.uvloop4j.net;

/**
 * The water marks of a write buffer in bytes. Writing is paused above the high one and resumed at or below the low one.
 *
 * @param high the high-water mark
 * @param low the low-water mark
 */
public record WriteLimits(int high, int low) {
    /** 64 KiB and 16 KiB. */
    public static final WriteLimits DEFAULT = new WriteLimits(64 * 1024, 16 * 1024);

    /** Checks that high is at least low and low at least 0. */
    public WriteLimits {
        if (high < low || low < 0) {
            throw new IllegalArgumentException("need high >= low >= 0: high " + high + ", low " + low);
        }
    }

    /** A high-water mark with a quarter of it as the low one. */
    public static WriteLimits high(int high) {
        return new WriteLimits(high, high / 4);
    }

    /** A low-water mark with four times of it as the high one. */
    public static WriteLimits low(int low) {
        return new WriteLimits(Math.multiplyExact(low, 4), low);
    }
}
