package io.github.uvloop4j.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** What never raises, found on the stack once a call is about to: what runs once, and what nobody can do elsewhere. */
final class Exempt {
    /** Anywhere on the stack: classes are loaded, linked or initialised, something is logged, the JVM goes down. */
    private static final List<String> ANYWHERE = List.of(
            "java.lang.ClassLoader",
            "java.lang.invoke.MethodHandleNatives",
            "jdk.internal.loader.",
            "java.util.ResourceBundle",
            "java.util.ServiceLoader",
            "java.util.TimeZone",
            "java.time.zone.",
            "sun.util.",
            "sun.instrument.",
            "jdk.jfr.",
            "jdk.internal.logger.",
            "java.lang.System$Logger",
            "java.util.logging.",
            "org.slf4j.",
            "ch.qos.logback.",
            "org.apache.logging.",
            "org.apache.log4j.",
            "org.apache.commons.logging.",
            "org.jboss.logging.",
            "org.tinylog.",
            "java.lang.Shutdown",
            "java.lang.ApplicationShutdownHooks");

    /** Between the call and the first frame that is not the JDK's: jars, random numbers, URIs of paths, a pool that is handed work. */
    private static final List<String> WITHIN = List.of(
            "java.util.zip.ZipFile",
            "java.util.jar.JarFile",
            "jdk.internal.jimage.",
            "jdk.internal.jrtfs.",
            "sun.nio.fs.UnixUriUtils",
            "sun.security.provider.",
            "java.security.SecureRandom",
            "java.util.concurrent.ConcurrentHashMap$TreeBin");

    private static final Set<String> HANDS_OVER = Set.of(
            "java.util.concurrent.ThreadPoolExecutor.execute",
            "java.util.concurrent.ScheduledThreadPoolExecutor.delayedExecute",
            "java.util.concurrent.ForkJoinPool.execute",
            "java.util.concurrent.ForkJoinPool.submit",
            "java.util.concurrent.ThreadPerTaskExecutor.execute",
            "java.util.concurrent.ThreadPerTaskExecutor.submit");

    /** Parts of this library that wait for one of our own threads, which need no loop, or ask the system something. */
    private static final List<String> OWN = List.of(
            "io.github.uvloop4j.carrier.",
            "io.github.uvloop4j.util.",
            "io.github.uvloop4j.affinity.",
            "io.github.uvloop4j.ffi.",
            "io.github.uvloop4j.OwnThread",
            "io.github.uvloop4j.LoopPinning");

    private static final AtomicReference<List<String>> ALLOWED = new AtomicReference<>(List.of());

    private Exempt() {}

    static void allow(String... names) {
        for (var name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("a name of a class or package is empty");
            }
        }
        ALLOWED.updateAndGet(before -> {
            var more = new ArrayList<>(before);
            more.addAll(List.of(names));
            return List.copyOf(more);
        });
    }

    static boolean anywhere(String className, String method) {
        return method.equals("<clinit>") || matches(ANYWHERE, className) || matches(ALLOWED.get(), className);
    }

    static boolean within(String className, String method) {
        return matches(WITHIN, className) || HANDS_OVER.contains(className + '.' + method);
    }

    static boolean own(String className) {
        return matches(OWN, className);
    }

    private static boolean matches(List<String> names, String className) {
        for (var name : names) {
            if (className.startsWith(name)
                    && (name.endsWith(".")
                            || className.length() == name.length()
                            || className.charAt(name.length()) == '$')) {
                return true;
            }
        }
        return false;
    }
}
