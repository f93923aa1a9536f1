package io.github.uvloop4j.affinity;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The version of a kernel, without its patch level, which distributions count as they like. Immutable. Any thread.
 *
 * @param major the 6 of 6.2
 * @param minor the 2 of 6.2
 */
public record KernelVersion(int major, int minor) implements Comparable<KernelVersion> {
    private static final Pattern START = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?!\\d)");
    private static final Comparator<KernelVersion> ORDER =
            Comparator.comparingInt(KernelVersion::major).thenComparingInt(KernelVersion::minor);

    /** The kernel that this JVM runs on; 0.0, the oldest of all, when it tells no version. */
    public static KernelVersion current() {
        var text = System.getProperty("os.version", "");
        var start = START.matcher(text);
        return start.lookingAt() ? parse(text) : new KernelVersion(0, 0);
    }

    /**
     * Reads a version such as {@code 6.1.0-18-amd64}.
     *
     * @throws IllegalArgumentException if it does not begin with two numbers
     */
    public static KernelVersion parse(String release) {
        var start = START.matcher(release);
        if (!start.lookingAt()) {
            throw new IllegalArgumentException("no version of a kernel: \"" + release + '"');
        }
        return new KernelVersion(Integer.parseInt(start.group(1)), Integer.parseInt(start.group(2)));
    }

    /** Whether this is a version or a later one. */
    public boolean isAtLeast(int major, int minor) {
        return compareTo(new KernelVersion(major, minor)) >= 0;
    }

    @Override
    public int compareTo(KernelVersion other) {
        return ORDER.compare(this, other);
    }

    /** The two numbers, as in {@code 6.1}. */
    @Override
    public String toString() {
        return major + "." + minor;
    }
}
