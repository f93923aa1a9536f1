package io.github.uvloop4j.util;

import io.github.uvloop4j.EventLoop;
import io.github.uvloop4j.uv.UvVersion;

/** Opens a loop and prints where libuv came from, or why not. For a JVM of its own. */
final class LoadMain {
    private LoadMain() {}

    public static void main(String[] arguments) {
        for (int attempt = 0; attempt < 2; attempt++) {
            try (var loop = EventLoop.create()) {
                System.out.println("loaded " + UvVersion.loaded() + " from " + UvVersion.origin() + " for " + loop);
            } catch (UnsatisfiedLinkError | IllegalCallerException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
