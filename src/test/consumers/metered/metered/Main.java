package metered;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.observe.micrometer.LoopMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** Uses the library's meters from the module path. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        var registry = new SimpleMeterRegistry();
        try (var loop = EventLoop.create()) {
            new LoopMetrics(loop).bindTo(registry);
            loop.run(() -> {});
            System.out.println("tasks: "
                    + registry.get("uvloop4j.loop.tasks.made").functionCounter().count());
        }
        System.out.println("meters: " + registry.getMeters().size());
    }
}
