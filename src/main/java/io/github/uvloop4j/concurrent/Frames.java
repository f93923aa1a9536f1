package io.github.uvloop4j.concurrent;

import java.security.CodeSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the user's frames on a stack from the JDK's and this library's. One thread at a time. */
final class Frames {
    private static final String LIBRARY = "io.github.uvloop4j.";
    private static final String COMMAND_LINE = LIBRARY + "cli.";

    /** What the user called, and where. */
    record Place(@Nullable StackTraceElement user, @Nullable String call) {}

    private final Map<String, Boolean> users = new HashMap<>();

    /** The innermost frame of the user, and the one that it called. */
    Place place(StackTraceElement[] stack) {
        for (int i = 0; i < stack.length; i++) {
            if (isUsers(stack[i])) {
                return new Place(stack[i], i == 0 ? null : call(stack[i - 1]));
            }
        }
        return new Place(null, null);
    }

    private static String call(StackTraceElement frame) {
        var type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1).replace('$', '.') + '.' + frame.getMethodName();
    }

    private boolean isUsers(StackTraceElement frame) {
        var module = frame.getModuleName();
        if (module != null && (module.startsWith("java.") || module.startsWith("jdk."))) {
            return false;
        }
        var type = frame.getClassName();
        return !type.startsWith(LIBRARY)
                || type.startsWith(COMMAND_LINE)
                || users.computeIfAbsent(type, Frames::isElsewhere);
    }

    /** Whether a class with a name like ours was loaded from somewhere else. */
    private static boolean isElsewhere(String type) {
        try {
            var found = Class.forName(type, false, Frames.class.getClassLoader());
            return !sourceOf(found).equals(sourceOf(Frames.class));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return false;
        }
    }

    private static String sourceOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? "" : String.valueOf(source.getLocation());
    }
}
