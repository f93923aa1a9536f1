package io.github.uvloop4j.testing;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text that Prometheus gets, line by line. */
public record Scrape(List<Sample> samples, Map<String, String> types) {
    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** One value. */
    public record Sample(String name, Map<String, String> labels, double value) {}

    /** Reads it; fails at what is not a sample. */
    public static Scrape of(String text) {
        var types = new TreeMap<String, String>();
        text.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" "))
                .forEach(words -> types.put(words[2], words[3]));
        return new Scrape(
                text.lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(Scrape::sample)
                        .toList(),
                types);
    }

    private static Sample sample(String line) {
        var parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new AssertionError("not a sample: " + line);
        }
        var labels = parts.group(2) == null ? "" : parts.group(2);
        return new Sample(
                parts.group(1),
                LABEL.matcher(labels)
                        .results()
                        .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2))),
                Double.parseDouble(parts.group(3)));
    }

    /** All of a name. */
    public List<Sample> named(String name) {
        return samples.stream().filter(sample -> sample.name.equals(name)).toList();
    }

    /** The one of a name with some labels. */
    public double value(String name, Map<String, String> labels) {
        var found = named(name).stream()
                .filter(sample -> sample.labels.entrySet().containsAll(labels.entrySet()))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(name + labels + ": " + found);
        }
        return found.getFirst().value;
    }
}
