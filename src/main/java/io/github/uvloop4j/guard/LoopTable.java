package io.github.uvloop4j.guard;

import io.github.uvloop4j.carrier.TaskHost;
import io.github.uvloop4j.concurrent.LoopRegistry;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which threads are guarded: those that run a loop now which a scope covers. */
final class LoopTable {
    private static final AtomicLong VERSION = new AtomicLong();

    private static volatile @Nullable HookAccess hook;

    private LoopTable() {}

    /** The hooks are in, and ours. */
    static void open(HookAccess access) {
        hook = access;
    }

    /** They are out: another copy of the library may put its own in. */
    static void close() {
        hook = null;
    }

    /** Scopes or running loops have changed. Any thread; no lock: whoever sets an old state finds out, and sets it anew. */
    static void refresh() {
        var access = hook;
        if (access == null) {
            return;
        }
        long version = VERSION.incrementAndGet();
        while (true) {
            access.guard(threads());
            long now = VERSION.get();
            if (now == version) {
                return;
            }
            version = now;
        }
    }

    private static Set<Thread> threads() {
        var scopes = Scopes.open();
        return scopes.isEmpty()
                ? Set.of()
                : LoopRegistry.all().stream()
                        .filter(loop -> scopes.stream().anyMatch(scope -> scope.covers(loop)))
                        .map(loop -> loop instanceof TaskHost host ? host.loopThread() : null)
                        .filter(thread -> thread != null)
                        .collect(Collectors.toSet());
    }
}
