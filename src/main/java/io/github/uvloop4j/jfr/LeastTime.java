package io.github.uvloop4j.jfr;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import jdk.jfr.SettingControl;

/** A setting: the least time that is recorded, written like the recorder's own thresholds. */
public final class LeastTime extends SettingControl {
    private static final String NONE = "0 ns";
    private static final Pattern TIME = Pattern.compile("\\s*(\\d{1,18})\\s*(ns|us|ms|s|m|h|d)\\s*");

    private volatile String value = NONE;
    private volatile long nanos;

    /** No limit yet. */
    public LeastTime() {}

    boolean isReachedBy(long time) {
        return time >= nanos;
    }

    /** What several recordings want together: what any of them wants. */
    @Override
    public String combine(Set<String> values) {
        return values.stream().min(Comparator.comparingLong(LeastTime::nanos)).orElse(NONE);
    }

    @Override
    public void setValue(String wanted) {
        value = wanted;
        nanos = nanos(wanted);
    }

    @Override
    public String getValue() {
        return value;
    }

    /** What cannot be read is no limit: the recorder has nobody to complain to. */
    static long nanos(String text) {
        var time = TIME.matcher(text);
        if (!time.matches()) {
            return 0;
        }
        return unit(time.group(2)).toNanos(Long.parseLong(time.group(1)));
    }

    private static TimeUnit unit(String name) {
        return switch (name) {
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MINUTES;
            case "h" -> TimeUnit.HOURS;
            default -> TimeUnit.DAYS;
        };
    }
}
