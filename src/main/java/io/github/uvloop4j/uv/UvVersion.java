package io.github.uvloop4j.uv;

import io.github.uvloop4j.ffi.uv;
import io.github.uvloop4j.util.NativeLibrary;

/**
 * A version of libuv. Any thread.
 *
 * @param major the first number
 * @param minor the second number
 * @param patch the third number
 */
public record UvVersion(int major, int minor, int patch) implements Comparable<UvVersion> {
    /** The oldest version that works. */
    public static final UvVersion OLDEST = new UvVersion(1, 44, 2);

    /** The version whose header the bindings were generated from. */
    public static final UvVersion PINNED = new UvVersion(1, 50, 0);

    /** The version of the loaded library. Binds {@code uv_version}. */
    public static UvVersion loaded() {
        NativeLibrary.load();
        int packed = uv.uv_version();
        return new UvVersion(packed >> 16 & 0xff, packed >> 8 & 0xff, packed & 0xff);
    }

    /** The bindings find libuv by its name: a file of another name would be opened for nothing. */
    static void checkSource() {
        var library = NativeLibrary.load();
        var chosen = library.symbols().find("uv_run");
        try {
            if (chosen.isPresent() && chosen.get().equals(uv.uv_run$address())) {
                return;
            }
        } catch (ExceptionInInitializerError | NoClassDefFoundError notFound) {
            // No other libuv is there.
        }
        throw new UnsatisfiedLinkError(
                "libuv from " + library.origin() + " cannot be used: its SONAME is not libuv.so.1");
    }

    /** Where the loaded library came from, for people. */
    public static String origin() {
        return NativeLibrary.load().origin();
    }

    /** Whether this version is the other one or newer. */
    public boolean atLeast(UvVersion other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(UvVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
        return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
