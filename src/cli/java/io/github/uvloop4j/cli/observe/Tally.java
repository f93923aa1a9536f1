package io.github.uvloop4j.cli.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts by name, as many names as fit; what comes with further ones counts in the total only. One thread. */
final class Tally {
    private static final int NAMES = 2000;

    private final Map<String, Long> counts = new HashMap<>();
    private long total;

    void add(String name) {
        add(name, 1);
    }

    void add(String name, long weight) {
        total += weight;
        if (counts.size() < NAMES || counts.containsKey(name)) {
            counts.merge(name, weight, Long::sum);
        }
    }

    void addAll(Tally other) {
        other.counts.forEach(this::add);
        total += other.total
                - other.counts.values().stream().mapToLong(Long::longValue).sum();
    }

    long total() {
        return total;
    }

    /** The largest first. */
    List<Share> shares(int most) {
        var entries = new ArrayList<>(counts.entrySet());
        entries.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        return entries.stream()
                .limit(most)
                .map(entry -> new Share(entry.getKey(), entry.getValue(), total))
                .toList();
    }
}
