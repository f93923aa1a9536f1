package io.github.uvloop4j;

import io.github.uvloop4j.concurrent.CallHandle;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What others want done when the loop closes: after its tasks, before its connections. */
final class CloseActions {
    private final Scheduler scheduler;
    private final Set<Entry> entries = new LinkedHashSet<>();

    CloseActions(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    private final class Entry implements CallHandle {
        private final Runnable action;
        private final @Nullable Throwable creation = scheduler.creation("close action");
        private volatile boolean cancelled;

        Entry(Runnable action) {
            this.action = action;
        }

        @Override
        public void cancel() {
            scheduler.checkThread();
            cancelled |= entries.remove(this);
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }

        @Override
        public @Nullable Throwable creation() {
            return creation;
        }
    }

    CallHandle add(Runnable action) {
        var entry = new Entry(action);
        entries.add(entry);
        return entry;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Runs each once, those too that others add. */
    void run() {
        while (!entries.isEmpty()) {
            var entry = entries.iterator().next();
            entries.remove(entry);
            scheduler.run(entry.action);
        }
    }
}
