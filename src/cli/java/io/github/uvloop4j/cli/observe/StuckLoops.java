package io.github.uvloop4j.cli.observe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import javax.management.MBeanServerConnection;

/** Where the threads of loops are that make no turns. Whoever waits in its poll is idle, which is as it should be. */
final class StuckLoops {
    private static final String POLL = "io.github.uvloop4j.uv.";
    private static final long BETWEEN_MILLIS = 100;

    private StuckLoops() {}

    /**
     * Looks twice, since a loop may begin a turn at any time.
     *
     * @param threads the JVM's numbers of threads, by the loop
     * @return the stacks of those that were not in their poll either time, by the loop
     */
    static Map<Long, List<String>> find(MBeanServerConnection connection, Map<Long, Long> threads)
            throws IOException, InterruptedException {
        var bean = ManagementFactory.getPlatformMXBean(connection, ThreadMXBean.class);
        var stuck = new TreeMap<Long, List<String>>();
        if (bean == null || threads.isEmpty()) {
            return stuck;
        }
        stuck.putAll(look(bean, threads));
        Thread.sleep(BETWEEN_MILLIS);
        stuck.keySet().retainAll(look(bean, threads).keySet());
        return stuck;
    }

    private static Map<Long, List<String>> look(ThreadMXBean bean, Map<Long, Long> threads) {
        var found = new TreeMap<Long, List<String>>();
        threads.forEach((loop, thread) -> {
            ThreadInfo info = bean.getThreadInfo(thread, Frames.DEPTH);
            if (info != null && info.getStackTrace().length > 0) {
                var stack = Arrays.stream(info.getStackTrace())
                        .map(StuckLoops::text)
                        .toList();
                if (!isInPoll(stack)) {
                    found.put(loop, stack);
                }
            }
        });
        return found;
    }

    static boolean isInPoll(List<String> stack) {
        return stack.stream()
                .filter(Predicate.not(Frames::isOfPlatform))
                .findFirst()
                .map(frame -> frame.startsWith(POLL))
                .orElse(false);
    }

    private static String text(StackTraceElement frame) {
        var place = frame.getFileName() == null
                ? "Unknown Source"
                : frame.getFileName() + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "");
        return Frames.named(frame.getClassName()) + '.' + frame.getMethodName() + '(' + place + ')';
    }
}
