package io.github.uvloop4j;

import io.github.uvloop4j.carrier.LoopLog;
import io.github.uvloop4j.concurrent.Created;
import io.github.uvloop4j.uv.UvHandle;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is left when a loop is closed, for debug mode's log: one warning for all that was made at one place, and for so
 * many places.
 */
final class Leftovers {
    private static final int MOST_PLACES = 20;

    private static final class Place {
        final String first;
        final @Nullable Throwable shown;
        int count;

        Place(String first, @Nullable Throwable shown) {
            this.first = first;
            this.shown = shown;
        }
    }

    private final String loop;
    private final Map<List<StackTraceElement>, Place> places = new LinkedHashMap<>();
    private int beyond;

    Leftovers(String loop) {
        this.loop = loop;
    }

    /** Logs what is open of a loop's connections, servers, listeners, sockets and watchers. Loop thread only. */
    static void tellUnclosed(Scheduler scheduler) {
        var left = new Leftovers(scheduler.loop().options().name());
        scheduler.io().forEachUnclosed(left::addUnclosed);
        left.tell();
    }

    /** Logs the handles that are open of a loop of libuv, but for the loop's own. Loop thread only. */
    static void tellHandles(Scheduler scheduler, Set<UvHandle> own) {
        var kinds = scheduler.uv().openHandles().stream()
                .filter(handle -> !handle.isClosing() && !own.contains(handle))
                .collect(Collectors.groupingBy(
                        handle -> handle.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
        if (!kinds.isEmpty()) {
            var text = kinds.entrySet().stream()
                    .map(kind -> kind.getValue() + " " + kind.getKey())
                    .collect(Collectors.joining(", "));
            LoopLog.warn(
                    "left open: " + text + ", when "
                            + scheduler.loop().options().name() + " was closed",
                    null);
        }
    }

    private void addUnclosed(Created open) {
        add("open: " + ErrorReporter.describe(open), open.creation(), open.creation());
    }

    /** Adds something: what it was, where it was made, and what is logged of it if it is the first from there. */
    void add(String what, @Nullable Throwable creation, @Nullable Throwable shown) {
        List<StackTraceElement> at = creation == null ? List.of() : Arrays.asList(creation.getStackTrace());
        var place = places.get(at);
        if (place == null && places.size() < MOST_PLACES) {
            place = new Place(what, shown);
            places.put(at, place);
        }
        if (place == null) {
            beyond++;
        } else {
            place.count++;
        }
    }

    /** Logs them. */
    void tell() {
        for (var place : places.values()) {
            var others =
                    place.count == 1 ? "" : ", and " + (place.count - 1) + " more that were made at the same place";
            LoopLog.warn("left " + place.first + others + ", when " + loop + " was closed", place.shown);
        }
        if (beyond > 0) {
            LoopLog.warn("left: " + beyond + " more from other places, when " + loop + " was closed", null);
        }
    }
}
