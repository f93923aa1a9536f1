package io.github.uvloop4j.guard;

import io.github.uvloop4j.EventLoop;

/** A program that knows of no guard. */
final class GuardedProgramMain {
    private GuardedProgramMain() {}

    public static void main(String[] args) throws Exception {
        try (var loop = EventLoop.create()) {
            Checks.say("raises", String.valueOf(OnLoop.raises(loop, () -> Thread.sleep(1))));
        }
    }
}
