package io.github.uvloop4j;

import org.jspecify.annotations.Nullable;

/** Prints the layout of groups when {@code launch} asks for it, by the system property {@value #PROPERTY}. */
final class LayoutPrinter {
    static final String PROPERTY = "uvloop4j.layout";

    private LayoutPrinter() {}

    static void print(EventLoopGroup group) {
        var text = text(group, System.getProperty(PROPERTY));
        if (text != null) {
            System.out.println(text);
            System.out.flush();
        }
    }

    static @Nullable String text(EventLoopGroup group, @Nullable String form) {
        return switch (form == null ? "" : form) {
            case "text" -> group.layout().toString();
            case "json" -> group.layout().toJson();
            default -> null;
        };
    }
}
