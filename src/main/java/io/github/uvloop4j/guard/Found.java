package io.github.uvloop4j.guard;

import io.github.uvloop4j.guard.Sites.Site;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A blocking call as its stack tells of it.
 *
 * @param call the method of the JDK that was called by what is not the JDK
 * @param caller where that is
 */
record Found(String call, String caller) {
    private static final StackWalker WALKER = StackWalker.getInstance();

    private static final Set<String> HOOKED =
            Sites.all().stream().map(Site::name).collect(Collectors.toUnmodifiableSet());

    /** Where the loop begins: below it is the program that runs it. */
    private static final String LOOP = "io.github.uvloop4j.Scheduler";

    /** What those who called know a class as. */
    private static final Map<String, String> KNOWN_AS = Map.ofEntries(
            Map.entry("java.lang.ProcessImpl", "java.lang.Process"),
            Map.entry("sun.nio.ch.SocketChannelImpl", "java.nio.channels.SocketChannel"),
            Map.entry("sun.nio.ch.ServerSocketChannelImpl", "java.nio.channels.ServerSocketChannel"),
            Map.entry("sun.nio.ch.DatagramChannelImpl", "java.nio.channels.DatagramChannel"),
            Map.entry("sun.nio.ch.SourceChannelImpl", "java.nio.channels.Pipe.SourceChannel"),
            Map.entry("sun.nio.ch.SinkChannelImpl", "java.nio.channels.Pipe.SinkChannel"),
            Map.entry("sun.nio.ch.FileChannelImpl", "java.nio.channels.FileChannel"),
            Map.entry("sun.nio.ch.SelectorImpl", "java.nio.channels.Selector"),
            Map.entry(
                    "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
                    "java.util.concurrent.locks.Condition"));

    /** What the caller's stack tells; null when it is exempt, or was judged further up. */
    static @Nullable Found at(Site site) {
        return WALKER.walk(frames -> read(frames.iterator(), site));
    }

    private static @Nullable Found read(Iterator<StackWalker.StackFrame> frames, Site site) {
        Found found = null;
        StackWalker.@Nullable StackFrame jdk = null;
        while (frames.hasNext()) {
            var frame = frames.next();
            var type = frame.getClassName();
            if (jdk == null && Judge.isGuards(type)) {
                continue;
            }
            if (type.equals(LOOP)) {
                break;
            }
            if (found == null) {
                if (isJdk(type)) {
                    if (Exempt.within(type, frame.getMethodName()) || (jdk != null && isHooked(frame, site))) {
                        return null;
                    }
                    jdk = frame;
                } else if (Exempt.own(type)) {
                    return null;
                } else {
                    found = of(jdk, frame, site);
                }
            }
            if (Exempt.anywhere(type, frame.getMethodName())) {
                return null;
            }
        }
        return found == null ? of(jdk, null, site) : found;
    }

    private static Found of(StackWalker.@Nullable StackFrame jdk, StackWalker.@Nullable StackFrame caller, Site site) {
        var call = jdk == null ? site.name() : name(jdk);
        var where = caller == null ? "the loop" : caller.toStackTraceElement().toString();
        return new Found(call, where);
    }

    private static String name(StackWalker.StackFrame jdk) {
        var type = KNOWN_AS.getOrDefault(jdk.getClassName(), jdk.getClassName());
        return jdk.getMethodName().equals("<init>") ? "new " + type : type + '.' + jdk.getMethodName();
    }

    /** Whether a frame is a hook's own: that one has judged the call. */
    private static boolean isHooked(StackWalker.StackFrame frame, Site site) {
        var name = frame.getClassName() + '.' + frame.getMethodName();
        return HOOKED.contains(name) && !name.equals(site.name());
    }

    private static boolean isJdk(String className) {
        return className.startsWith("java.")
                || className.startsWith("javax.")
                || className.startsWith("jdk.")
                || className.startsWith("sun.")
                || className.startsWith("com.sun.");
    }
}
