package io.github.uvloop4j.jfr;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What events say in words. */
final class Texts {
    private static final int FRAMES = 64;
    private static final int LONGEST = 2_000;

    private Texts() {}

    /** A stack, the innermost call first: {@code class.method(file:line)}, one in each line. */
    static String stack(Throwable where) {
        return Arrays.stream(where.getStackTrace())
                .limit(FRAMES)
                .map(Texts::frame)
                .collect(Collectors.joining("\n"));
    }

    private static String frame(StackTraceElement frame) {
        return frame.getClassName() + '.' + frame.getMethodName() + '(' + place(frame) + ')';
    }

    private static String place(StackTraceElement frame) {
        var file = frame.getFileName();
        if (frame.isNativeMethod() || file == null) {
            return frame.isNativeMethod() ? "Native Method" : "Unknown Source";
        }
        return frame.getLineNumber() < 0 ? file : file + ':' + frame.getLineNumber();
    }

    /** Null for null. Its words are the user's: neither their length nor what they throw is known. */
    static @Nullable String of(@Nullable Object any) {
        if (any == null) {
            return null;
        }
        String text;
        try {
            text = any.toString();
        } catch (Throwable broken) {
            text = any.getClass().getName();
        }
        return text == null || text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}
