package io.github.uvloop4j.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts values by their size, such as durations in ns, in buckets that are a sixteenth of a doubling wide: what is read from it is at most
 * 6.25 % off. One thread records, without a lock or an allocation; any thread may read, and sees what was recorded a little
 * before.
 */
public final class Counts {
    private static final int SUB_BITS = 4;
    private static final int SUB = 1 << SUB_BITS;

    /** Of the greatest value that is told from greater ones: more than an hour in ns. */
    private static final int HIGHEST_BIT = 42;

    /** How many buckets there are. */
    public static final int BUCKETS = (HIGHEST_BIT - SUB_BITS + 2) << SUB_BITS;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle MAX;

    static {
        try {
            MAX = MethodHandles.lookup().findVarHandle(Counts.class, "max", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] counts = new long[BUCKETS];
    private final long[] sums = new long[BUCKETS];
    private long max;

    /** Nothing counted yet. */
    public Counts() {}

    /** Counts a value; a negative one is 0. The recording thread only. */
    public void record(long any) {
        long value = Math.max(0, any);
        int bucket = bucket(value);
        LONGS.setOpaque(sums, bucket, sums[bucket] + value);
        LONGS.setOpaque(counts, bucket, counts[bucket] + 1);
        if (value > max) {
            MAX.setOpaque(this, value);
        }
    }

    /** How often each bucket was hit. Any thread. */
    public long[] counts() {
        return copy(counts);
    }

    /** What the values in each bucket add up to. Any thread. */
    public long[] sums() {
        return copy(sums);
    }

    /** The greatest so far. Any thread. */
    public long max() {
        return (long) MAX.getOpaque(this);
    }

    private static long[] copy(long[] live) {
        var copy = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            copy[i] = (long) LONGS.getOpaque(live, i);
        }
        return copy;
    }

    /** The bucket of a value of 0 or more. */
    public static int bucket(long value) {
        if (value < SUB) {
            return (int) value;
        }
        int high = Math.min(HIGHEST_BIT, Long.SIZE - 1 - Long.numberOfLeadingZeros(value));
        long part = Math.min(2 * SUB - 1, value >>> (high - SUB_BITS));
        return (high - SUB_BITS) * SUB + (int) part;
    }

    /** The least value of a bucket. */
    public static long least(int bucket) {
        if (bucket < SUB) {
            return bucket;
        }
        int shift = (bucket >> SUB_BITS) - 1;
        return (long) (SUB + (bucket & (SUB - 1))) << shift;
    }

    /** The greatest value of a bucket; the last one has no end. */
    public static long most(int bucket) {
        return bucket == BUCKETS - 1 ? Long.MAX_VALUE : least(bucket + 1) - 1;
    }
}
