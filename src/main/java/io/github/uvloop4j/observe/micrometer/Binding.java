package io.github.uvloop4j.observe.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** One loop in one registry, as long as it is there. */
final class Binding {
    /** Meters of the same name and tags are one: a second loop with the tags of a first would never be seen. */
    private static final Map<MeterRegistry, Set<Tags>> TAKEN = new WeakHashMap<>();

    private final MeterRegistry registry;
    private final Tags tags;
    private final LoopMeters meters;
    private boolean bound;

    Binding(MeterRegistry registry, Tags tags, Snapshots snapshots) {
        this.registry = registry;
        this.tags = tags;
        this.meters = new LoopMeters(registry, tags, snapshots);
    }

    boolean isOf(MeterRegistry other, Tags others) {
        return registry == other && tags.equals(others);
    }

    synchronized void bind() {
        take();
        bound = true;
        meters.register();
    }

    private void take() {
        synchronized (TAKEN) {
            if (!TAKEN.computeIfAbsent(registry, none -> new HashSet<>()).add(tags)) {
                throw new IllegalArgumentException("another loop has these tags in that registry already: " + tags
                        + "; name loops apart with LoopOptions.name, or tag them apart");
            }
        }
    }

    synchronized void unbind() {
        if (bound) {
            bound = false;
            meters.remove();
            giveBack();
        }
    }

    private void giveBack() {
        synchronized (TAKEN) {
            var all = TAKEN.get(registry);
            if (all != null) {
                all.remove(tags);
            }
        }
    }
}
