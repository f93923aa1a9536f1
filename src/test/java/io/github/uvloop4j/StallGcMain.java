package io.github.uvloop4j;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Stops the JVM by collecting a large heap while a loop is busy with short calls; prints pauses and stalls. */
final class StallGcMain {
    private StallGcMain() {}

    public static void main(String[] args) {
        List<Object> heap = new ArrayList<>();
        for (int i = 0; i < 6_000_000; i++) {
            heap.add(new int[] {i});
        }
        var stalls = new AtomicInteger();
        var over = new AtomicBoolean();
        try (var loop = EventLoop.create(LoopOptions.defaults().stallLimit(Duration.ofMillis(60)))
                .start()) {
            loop.stallHandler(stall -> stalls.incrementAndGet());
            loop.post(new Runnable() {
                @Override
                public void run() {
                    if (!over.get()) {
                        loop.post(this);
                    }
                }
            });
            for (int i = 0; i < 8; i++) {
                System.gc();
            }
            over.set(true);
        }
        long millis = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        System.out.println("stalls " + stalls + " pauses " + millis + " kept " + heap.size());
    }
}
