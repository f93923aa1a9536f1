package io.github.uvloop4j.guard;

import io.github.uvloop4j.EventLoop;

/** Guards a loop without a flag, and says what came of it. */
final class AttachingMain {
    private AttachingMain() {}

    public static void main(String[] args) throws Exception {
        Checks.say("available", String.valueOf(BlockingGuard.isAvailable()));
        Checks.say("reason", BlockingGuard.reason());
        try (var loop = EventLoop.create();
                var _ = BlockingGuard.forAllLoops()) {
            Checks.say("raises", String.valueOf(OnLoop.raises(loop, () -> Thread.sleep(1))));
        } catch (GuardUnavailableException e) {
            Checks.say("unavailable", e.getMessage());
        }
        try (var loop = EventLoop.create()) {
            Checks.say("loop", String.valueOf(OnLoop.call(loop, () -> "works")));
        }
    }
}
