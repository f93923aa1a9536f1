package io.github.uvloop4j.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The scopes that are open in this JVM. No lock: loops and their tasks open them too. */
final class Scopes {
    private static final AtomicReference<List<BlockingGuard>> OPEN = new AtomicReference<>(List.of());

    private Scopes() {}

    static List<BlockingGuard> open() {
        return OPEN.get();
    }

    static void add(BlockingGuard scope) {
        OPEN.updateAndGet(open -> {
            var more = new ArrayList<>(open);
            more.add(scope);
            return List.copyOf(more);
        });
        LoopTable.refresh();
    }

    static void remove(BlockingGuard scope) {
        OPEN.updateAndGet(open -> open.stream().filter(each -> each != scope).toList());
        LoopTable.refresh();
    }
}
