package io.github.uvloop4j.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times such as {@code 500ms}, {@code 10s}, {@code 2m} or {@code 1.5}, which are seconds. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|m|h|)");

    @Override
    public Duration convert(String text) {
        var time = TIME.matcher(text.strip());
        if (!time.matches()) {
            throw new TypeConversionException("'" + text + "' is no time: give one such as 500ms, 10s or 2m");
        }
        var unit = switch (time.group(2)) {
            case "ms" -> 1e6;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> 1e9;
        };
        return Duration.ofNanos((long) (Double.parseDouble(time.group(1)) * unit));
    }
}
