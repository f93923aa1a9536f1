package io.github.uvloop4j.guard;

import io.github.uvloop4j.EventLoop;
import java.nio.file.Files;
import java.util.Map;

/** Runs the probes on a guarded loop, on its thread and in a task, and says of each what came of it. */
final class ProbeMain {
    private ProbeMain() {}

    public static void main(String[] args) throws Exception {
        var directory = Files.createTempDirectory("guard");
        var file = Files.writeString(directory.resolve("file"), "text");
        try (var loop = EventLoop.create()) {
            for (var where : new String[] {"loop", "task"}) {
                Runnable body = () -> {
                    try (var _ = BlockingGuard.forThisLoop()) {
                        run(where, Probes.parking());
                        run(where, Probes.blocking(file));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    loop.stop();
                };
                if (where.equals("task")) {
                    loop.spawn(() -> {
                        body.run();
                        return null;
                    });
                } else {
                    loop.post(body);
                }
                loop.runForever();
            }
        }
        System.out.println("open: " + BlockingGuard.report());
    }

    private static void run(String where, Map<String, Probes.Probe> probes) {
        probes.forEach((name, probe) -> {
            String result;
            try {
                probe.run();
                result = "passed";
            } catch (BlockingCallError e) {
                result = "raised " + e.call();
            } catch (Throwable e) {
                result = "failed " + e;
            }
            System.out.println(where + ": " + name + ": " + result);
        });
    }
}
