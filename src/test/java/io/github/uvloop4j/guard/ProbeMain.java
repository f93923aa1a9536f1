package io.github.uvloop4j.guard;

import io.github.uvloop4j.EventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Runs the probes on a guarded loop, in a callback ("loop") or in a task ("task"), and says what came of each. */
final class ProbeMain {
    private ProbeMain() {}

    public static void main(String[] args) throws Exception {
        var file = Files.writeString(Path.of(args[1], "probed-" + args[0]), "text");
        try (var loop = EventLoop.create()) {
            if (args[0].equals("task")) {
                loop.run(() -> guarded(file));
                return;
            }
            var done = loop.<Boolean>createFuture();
            loop.post(() -> {
                try {
                    guarded(file);
                    done.complete(true);
                } catch (Exception e) {
                    done.completeExceptionally(e);
                }
            });
            loop.runUntilComplete(done);
        }
    }

    private static void guarded(Path file) throws Exception {
        try (var _ = BlockingGuard.forThisLoop()) {
            run("parking", Probes.parking());
            run("blocking", Probes.blocking(file));
        }
    }

    private static void run(String kind, Map<String, Probes.Probe> probes) {
        probes.forEach((name, probe) -> {
            String result;
            try {
                probe.run();
                result = "passed";
            } catch (BlockingCallError e) {
                result = "raised";
            } catch (Throwable e) {
                result = e.toString();
            }
            Checks.say(kind + ": " + name, result);
        });
    }
}
