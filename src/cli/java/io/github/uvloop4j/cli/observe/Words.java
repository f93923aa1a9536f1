package io.github.uvloop4j.cli.observe;

import java.util.Locale;

/** Numbers for people. */
public final class Words {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final double KILO = 1000;

    private Words() {}

    /** A time, such as {@code 12 ms}. */
    public static String time(double nanos) {
        return nanos < MICRO
                ? scaled(nanos, 1, "ns")
                : nanos < MILLI
                        ? scaled(nanos, MICRO, "us")
                        : nanos < SECOND ? scaled(nanos, MILLI, "ms") : scaled(nanos, SECOND, "s");
    }

    /** A time, such as {@code 12 ms}. */
    public static String time(long nanos) {
        return time((double) nanos);
    }

    /** A time in seconds, such as {@code 1.2 s}. */
    public static String seconds(double seconds) {
        return time(seconds * SECOND);
    }

    /** A share of 0 to 1, such as {@code 92 %}. */
    public static String percent(double share) {
        var percent = share * 100;
        return (percent > 0 && percent < 1 ? "under 1" : String.format(Locale.ROOT, "%.0f", percent)) + " %";
    }

    /** How many, such as {@code 1,234}; above a million rounded. */
    public static String count(double number) {
        return number < MILLI
                ? String.format(Locale.ROOT, number < 10 && number != Math.rint(number) ? "%,.1f" : "%,.0f", number)
                : number < SECOND ? scaled(number, MILLI, "M") : scaled(number, SECOND, "G");
    }

    /** How many, such as {@code 1,234}; above a million rounded. */
    public static String count(long number) {
        return count((double) number);
    }

    /** Bytes, such as {@code 1.5 MB}. */
    public static String bytes(double bytes) {
        return bytes < KILO
                ? scaled(bytes, 1, "B")
                : bytes < MILLI
                        ? scaled(bytes, MICRO, "kB")
                        : bytes < SECOND ? scaled(bytes, MILLI, "MB") : scaled(bytes, SECOND, "GB");
    }

    /** So many of something, such as {@code 1 turn} or {@code 2 turns}. */
    public static String many(long number, String one) {
        return count(number) + ' ' + one + (number == 1 ? "" : "s");
    }

    /** Once, twice, or so many times. */
    public static String times(long number) {
        return number == 1 ? "once" : number == 2 ? "twice" : count(number) + " times";
    }

    private static String scaled(double value, long unit, String name) {
        var number = value / unit;
        return String.format(
                Locale.ROOT, number < 10 && number != Math.rint(number) ? "%.1f %s" : "%.0f %s", number, name);
    }
}
