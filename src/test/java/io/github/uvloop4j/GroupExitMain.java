package io.github.uvloop4j;

import java.util.concurrent.CountDownLatch;

/** Leaves a group running, with a task that prints when it is cancelled, and exits with status 3. */
final class GroupExitMain {
    private GroupExitMain() {}

    public static void main(String[] args) throws InterruptedException {
        var group = EventLoopGroup.create(GroupOptions.defaults().loops(2));
        var started = new CountDownLatch(1);
        group.loop(0).submit(() -> {
            try {
                started.countDown();
                group.loop(0).createFuture().await();
            } finally {
                System.out.println("cleaned up");
            }
        });
        started.await();
        System.exit(3);
    }
}
