package io.github.uvloop4j.cli.observe;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The present of loops, as text or JSON, again and again. One thread. */
public final class TopScreen {
    private static final int STALLS = 8;
    private static final int FRAMES = 5;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final LoopTable table;
    private Instant newest = Instant.MIN;

    /** A screen that may use block characters, or has to do with digits. */
    public TopScreen(boolean blocks) {
        table = new LoopTable(blocks);
    }

    /**
     * A stall and its loop.
     *
     * @param loop whose
     * @param stall what
     */
    private record Kept(LoopReport loop, Stall stall) {}

    /** Whether a loop has told new numbers, and two of one loop are there, since this was asked last and was so. */
    public boolean hasNews(Observation present) {
        var latest = present.loops().stream()
                .filter(loop -> loop.whole().isPresent())
                .flatMap(loop -> loop.last().stream())
                .map(LoopSnapshot::at)
                .max(Comparator.naturalOrder());
        var news = latest.isPresent() && latest.get().isAfter(newest);
        if (news) {
            newest = latest.get();
        }
        return news;
    }

    /** The lines, none of which has a character that could command a terminal. */
    public List<String> lines(Observation present) {
        var lines = new ArrayList<String>();
        lines.add(present.source() + ", " + clock(present.end()) + machine(present));
        lines.add("");
        lines.addAll(table.lines(present.loops(), loop -> loop.whole().orElse(null)));
        lines.add(table.legend());
        for (var kept : newestStalls(present)) {
            var stall = kept.stall();
            lines.add("");
            lines.add(clock(stall.begin()) + "  " + kept.loop().label() + " kept for "
                    + (stall.over() ? "" : "at least ") + Words.time(stall.nanos()) + ": " + stall.what());
            stall.stack().stream().limit(FRAMES).forEach(frame -> lines.add("            " + frame));
        }
        present.notes().forEach(note -> lines.add("note: " + note));
        return lines.stream().map(Printable::of).toList();
    }

    private static String machine(Observation present) {
        if (present.cpuLoads().isEmpty()) {
            return "";
        }
        var load = present.cpuLoads().getLast();
        return ", CPUs " + Words.percent(load.machine()) + " busy, " + Words.percent(load.jvm()) + " by this process";
    }

    private static String clock(Instant moment) {
        return CLOCK.format(moment.atZone(ZoneId.systemDefault()));
    }

    private static List<Kept> newestStalls(Observation present) {
        return present.loops().stream()
                .flatMap(loop -> loop.stalls().stream().map(stall -> new Kept(loop, stall)))
                .sorted(Comparator.comparing((Kept kept) -> kept.stall().begin())
                        .reversed())
                .limit(STALLS)
                .toList();
    }

    /** The same under JSON keys. */
    public Map<String, @Nullable Object> fields(Observation present) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        fields.put("source", present.source());
        fields.put("at", present.end().toString());
        fields.put(
                "machine_cpu_share",
                present.cpuLoads().isEmpty()
                        ? null
                        : present.cpuLoads().getLast().machine());
        fields.put(
                "loops",
                present.loops().stream()
                        .map(loop -> Figures.of(loop, loop.whole().orElse(null)))
                        .toList());
        fields.put(
                "stalls",
                newestStalls(present).stream()
                        .map(kept -> Figures.of(kept.loop(), kept.stall()))
                        .toList());
        fields.put("notes", present.notes());
        return fields;
    }
}
