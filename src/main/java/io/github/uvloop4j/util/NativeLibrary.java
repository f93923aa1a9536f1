package io.github.uvloop4j.util;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads libuv, once. Tried in order: the file that the system property {@value #PROPERTY}, or else the variable
 * {@code UVLOOP4J_LIBUV} of the environment, names; the copy packed into a jar of the class path; the system's
 * {@code libuv.so.1}. The library is never unloaded.
 */
public final class NativeLibrary {
    /** The property that names a file to load, and no other. */
    public static final String PROPERTY = "uvloop4j.libuv";

    private static final String PACKED = "META-INF/native/linux-x86_64/libuv.so.1";
    /** Set, for other class loaders of this JVM, to the name under which the packed library was opened. */
    private static final String UNPACKED = "uvloop4j.libuv.unpacked";

    private static final String SONAME = "libuv.so.1";

    private static @Nullable NativeLibrary loaded;
    private static @Nullable String failure;

    private final SymbolLookup symbols;
    private final String origin;

    private NativeLibrary(SymbolLookup symbols, String origin) {
        this.symbols = symbols;
        this.origin = origin;
    }

    /** The library's symbols. */
    public SymbolLookup symbols() {
        return symbols;
    }

    /** Where the library came from, for people. */
    public String origin() {
        return origin;
    }

    /**
     * Loads the library unless it is loaded already. Any thread.
     *
     * @throws UnsatisfiedLinkError when no place has a library that can be used; the message lists every try
     * @throws IllegalCallerException when the JVM refuses native access; the message has the flag that grants it
     */
    public static synchronized NativeLibrary load() {
        if (loaded != null) {
            return loaded;
        }
        if (failure != null) {
            throw new UnsatisfiedLinkError(failure);
        }
        var tries = new ArrayList<String>();
        var library = find(tries);
        if (library == null) {
            failure = "libuv cannot be loaded; tried:\n  " + String.join("\n  ", tries) + hint();
            throw new UnsatisfiedLinkError(failure);
        }
        loaded = library;
        return library;
    }

    private static @Nullable NativeLibrary find(List<String> tries) {
        var chosen = Settings.ofJvm().find(PROPERTY);
        if (chosen != null) {
            var file = Path.of(chosen.text()).toAbsolutePath().toString();
            return open(file, chosen.origin() + ": " + chosen.text(), tries);
        }
        var packed = openPacked(tries);
        return packed != null ? packed : open(SONAME, "the system's " + SONAME, tries);
    }

    private static @Nullable NativeLibrary openPacked(List<String> tries) {
        // A literal is one object for all class loaders, so that two of them never unpack at the same time.
        synchronized (UNPACKED) {
            return openPackedOnce(tries);
        }
    }

    private static @Nullable NativeLibrary openPackedOnce(List<String> tries) {
        var place = "packed " + PACKED;
        var shared = openShared(place);
        if (shared != null) {
            return shared;
        }
        try (var in = NativeLibrary.class.getClassLoader().getResourceAsStream(PACKED)) {
            if (in == null) {
                tries.add(place + ": not on the class path or module path");
                return null;
            }
            var directory = Files.createTempDirectory("uvloop4j-");
            var file = directory.resolve(SONAME);
            try {
                Files.copy(in, file);
                var library = open(file.toString(), place, tries);
                if (library != null) {
                    System.setProperty(UNPACKED, file.toRealPath().toString());
                }
                return library;
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            tries.add(place + ": cannot be unpacked to " + System.getProperty("java.io.tmpdir") + ": " + e);
            return null;
        }
    }

    /**
     * What another class loader of this JVM has unpacked and opened. The file is gone, but the dynamic loader knows the
     * name; a second copy would be another library, which the bindings, by their SONAME, would not use.
     */
    private static @Nullable NativeLibrary openShared(String place) {
        var name = System.getProperty(UNPACKED);
        if (name == null) {
            return null;
        }
        try {
            return new NativeLibrary(SymbolLookup.libraryLookup(name, Arena.global()), place);
        } catch (IllegalCallerException e) {
            throw accessRefused(e);
        } catch (IllegalArgumentException gone) {
            return null;
        }
    }

    private static @Nullable NativeLibrary open(String name, String place, List<String> tries) {
        try {
            var symbols = name.startsWith("/")
                    ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
                    : SymbolLookup.libraryLookup(name, Arena.global());
            if (symbols.find("uv_run").isEmpty()) {
                tries.add(place + ": has no uv_run, so it is not libuv");
                return null;
            }
            return new NativeLibrary(symbols, place);
        } catch (IllegalCallerException e) {
            throw accessRefused(e);
        } catch (IllegalArgumentException e) {
            tries.add(place + ": " + reason(name, e));
            return null;
        }
    }

    private static String reason(String name, IllegalArgumentException error) {
        if (!name.startsWith("/")) {
            return "not found by the dynamic loader";
        }
        if (!Files.exists(Path.of(name))) {
            return "no such file";
        }
        return "the dynamic loader refuses it (wrong format or architecture, a newer glibc, or a file system mounted"
                + " noexec): " + error.getMessage();
    }

    private static IllegalCallerException accessRefused(IllegalCallerException cause) {
        var module = NativeLibrary.class.getModule();
        var name = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return new IllegalCallerException(
                "native access is refused to uvloop4j: start java with --enable-native-access=" + name, cause);
    }

    private static String hint() {
        var os = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        var musl = Files.exists(Path.of("/lib/ld-musl-x86_64.so.1"))
                && !Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
        return "\non " + os + (musl ? " with musl, which is not supported: a glibc of 2.34 or newer is needed" : "")
                + "\ninstall libuv (Debian: apt-get install libuv1), add the natives jar, or set -D" + PROPERTY
                + "=FILE";
    }
}
