package io.github.uvloop4j.testing;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random inputs that can be had again: each has a seed, which a failure names. {@code -Dfuzz.seed=N} begins with another
 * one than 1, {@code -Dfuzz.percent=100} runs all: by default it is a tenth, as tests go with every build.
 */
public final class Fuzz {
    private static final long FIRST = Long.getLong("fuzz.seed", 1);
    private static final int PERCENT = Integer.getInteger("fuzz.percent", 10);
    private static final int MOST_CHANGES = 4;

    /** What is done with one input. */
    @FunctionalInterface
    public interface Body {
        /** The random numbers are those of the input's seed. */
        void run(Random random) throws Exception;
    }

    private Fuzz() {}

    /** Runs a body for so many seeds, or the part of them that is wanted. */
    public static void run(int count, Body body) {
        long end = FIRST + Math.max(1, (long) count * PERCENT / 100);
        for (long seed = FIRST; seed < end; seed++) {
            try {
                body.run(new Random(seed));
            } catch (Throwable failure) {
                throw new AssertionError("fuzz.seed=" + seed + ": " + failure, failure);
            }
        }
    }

    /** One of some valid inputs with a few changes, or nothing but random bytes. */
    public static byte[] mutate(Random random, List<byte[]> valid, List<byte[]> words) {
        if (random.nextInt(20) == 0) {
            var noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            return noise;
        }
        var bytes = any(random, valid);
        for (int changes = random.nextInt(MOST_CHANGES + 1); changes > 0; changes--) {
            bytes = change(random, bytes, valid, words);
        }
        return bytes;
    }

    private static byte[] change(Random random, byte[] bytes, List<byte[]> valid, List<byte[]> words) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(12));
        return switch (random.nextInt(7)) {
            case 0 -> splice(bytes, from, to, new byte[0]);
            case 1 -> splice(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
            case 2 -> splice(bytes, from, from, any(random, words));
            case 3 -> splice(bytes, from, to, any(random, words));
            case 4 -> splice(bytes, from, from, any(random, valid));
            case 5 -> Arrays.copyOf(bytes, from);
            default -> {
                var changed = bytes.clone();
                if (from < changed.length) {
                    changed[from] = (byte) random.nextInt(256);
                }
                yield changed;
            }
        };
    }

    private static byte[] any(Random random, List<byte[]> some) {
        return some.get(random.nextInt(some.size()));
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] put) {
        var spliced = new byte[bytes.length - (to - from) + put.length];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(put, 0, spliced, from, put.length);
        System.arraycopy(bytes, to, spliced, from + put.length, bytes.length - to);
        return spliced;
    }
}
