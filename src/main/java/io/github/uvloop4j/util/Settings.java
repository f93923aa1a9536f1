package io.github.uvloop4j.util;

import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings from outside the program: a system property like {@code uvloop4j.stallMillis}, else the variable of the
 * environment named after it, {@code UVLOOP4J_STALL_MILLIS}, else a default. A blank one counts as not set.
 */
public final class Settings {
    private static final Settings OF_JVM = new Settings(System::getProperty, System::getenv);

    /**
     * A setting that was made.
     *
     * @param text its value
     * @param origin where it was made, for people
     */
    public record Found(String text, String origin) {}

    private final Function<String, @Nullable String> properties;
    private final Function<String, @Nullable String> environment;

    /** Settings by what gives the properties and what gives the variables. */
    public Settings(Function<String, @Nullable String> properties, Function<String, @Nullable String> environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /** Those of this JVM, read anew each time. Any thread. */
    public static Settings ofJvm() {
        return OF_JVM;
    }

    /** The variable of the environment that stands for a property. */
    public static String variable(String property) {
        return property.replace('.', '_').replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    /** A setting; null when it was not made. */
    public @Nullable Found find(String property) {
        var text = properties.apply(property);
        if (text != null && !text.isBlank()) {
            return new Found(text.strip(), "property " + property);
        }
        var variable = variable(property);
        text = environment.apply(variable);
        return text == null || text.isBlank() ? null : new Found(text.strip(), "environment variable " + variable);
    }

    /**
     * A setting as something else than text.
     *
     * @param parse fails with an IllegalArgumentException that says what is wrong with a text
     * @throws IllegalArgumentException when it cannot be read; the message has its name, its value and what is wrong
     */
    public <T> T value(String property, T standard, Function<String, T> parse) {
        var found = find(property);
        if (found == null) {
            return standard;
        }
        try {
            return parse.apply(found.text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(found.origin + " is " + found.text + ": " + e.getMessage(), e);
        }
    }

    /** {@link #value} for {@code true} or {@code 1}, {@code false} or {@code 0}. */
    public boolean truth(String property, boolean standard) {
        return value(property, standard, text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new IllegalArgumentException("neither true (1) nor false (0)");
        });
    }
}
