package io.github.uvloop4j.cli.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that was found.
 *
 * @param kind what it is, for programs
 * @param weight how much it matters, 0 to 1
 * @param loops the labels of the loops that it is about
 * @param title what it is, in one sentence
 * @param evidence what shows it, in sentences
 * @param numbers the same for programs, by keys that name their unit
 * @param advice what to do
 */
public record Finding(
        String kind,
        double weight,
        List<String> loops,
        String title,
        List<String> evidence,
        Map<String, @Nullable Object> numbers,
        String advice) {
    private static final double SERIOUS = 0.7;
    private static final double NOTABLE = 0.4;

    /** Keeps the weight in its range, and copies. */
    public Finding {
        weight = Double.isNaN(weight) ? 0 : Math.clamp(weight, 0, 1);
        loops = List.copyOf(loops);
        evidence = List.copyOf(evidence);
        numbers = new LinkedHashMap<>(numbers);
    }

    /** How much it matters, in a word. */
    public String grade() {
        return weight >= SERIOUS ? "serious" : weight >= NOTABLE ? "notable" : "hint";
    }
}
