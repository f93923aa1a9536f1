package io.github.uvloop4j.cli.doctor;

import io.github.uvloop4j.cli.observe.LoopReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A finding in the making. One thread. */
final class Draft {
    private final String kind;
    private final double weight;
    private final List<String> loops;
    private final String title;
    private final List<String> evidence = new ArrayList<>();
    private final Map<String, @Nullable Object> numbers = new LinkedHashMap<>();

    private Draft(String kind, double weight, List<String> loops, String title) {
        this.kind = kind;
        this.weight = weight;
        this.loops = loops;
        this.title = title;
    }

    static Draft of(String kind, double weight, LoopReport loop, String title) {
        return new Draft(kind, weight, List.of(loop.label()), title);
    }

    static Draft of(String kind, double weight, List<LoopReport> loops, String title) {
        return new Draft(kind, weight, loops.stream().map(LoopReport::label).toList(), title);
    }

    Draft evidence(String sentence) {
        evidence.add(sentence);
        return this;
    }

    Draft number(String key, @Nullable Object value) {
        numbers.put(key, value);
        return this;
    }

    Finding advice(String sentence) {
        return new Finding(kind, weight, loops, title, evidence, numbers, sentence);
    }
}
