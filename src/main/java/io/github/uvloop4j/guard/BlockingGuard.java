package io.github.uvloop4j.guard;

import io.github.uvloop4j.concurrent.LoopContext;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A scope in which calls of the JDK that would block a loop thread raise {@link BlockingCallError} where they are made,
 * or are logged or counted. In a task that rides on the loop thread, what only parks the task is no such call; what
 * blocks the thread is.
 *
 * <pre>{@code
 * try (var guard = BlockingGuard.forAllLoops()) { ... }
 * }</pre>
 *
 * <p>Scopes nest, and close in any order, on any thread. The first that opens changes about thirty classes of the JDK,
 * which takes some 200 ms; the last that closes restores them. Opening and closing waits for that; it parks a task.
 *
 * <p>It needs the agent in this library's jar: {@code -javaagent:uvloop4j.jar}. Without that flag it is attached where
 * the JVM allows it, which takes a second and prints a warning.
 */
public final class BlockingGuard implements AutoCloseable {
    private static final Map<GuardMode, BlockingGuard> INSTALLED = new ConcurrentHashMap<>();

    private final @Nullable LoopContext loop;
    private final GuardMode mode;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

    private BlockingGuard(@Nullable LoopContext loop, GuardMode mode) {
        this.loop = loop;
        this.mode = Objects.requireNonNull(mode, "mode");
    }

    /** Raises on the loop whose thread or task calls this. Throws IllegalStateException when there is none. */
    public static BlockingGuard forThisLoop() {
        return forThisLoop(GuardMode.RAISE);
    }

    /**
     * Guards the loop whose thread or task calls this.
     *
     * @throws IllegalStateException when the caller is on no loop
     * @throws GuardUnavailableException when no agent is loaded and none can be attached
     */
    public static BlockingGuard forThisLoop(GuardMode mode) {
        var here = LoopContext.current();
        if (here == null) {
            throw new IllegalStateException("not on the thread of a loop: " + Thread.currentThread());
        }
        return open(new BlockingGuard(here, mode));
    }

    /** Raises on every loop of this JVM, also those that start later. Any thread. */
    public static BlockingGuard forAllLoops() {
        return forAllLoops(GuardMode.RAISE);
    }

    /**
     * Guards every loop of this JVM, also those that start later. Any thread.
     *
     * @throws GuardUnavailableException when no agent is loaded and none can be attached
     */
    public static BlockingGuard forAllLoops(GuardMode mode) {
        return open(new BlockingGuard(null, mode));
    }

    /**
     * Guards every loop for the life of the program; a second call with the same mode does nothing. Any thread. The
     * agent does this by itself with {@code -javaagent:uvloop4j.jar=raise} or {@code -Duvloop4j.guard=raise}.
     *
     * @throws GuardUnavailableException when no agent is loaded and none can be attached
     */
    public static void install(GuardMode mode) {
        var guard = new BlockingGuard(null, mode);
        if (INSTALLED.putIfAbsent(mode, guard) != null) {
            return;
        }
        boolean opened = false;
        try {
            open(guard);
            opened = true;
        } finally {
            if (!opened) {
                INSTALLED.remove(mode, guard);
            }
        }
    }

    /** By the name of a mode, as on a command line. */
    static void install(String name) {
        GuardMode mode;
        try {
            mode = GuardMode.valueOf(name.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("uvloop4j.guard must be raise, log or count: " + name);
        }
        install(mode);
    }

    /** As the agent starts: a program can do without a guard, not without its start. */
    static void installOrWarn(String name) {
        try {
            install(name);
        } catch (GuardUnavailableException e) {
            System.err.println("WARNING: " + e.getMessage());
        }
    }

    /**
     * Lets classes block on any loop, with whatever they call, for the life of the program. Any thread.
     *
     * @param names of classes, with those nested in them, or of packages with a dot at the end, and all below them
     */
    public static void allow(String... names) {
        Exempt.allow(names);
    }

    /** Whether a guard can be had; attaches the agent if it is not loaded, the first time. Any thread. */
    public static boolean isAvailable() {
        return reason().isEmpty();
    }

    /** Why no guard can be had, and what to do; empty when one can. Attaches as {@link #isAvailable}. Any thread. */
    public static String reason() {
        try {
            Installer.prepare();
            return "";
        } catch (GuardUnavailableException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Which methods carry hooks, which this JDK does not have, which classes could not be changed. Any thread. */
    public static GuardReport report() {
        return Installer.report();
    }

    /** How many blocking calls this scope has seen. Any thread. */
    public long count() {
        return calls.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /** How many it has seen of each method of the JDK. Any thread. */
    public Map<String, Long> calls() {
        var counts = new TreeMap<String, Long>();
        calls.forEach((call, count) -> counts.put(call, count.sum()));
        return counts;
    }

    /** Ends the scope; a second call does nothing. Any thread. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Scopes.remove(this);
            Installer.release();
        }
    }

    private static BlockingGuard open(BlockingGuard guard) {
        Installer.acquire();
        Scopes.add(guard);
        return guard;
    }

    boolean covers(@Nullable LoopContext which) {
        return loop == null || loop == which;
    }

    GuardMode mode() {
        return mode;
    }

    void saw(String call) {
        calls.computeIfAbsent(call, _ -> new LongAdder()).increment();
    }
}
