package io.github.uvloop4j.cli.observe;

import java.util.List;
import java.util.Set;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/** Frames as text, such as {@code demo.Server.handle(Server.java:12)}, and whose they are. */
public final class Frames {
    /** How many frames of a stack matter. */
    static final int DEPTH = 64;

    private static final String BASE = "io.github.uvloop4j.";

    /** Below it is who runs the loop, and not what the loop runs. */
    private static final String TURN = BASE + "Scheduler.";

    /** The library's own packages below its root. */
    static final Set<String> LIBRARY = Set.of(
            "affinity",
            "carrier",
            "concurrent",
            "dns",
            "ffi",
            "fs",
            "guard",
            "jfr",
            "net",
            "observe",
            "pool",
            "process",
            "sync",
            "tls",
            "transport",
            "util",
            "uv",
            "work");

    private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private Frames() {}

    /** Whether a frame or class belongs to the program, and neither to this library nor to the platform. */
    public static boolean isOfProgram(String frame) {
        var name = frame.strip();
        if (name.startsWith(BASE)) {
            var rest = name.substring(BASE.length());
            var dot = rest.indexOf('.');
            var part = dot < 0 ? "" : rest.substring(0, dot);
            return !part.isEmpty() && !Character.isUpperCase(part.charAt(0)) && !isOfLibrary(part);
        }
        return !name.isEmpty() && !isOfPlatform(name);
    }

    /** Whether a frame or class belongs to the JDK. */
    static boolean isOfPlatform(String frame) {
        return PLATFORM.stream().anyMatch(frame::startsWith);
    }

    private static boolean isOfLibrary(String part) {
        return LIBRARY.contains(part);
    }

    /**
     * The innermost frame of the program, above the loop that runs it; the innermost of all if it has none, {@code
     * "unknown"} if there is none.
     */
    public static String telling(List<String> stack) {
        return stack.stream()
                .takeWhile(frame -> !frame.startsWith(TURN))
                .filter(Frames::isOfProgram)
                .findFirst()
                .orElseGet(() -> stack.isEmpty() ? "unknown" : stack.getFirst());
    }

    /** A frame without its line, so that those of one method are alike. */
    public static String method(String frame) {
        var end = frame.lastIndexOf('(');
        return end > 0 ? frame.substring(0, end) : frame;
    }

    /** The lines of a recorded stack, innermost first; none when it was not recorded. */
    static List<String> of(@Nullable RecordedStackTrace stack) {
        return stack == null
                ? List.of()
                : stack.getFrames().stream().limit(DEPTH).map(Frames::text).toList();
    }

    private static String text(RecordedFrame frame) {
        var method = frame.getMethod();
        if (method == null || method.getType() == null) {
            return "unknown";
        }
        var name = named(method.getType().getName());
        var line = frame.getLineNumber();
        return name + '.' + method.getName() + '(' + simpleName(name) + (line > 0 ? ":" + line : "") + ')';
    }

    /** Classes that the JVM makes have an address in their name, which tells nobody anything. */
    static String named(String type) {
        return type.replaceFirst("[./]0x[0-9a-f]+$", "");
    }

    /** Recordings have no file names of Java code: the outermost class is the best guess. */
    private static String simpleName(String type) {
        var name = type.substring(type.lastIndexOf('.') + 1);
        var inner = name.indexOf('$');
        return (inner > 0 ? name.substring(0, inner) : name) + ".java";
    }
}
